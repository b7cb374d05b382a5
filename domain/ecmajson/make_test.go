package ecmajson

import "testing"

func TestEqual(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		a, b string
		want bool
	}{
		{`{"a":1,"b":[true,null]}`, `{"b":[true,null],"a":1.0}`, true},
		{`{"a":1,"b":2,"c":3}`, `{"a":1,"c":3,"b":2}`, true},
		{`{"a":1,"b":2,"c":3}`, `{"a":1,"c":3,"b":3}`, false},
		{`{"a":1,"b":2}`, `{"a":1,"c":2}`, false},
		{`{"a":1}`, `{"a":1,"b":null}`, false},
		{`[1,2]`, `[2,1]`, false},
		{`[]`, `{}`, false},
		{`"1"`, `1`, false},
		{`-0`, `0`, true},
		{`null`, `false`, false},
	} {
		a, b := parsed(t, row.a), parsed(t, row.b)
		if a.Equal(b) != row.want || b.Equal(a) != row.want {
			t.Errorf("%s and %s: equal is not %v", row.a, row.b, row.want)
		}
	}
}

func TestBuiltValuesPrintLikeParsedOnes(t *testing.T) {
	t.Parallel()
	value := NewObject([]Field{
		{"b", NewArray([]Value{NewString("é\n")})},
		{"1", NewObject(nil)},
	})
	const want = `{"1":{},"b":["é\n"]}`
	if got := string(value.Append(nil)); got != want || value.Depth() != 2 || !value.Equal(parsed(t, want)) {
		t.Errorf("got %s of depth %d, want %s", got, value.Depth(), want)
	}
}

func TestNewStringReplacesInvalidCharacters(t *testing.T) {
	t.Parallel()
	if got := NewString("a\x00b\xff").Text(); got != "a\uFFFDb\uFFFD" {
		t.Errorf("got %q", got)
	}
}

func parsed(t *testing.T, text string) Value {
	t.Helper()
	value, err := Parse([]byte(text), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return value
}
