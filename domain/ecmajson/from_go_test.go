package ecmajson

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
)

func TestFromGoPrintsDecodedValues(t *testing.T) {
	value, err := FromGo(map[string]any{
		"b": nil, "a": true, "s": "é\n", "10": json.Number("10.50"), "9": 1e21,
		"list": []any{-7, uint64(1 << 53), int8(-1), false, map[string]any{}, []any{}},
		"raw":  json.RawMessage(` {"z":1.0,"1":"\u0041"} `), "empty": json.RawMessage(nil), "zero": math.Copysign(0, -1),
	})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"9":1e+21,"10":10.5,"a":true,"b":null,"empty":null,"list":[-7,9007199254740992,-1,false,{},[]],` +
		`"raw":{"1":"A","z":1},"s":"é\n","zero":0}`
	if got := string(value.Append(nil)); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	if got := value.Depth(); got != 3 {
		t.Errorf("depth %d", got)
	}
}

func TestFromGoReportsPathOfEveryProblem(t *testing.T) {
	tests := []struct {
		name     string
		value    any
		problems string
	}{
		{
			"a number that would change",
			map[string]any{"a": []any{json.Number("9007199254740993")}},
			"a[0] would be changed to 9007199254740992 by readers of JSON: send that, or a string where one is allowed",
		},
		{"an integer that would change", int64(math.MaxInt64), "has more digits than a number can hold (at most 17): send fewer, or a string where one is allowed"},
		{"a text that is not a number", []any{json.Number("0x1")}, "[0] is not a JSON number: nothing may follow its digits"},
		{"NaN", []any{math.NaN()}, "[0] is not a finite number"},
		{"an infinity", math.Inf(-1), "is not a finite number"},
		{"a NUL", map[string]any{"a b": "\x00"}, `["a b"] must not contain the NUL character`},
		{"broken UTF-8", []any{"\xff"}, "[0] must be valid UTF-8"},
		{"a NUL in a name", map[string]any{"\x00": 1}, `["\u0000"] must not contain the NUL character`},
		{"an unknown type", []any{struct{}{}}, "[0] has the type struct {}, which has no JSON form"},
		{
			"broken text, and what follows it",
			[]any{json.RawMessage(`{"a":[{"b":tru}]}`), "\x00"},
			"[0] is not JSON at byte 11: a value is expected here, not 't'; [1] must not contain the NUL character",
		},
		{
			"problems inside a text",
			map[string]any{"m": json.RawMessage(`{"x":[1e400],"y":1,"y":2}`)},
			"m.x[0] is too large for a number: the largest is 1.7976931348623157e+308; m.y appears more than once in the same object",
		},
		{
			"nesting that goes on in a text", nest(30, json.RawMessage(`[[[]]]`)),
			strings.Repeat("[0]", 32) + " is nested too deeply: at most 32 levels are allowed",
		},
		{
			"nesting in maps", nest(32, map[string]any{}),
			strings.Repeat("[0]", 32) + " is nested too deeply: at most 32 levels are allowed",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := FromGo(test.value)
			var problems Problems
			if !errors.As(err, &problems) || problems.Error() != test.problems {
				t.Errorf("got %v\nwant %s", err, test.problems)
			}
		})
	}
}

func TestFromGoAllowsTheSameDepthAsParse(t *testing.T) {
	value, err := FromGo(nest(31, json.RawMessage(`[]`)))
	if err != nil || value.Depth() != 32 {
		t.Errorf("depth %d, %v", value.Depth(), err)
	}
}

// nest wraps v in arrays.
func nest(levels int, v any) any {
	for range levels {
		v = []any{v}
	}
	return v
}
