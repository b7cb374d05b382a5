package graph_test

import (
	"strings"
	"testing"

	"ticketgate/domain"
)

func TestLiteralsAreExact(t *testing.T) {
	s := serve(t, domain.APIKeyActor)
	for literal, want := range map[string]string{
		`10.50`:                         `10.5`,
		`1e21`:                          `1e+21`,
		`9007199254740994`:              `9007199254740994`,
		`100000000000000000000`:         `100000000000000000000`,
		`[1000000000000000000000]`:      `[1e+21]`,
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
				t.Errorf("status %d: %s, want %s", got.status, got.text, want)
			}
		})
	}
	for literal, want := range map[string]string{
		`9007199254740993`:              "data would be changed to 9007199254740992",
		`0.12345678901234567890`:        "data has more digits than a number can hold",
		`1e400`:                         "data is too large for a number",
		`1e-400`:                        "data is too close to zero",
		`100000000000000000000001`:      "data has more digits than a number can hold",
		`{deep:[{n:9007199254740993}]}`: "data.deep[0].n would be changed",
		`"a\u0000"`:                     "data must not contain the NUL",
		`"a\u{0}"`:                      "data must not contain the NUL",
		`"\ud800"`:                      "data must not contain half of a surrogate pair",
		`"é😀\udc00x"`:                   "surrogate",
		`"\ud83d\ud83d\ude00"`:          "surrogate",
		`"\ud83d\u{de00}"`:              "Unexpected",
		`"\\\ud800"`:                    "surrogate",
		"\"\uFFFD \\ud800\"":            "surrogate",
		`{text:"\ud800"}`:               "data.text must not contain half of a surrogate pair",
	} {
		t.Run("refuses "+literal, func(t *testing.T) {
			got := s.ask(t, "{\n  echo(data: "+literal+")}")
			refused(t, got, 422, domain.CodeInvalidRequest)
			if !strings.Contains(got.text, want) || len(got.Errors) != 1 || got.Errors[0].Locations[0].Line != 2 {
				t.Errorf("want one message with %q on line 2: %s", want, got.text)
			}
		})
	}
	t.Run("refuses a bad default, directive argument and fragment, each once", func(t *testing.T) {
		got := s.ask(t, `query($d:JSON=1e400){a:echo(data:$d) ...f ...f} fragment f on Query{b:echo(data:"\u0000")}`)
		if got.status != 422 || len(got.Errors) != 2 || !strings.Contains(got.text, `"path":"variables.d"`) {
			t.Errorf("status %d: %s", got.status, got.text)
		}
	})
}
