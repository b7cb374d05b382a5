package texts_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"ticketgate/domain/texts"
)

func TestNearest(t *testing.T) {
	known := []string{"name", "url", "enabled", "events", "hmacKey"}
	for name, want := range map[string]string{
		"Name": "name", "hmackey": "hmacKey", "enable": "enabled", "event": "events", "colour": "", "x": "",
	} {
		if got, _ := texts.Nearest(name, known); got != want {
			t.Errorf("%q is nearest to %q, want %q", name, got, want)
		}
	}
}

func TestFold(t *testing.T) {
	for _, pair := range [][2]string{{"ÉTÉ", "été"}, {"STRASSE", "straße"}, {"ΣΊΣΥΦΟΣ", "σίσυφος"}} {
		if texts.Fold(pair[0]) != texts.Fold(pair[1]) {
			t.Errorf("%s and %s differ", pair[0], pair[1])
		}
	}
	if texts.Fold("İ") == texts.Fold("I") {
		t.Error("İ and I are equal")
	}
	// However an accented letter was typed (TEXT-1).
	for _, name := range []string{"Zoe\u0308", "ZOE\u0308", "ZOË"} {
		if texts.Fold(name) != texts.Fold("Zoë") || texts.FoldEmail(name) != texts.FoldEmail("zoë") {
			t.Errorf("%+q does not equal Zoë", name)
		}
	}
	// Email addresses that differ in case only are equal, but ß does not equal ss.
	for _, pair := range [][2]string{{"Ann@EXAMPLE.org", "ann@example.org"}, {"ÉLISE@x.org", "élise@x.org"}, {"STRAẞE@x.org", "straße@x.org"}, {"Σ", "ς"}} {
		if texts.FoldEmail(pair[0]) != texts.FoldEmail(pair[1]) {
			t.Errorf("%q and %q differ", pair[0], pair[1])
		}
	}
	for _, pair := range [][2]string{{"ß@x.org", "SS@x.org"}, {"İ@x.org", "i@x.org"}, {"ı@x.org", "I@x.org"}, {"ﬁ@x.org", "fi@x.org"}} {
		if texts.FoldEmail(pair[0]) == texts.FoldEmail(pair[1]) {
			t.Errorf("%q and %q are equal", pair[0], pair[1])
		}
	}
	if got := texts.FoldEmail("Ann.O@Example.ORG"); got != "ann.o@example.org" {
		t.Errorf("folded to %s", got)
	}
}

func TestPrintable(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"plain é 👩\u200d👧":      "plain é 👩\u200d👧",
		"\x1b[31mred\x1b[0m":    `\u001b[31mred\u001b[0m`,
		"a\nb\tc\x7f\u009b":     `a\u000ab\u0009c\u007f\u009b`,
		"\u202e\u2066\u2028":    `\u202e\u2066\u2028`,
		"\xff\xfe":              `\xff\xfe`,
		"\U000e0001":            `\udb40\udc01`,
		"a\u00a0b":              `a\u00a0b`,
		strings.Repeat("x", 40): strings.Repeat("x", 40),
	} {
		if got := texts.Printable(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestPrintableJSONKeepsValue(t *testing.T) {
	t.Parallel()
	before := map[string]string{"na\u009bme": "\x1b]0;\u202e\u2028\U000e0001é\x7f\n"}
	text, err := json.MarshalIndent(before, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	shown := texts.PrintableJSON(text)
	var after map[string]string
	if err := json.Unmarshal(shown, &after); err != nil || after["na\u009bme"] != before["na\u009bme"] {
		t.Errorf("got %q, %v", shown, err)
	}
	if bytes.ContainsAny(shown, "\u009b\u202e\x7f\U000e0001") {
		t.Errorf("got %q", shown)
	}
}
