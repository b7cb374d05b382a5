package sale

import (
	"cmp"
	"io"
	"slices"
	"strconv"
	"strings"

	"ticketgate/domain/document"
)

// Language is the language in which a buyer is addressed.
type Language string

// Names returns all languages, in the documented order.
func (Language) Names() []string {
	return strings.Fields("de de-CH en en-GB en-AU fr es es-MX is it ru pt tr nb nl pl sv sl da cs lv he ar th ko ja zh-TW")
}

// MarshalGQL writes the language under its GraphQL name.
func (l Language) MarshalGQL(w io.Writer) { document.MarshalName(w, string(l)) }

// UnmarshalGQL reads a language by its GraphQL name.
func (l *Language) UnmarshalGQL(from any) error { return readName(l, from) }

// maxRanges limits how much of a header is read.
const maxRanges = 50

// LanguageOf returns the supported language that an Accept-Language header prefers, matched with or without its region. Of
// equal weights the first wins. It returns false if none is supported.
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
	for _, preferred := range wanted {
		if language, ok := knownLanguage(preferred.tag); ok {
			return language, true
		}
	}
	return "", false
}

// weightOf parses `q=0.8`. The default is 1. A malformed weight is 0.
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

// knownLanguage returns the supported language for a tag, ignoring case. It removes subtags from the end until one
// matches.
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
