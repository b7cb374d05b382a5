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

// Preset is a conversion from the codes of a file to the codes of the list. Readers print a card's UID in different
// ways: c43f3632 by one reader is 8804000032363FC4 by another.
type Preset string

// The presets. Reversed reverses the bytes. PaddedReversed also prepends the four bytes with which some readers pad a
// UID of four bytes.
const (
	AsRead         Preset = "as-read"
	Reversed       Preset = "reversed"
	Upper          Preset = "upper"
	PaddedReversed Preset = "88040000+reversed"
)

// padding is the prefix of PaddedReversed.
const padding = "88040000"

// Presets returns all presets.
func Presets() []Preset { return []Preset{AsRead, Reversed, Upper, PaddedReversed} }

// orDefault returns AsRead for an empty preset. It also accepts a plus sign that arrived as a space, unencoded in a
// query string.
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

// apply converts a code of the file, or returns why it can't.
func (p Preset) apply(code string) (result, fault string) {
	switch p {
	case Upper:
		return strings.ToUpper(code), ""
	case Reversed:
		uid := plainUID(code)
		if uid == "" {
			return "", "is not a card UID, which has an even number of hexadecimal digits"
		}
		return reversed(uid), ""
	case PaddedReversed:
		uid := plainUID(code)
		if len(uid) != 8 {
			return "", "is not a card UID of four bytes, which has eight hexadecimal digits"
		}
		return padding + strings.ToUpper(reversed(uid)), ""
	case AsRead:
	}
	return code, ""
}

var uidPattern = regexp.MustCompile(`^(?:[0-9A-Fa-f]{2}[ :-]?)+$`)

// plainUID returns a UID without separators between its bytes, or "" if the code is not a UID.
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

// suspicion describes a likely mistake in a valid code, or returns "".
func suspicion(code string) string {
	uid := plainUID(code)
	switch {
	case len(uid) == 8 && strings.HasPrefix(uid, "08"):
		return "is a random UID that changes on every read"
	case shortened.MatchString(code):
		return "looks like a number that a spreadsheet has shortened"
	case strings.TrimSpace(code) != code:
		return "has leading or trailing blanks"
	}
	if at := strings.IndexFunc(code, hidden); at >= 0 {
		letter, _ := utf8.DecodeRuneInString(code[at:])
		return fmt.Sprintf("has an invisible character, %U", letter)
	}
	return ""
}

// hidden reports whether a character is invisible on a card or screen, such as a byte order mark or a no-break space.
// No reader sends such characters.
func hidden(letter rune) bool {
	return letter != ' ' && unicode.In(letter, unicode.Cc, unicode.Cf, unicode.Z)
}

// isBlank reports whether a code is not empty but has no visible character.
func isBlank(code string) bool {
	return code != "" && strings.IndexFunc(code, func(letter rune) bool { return letter != ' ' && !hidden(letter) }) < 0
}

// Sample is a code of the file converted by every preset, so that a user can find the one that matches the readers at
// the gate.
type Sample struct {
	Code    string         `json:"code"`
	Results []SampleResult `json:"results"`
}

// SampleResult is a sample converted by a preset. It has no code if the preset does not apply.
type SampleResult struct {
	Preset Preset `json:"preset"`
	Code   string `json:"code,omitempty"`
}

// ShownCode returns the code, or nil.
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

// MarshalGQL writes the preset as REST does. Its characters are not allowed in GraphQL names.
func (p Preset) MarshalGQL(w io.Writer) { _, _ = io.WriteString(w, strconv.Quote(string(p))) }

// UnmarshalGQL reads any string. Null leaves it unchanged. The operation validates it, so that the error has its path.
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
