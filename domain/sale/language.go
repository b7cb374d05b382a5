package sale

import (
	"cmp"
	"io"
	"slices"
	"strconv"
	"strings"

	"ticketgate/domain/document"
)

// Language is a language in which a buyer is written to (spec 2.8).
type Language string

// Names lists every language in the specification's order.
func (Language) Names() []string {
	return strings.Fields("de de-CH en en-GB en-AU fr es es-MX is it ru pt tr nb nl pl sv sl da cs lv he ar th ko ja zh-TW")
}

// MarshalGQL writes the language in GraphQL's spelling.
func (l Language) MarshalGQL(w io.Writer) { document.MarshalName(w, string(l)) }

// UnmarshalGQL reads GraphQL's spelling.
func (l *Language) UnmarshalGQL(from any) error { return readName(l, from) }

// maxRanges bounds the work that a header can ask for.
const maxRanges = 50

// LanguageOf chooses the language that an Accept-Language header prefers: the header's first of the greatest weight that is
// in the enumeration, with its region or without (decisions 8.6). It is false when none is.
func LanguageOf(header string) (Language, bool) {
	type preference struct {
		tag    string
		weight float64
	}
	var wanted []preference
	for part := range strings.SplitSeq(header, ",") {
		if len(wanted) == maxRanges {
			break
		}
		tag, parameters, _ := strings.Cut(part, ";")
		if weight := weightOf(parameters); weight > 0 {
			wanted = append(wanted, preference{strings.TrimSpace(tag), weight})
		}
	}
	slices.SortStableFunc(wanted, func(a, b preference) int { return cmp.Compare(b.weight, a.weight) })
	for _, one := range wanted {
		if language, ok := knownLanguage(one.tag); ok {
			return language, true
		}
	}
	return "", false
}

// weightOf reads `q=0.8`; nothing said is 1, and what can't be read is 0.
func weightOf(parameters string) float64 {
	text, said := strings.CutPrefix(strings.TrimSpace(parameters), "q=")
	if !said {
		return 1
	}
	weight, err := strconv.ParseFloat(text, 64)
	if err != nil || weight > 1 {
		return 0
	}
	return weight
}

// knownLanguage finds a tag in the enumeration, whatever its case, and shortens it until it is found.
func knownLanguage(tag string) (Language, bool) {
	names := Language("").Names()
	for tag != "" {
		if i := slices.IndexFunc(names, func(name string) bool { return strings.EqualFold(name, tag) }); i >= 0 {
			return Language(names[i]), true
		}
		tag = tag[:max(strings.LastIndexByte(tag, '-'), 0)]
	}
	return "", false
}
