package graph_test

import (
	"strings"
	"testing"

	"ticketgate/domain"
)

func TestLiteralsKeepTheirValues(t *testing.T) {
	s := serve(t, domain.APIKeyActor)
	for literal, want := range map[string]string{
		`10.50`:                         `10.5`,
		`1e21`:                          `1e+21`,
		`9007199254740994`:              `9007199254740994`,
		`-0`:                            `0`,
		`"a\u00e9\ud83d\ude00"`:         `"aé😀"`,
		`"\u{1F600}\\ud800"`:            `"😀\\ud800"`,
		"\"\uFFFD\"":                    "\"\uFFFD\"",
		"\"\uFFFD \\u0041\"":            "\"\uFFFD A\"",
		`"""a \ud800 b"""`:              `"a \\ud800 b"`,
		`{n:[0.1,{m:"x"}]}`:             `{"n":[0.1,{"m":"x"}]}`,
		`[1.10, null, true, SOMETHING]`: `[1.1,null,true,"SOMETHING"]`,
	} {
		t.Run("takes "+literal, func(t *testing.T) {
			got := s.ask(t, `{echo(data:`+literal+`)}`)
			if got.status != 200 || !strings.HasPrefix(got.text, `{"data":{"echo":{"data":`+want+`}}`) {
				t.Errorf("answered %d %s, want %s", got.status, got.text, want)
			}
		})
	}
	for literal, message := range map[string]string{
		`9007199254740993`:              "number",
		`0.12345678901234567890`:        "number",
		`1e400`:                         "number",
		`1e-400`:                        "number",
		`100000000000000000000000`:      "exponent",
		`{deep:[{n:9007199254740993}]}`: "number",
		`"a\u0000"`:                     "NUL",
		`"a\u{0}"`:                      "NUL",
		`"\ud800"`:                      "surrogate",
		`"é😀\udc00x"`:                   "surrogate",
		`"\ud83d\ud83d\ude00"`:          "surrogate",
		`"\ud83d\u{de00}"`:              "Unexpected",
		`"\\\ud800"`:                    "surrogate",
		"\"\uFFFD \\ud800\"":            "surrogate",
		`{text:"\ud800"}`:               "surrogate",
	} {
		t.Run("refuses "+literal, func(t *testing.T) {
			got := s.ask(t, "{\n  echo(data: "+literal+")}")
			refused(t, got, 422, domain.CodeInvalidRequest)
			if !strings.Contains(got.text, message) || len(got.Errors) != 1 || got.Errors[0].Locations[0].Line != 2 {
				t.Errorf("want one message about %q on line 2: %s", message, got.text)
			}
		})
	}
	t.Run("refuses a bad default, directive argument and fragment, each once", func(t *testing.T) {
		got := s.ask(t, `query($d:JSON=1e400){a:echo(data:$d) ...f ...f} fragment f on Query{b:echo(data:"\u0000")}`)
		if got.status != 422 || len(got.Errors) != 2 {
			t.Errorf("answered %d %s", got.status, got.text)
		}
	})
}
