package access

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"ticketgate/domain/moment"
)

// Preset says how the codes of a file become those of the list. Readers differ in how they print a card's UID: the same
// card is c43f3632 to one and 8804000032363FC4 to another.
type Preset string

// The presets. Reversed turns the bytes round; the last one also puts the four bytes before them that some readers pad
// a UID of four bytes with.
const (
	AsRead         Preset = "as-read"
	Reversed       Preset = "reversed"
	Upper          Preset = "upper"
	PaddedReversed Preset = "88040000+reversed"
)

// padding is what readers of the last preset put before the reversed UID.
const padding = "88040000"

// Presets lists every preset.
func Presets() []Preset { return []Preset{AsRead, Reversed, Upper, PaddedReversed} }

// orDefault also takes the spelling that a plus sign gets when it was not encoded in a query string.
func (p Preset) orDefault() Preset {
	switch p {
	case "":
		return AsRead
	case "88040000 reversed":
		return PaddedReversed
	default:
		return p
	}
}

func (p Preset) valid() bool {
	return slices.Contains(Presets(), p)
}

// apply turns a code of the file into one of the list, or says why it can't.
func (p Preset) apply(code string) (result, fault string) {
	switch p {
	case Upper:
		return strings.ToUpper(code), ""
	case Reversed:
		uid := plainUID(code)
		if uid == "" {
			return "", "is no card UID: an even number of hexadecimal digits"
		}
		return reversed(uid), ""
	case PaddedReversed:
		uid := plainUID(code)
		if len(uid) != 8 {
			return "", "is no card UID of four bytes: eight hexadecimal digits"
		}
		return padding + strings.ToUpper(reversed(uid)), ""
	case AsRead:
	}
	return code, ""
}

var uidPattern = regexp.MustCompile(`^(?:[0-9A-Fa-f]{2}[ :-]?)+$`)

// plainUID is a UID without what some readers put between its bytes; empty when the code is none.
func plainUID(code string) string {
	if !uidPattern.MatchString(code) {
		return ""
	}
	return strings.NewReplacer(" ", "", ":", "", "-", "").Replace(code)
}

func reversed(uid string) string {
	turned := make([]byte, 0, len(uid))
	for at := len(uid) - 2; at >= 0; at -= 2 {
		turned = append(turned, uid[at], uid[at+1])
	}
	return string(turned)
}

var shortened = regexp.MustCompile(`^\d(?:[.,]\d+)?E\+\d+$`)

// suspicion says what looks like a mistake in a code of the file that is allowed.
func suspicion(code string) string {
	uid := plainUID(code)
	switch {
	case len(uid) == 8 && strings.HasPrefix(uid, "08"):
		return "is a random UID that changes on every read"
	case shortened.MatchString(code):
		return "looks like a number that a spreadsheet has shortened"
	case strings.TrimSpace(code) != code:
		return "has white space at an end"
	}
	if at := strings.IndexFunc(code, hidden); at >= 0 {
		letter, _ := utf8.DecodeRuneInString(code[at:])
		return fmt.Sprintf("has a character that can't be seen, %U", letter)
	}
	return ""
}

// hidden tells whether a letter leaves no trace on a card or a screen, such as the mark of a file that was put behind
// another one, or a space that a web page keeps lines together with: no reader sends it.
func hidden(letter rune) bool {
	return letter != ' ' && unicode.In(letter, unicode.Cc, unicode.Cf, unicode.Z)
}

// isBlank tells whether nothing of a code can be seen.
func isBlank(code string) bool {
	return code != "" && strings.IndexFunc(code, func(letter rune) bool { return letter != ' ' && !hidden(letter) }) < 0
}

// Sample is a code of the file under every preset, so that a person can tell which one the gate's readers print.
type Sample struct {
	Code    string         `json:"code"`
	Results []SampleResult `json:"results"`
}

// SampleResult is what a preset makes of a sample; no code when it can't.
type SampleResult struct {
	Preset Preset `json:"preset"`
	Code   string `json:"code,omitempty"`
}

// ShownCode is the code, or null.
func (r SampleResult) ShownCode() *string {
	if r.Code == "" {
		return nil
	}
	return &r.Code
}

func sampleOf(code string) Sample {
	sample := Sample{Code: code}
	for _, preset := range Presets() {
		result, _ := preset.apply(code)
		sample.Results = append(sample.Results, SampleResult{Preset: preset, Code: result})
	}
	return sample
}

// MarshalGQL writes the preset as REST spells it, which no GraphQL name can.
func (p Preset) MarshalGQL(w io.Writer) { _, _ = io.WriteString(w, strconv.Quote(string(p))) }

// UnmarshalGQL reads any string, and null as none; whether it is a preset is checked with its path by the operation.
func (p *Preset) UnmarshalGQL(v any) error {
	if v == nil {
		return nil
	}
	text, ok := v.(string)
	if !ok {
		return moment.MisfitError("must be a preset such as " + string(Reversed))
	}
	*p = Preset(text)
	return nil
}
