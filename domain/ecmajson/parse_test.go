package ecmajson

import (
	"errors"
	"strings"
	"testing"
)

// read parses a valid text.
func read(t *testing.T, text string) Value {
	t.Helper()
	value, err := Parse([]byte(text), Limits{})
	if err != nil {
		t.Fatalf("Parse(%.80q): %v", text, err)
	}
	return value
}

// problemsOf parses a JSON text that breaks rules.
func problemsOf(t *testing.T, text string, limits Limits) Problems {
	t.Helper()
	value, err := Parse([]byte(text), limits)
	var problems Problems
	if !errors.As(err, &problems) {
		t.Fatalf("Parse(%.80q) = %v, want Problems", text, err)
	}
	if value.Kind() != Null || value.Fields() != nil {
		t.Errorf("Parse(%.80q) returned a value with its problems", text)
	}
	return problems
}

func TestParseReadsEveryKind(t *testing.T) {
	value := read(t, ` {"n":null, "t":true, "f":false, "i":7, "s":"a\u00e9\ud83c\udfab\/", "list":[1,[]], "b":1, "a":{} } `)
	field := func(name string) Value {
		found, ok := value.Field(name)
		if !ok {
			t.Fatalf("no member %q", name)
		}
		return found
	}
	if field("n").Kind() != Null || !field("t").Bool() || field("f").Bool() || field("f").Kind() != Bool {
		t.Error("null, true or false is read wrongly")
	}
	if got := field("s").Text(); got != "aé🎫/" {
		t.Errorf("string = %q", got)
	}
	if got := field("i").Number(); got != "7" {
		t.Errorf("number = %q", got)
	}
	if list := field("list").Elements(); len(list) != 2 || list[0].Number() != "1" || list[1].Kind() != Array {
		t.Errorf("array = %v", list)
	}
	names := make([]string, 0, 8)
	for _, m := range value.Fields() {
		names = append(names, m.Name)
	}
	if got := strings.Join(names, " "); got != "n t f i s list b a" {
		t.Errorf("members in the order %q", got)
	}
	if _, ok := value.Field("N"); ok {
		t.Error("a name in another case is found")
	}
	if value.Text() != "" || value.Number() != "" || value.Bool() || field("i").Text() != "" || field("t").Text() != "" {
		t.Error("an accessor returns a value for another kind")
	}
}

func TestParseCopiesInput(t *testing.T) {
	data := []byte(`{"name":"before"}`)
	value, err := Parse(data, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	copy(data, strings.Repeat("x", len(data)))
	if got := string(value.Append(nil)); got != `{"name":"before"}` {
		t.Errorf("after the buffer was reused: %s", got)
	}
}

func TestParseRefusesInvalidJSON(t *testing.T) {
	const bare = "a string must not contain a line break, tab or other control character: write it as an escape, such as "
	tests := []struct {
		name, text, message string
		offset              int
	}{
		{"nothing", "", "the text ends where a value is expected", 0},
		{"only white space", " \t\r\n", "the text ends where a value is expected", 4},
		{"other white space", "\u00a01", `a value is expected here, not '\u00a0'`, 0},
		{"a byte order mark", "\ufeff{}", "JSON is sent without a byte order mark", 0},
		{"a comment", `{} // end`, "JSON has no comments", 3},
		{"a comment inside", `[1,/*2*/3]`, "JSON has no comments", 3},
		{"NaN", `[NaN]`, "NaN is not a JSON value: send null or omit the field", 1},
		{"-Infinity", `[-Infinity]`, "JSON has no infinity: send null or omit the field", 1},
		{"undefined", `{"a":undefined}`, "undefined is not a JSON value: send null or omit the field", 5},
		{"a word in capitals", `[True]`, "true, false and null are written in lower case", 1},
		{"a word cut short", `[tru]`, "a value is expected here, not 't'", 1},
		{"a word too long", `[nulls]`, "a comma or ] is expected here, not 's'", 5},
		{"a second document", `{} {}`, "the end of the text is expected here, not '{'", 3},
		{"a NUL behind the document", "{}\x00", `the end of the text is expected here, not '\x00'`, 2},
		{"a trailing comma in an array", `[1,]`, "a value is expected here, not ']'", 3},
		{"a trailing comma in an object", `{"a":1,}`, "a field name in double quotes is expected here, not '}'", 7},
		{"a comma alone", `[,]`, "a value is expected here, not ','", 1},
		{"a missing comma", `[1 2]`, "a comma or ] is expected here, not '2'", 3},
		{"a missing comma in an object", `{"a":1 "b":2}`, `a comma or } is expected here, not '"'`, 7},
		{"the wrong bracket", `{"a":1]`, "a comma or } is expected here, not ']'", 6},
		{"a missing colon", `{"a" 1}`, "a colon is expected here, not '1'", 5},
		{"a name without quotes", `{a:1}`, "a field name in double quotes is expected here, not 'a'", 1},
		{"a name in single quotes", `{'a':1}`, "JSON strings have double quotes", 1},
		{"an array cut short", `[1`, "the text ends where a comma or ] is expected", 2},
		{"an object cut short", `{"a":`, "the text ends where a value is expected", 5},
		{"an object without a name", `{`, "the text ends where a field name in double quotes is expected", 1},
		{"a string cut short", `"abc`, "the text ends inside a string", 4},
		{"a string cut behind an escape", `"ab\n`, "the text ends inside a string", 5},
		{"a string cut behind a backslash", `"ab\`, "the text ends inside a string", 4},
		{"a bare line break in a string", "\"a\nb\"", bare + `"\n"`, 2},
		{"a bare tab behind an escape", "\"\\n\t\"", bare + `"\t"`, 3},
		{"an unknown escape", `"a\x41"`, `a backslash must be followed by one of " \ / b f n r t u; write a backslash itself as \\`, 2},
		{"a short hexadecimal escape", `"\u12"`, `\u must be followed by four hexadecimal digits`, 1},
		{"a signed hexadecimal escape", `"\u+123"`, `\u must be followed by four hexadecimal digits`, 1},
		{"a hexadecimal escape with an underscore", `"\u1_23"`, `\u must be followed by four hexadecimal digits`, 1},
		{"a plus sign", `[+1]`, "a JSON number has no plus sign", 1},
		{"a leading point", `[.5]`, "a JSON number starts with a digit, as in 0.5", 1},
		{"a final point", `[1.]`, "a decimal point needs a digit after it", 3},
		{"a leading zero", `[012]`, "a number has no leading zeros", 1},
		{"a leading zero after a sign", `[-00]`, "a number has no leading zeros", 2},
		{"a minus alone", `[-]`, "a number needs a digit here", 2},
		{"an exponent without digits", `[1e+]`, "an exponent needs a digit", 4},
		{"a hexadecimal number", `[0x10]`, "a comma or ] is expected here, not 'x'", 2},
		{"digits of another script", `[٣]`, "a value is expected here, not '٣'", 1},
		{"an invalid UTF-8 byte outside strings", "[\xff]", "a value is expected here, not '�'", 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			value, err := Parse([]byte(test.text), Limits{})
			var syntax *SyntaxError
			if !errors.As(err, &syntax) {
				t.Fatalf("Parse(%q) = %v, %v, want a *SyntaxError", test.text, value, err)
			}
			if syntax.Message != test.message || syntax.Offset != test.offset {
				t.Errorf("Parse(%q) = %d: %s\nwant %d: %s", test.text, syntax.Offset, syntax.Message, test.offset, test.message)
			}
		})
	}
}

func TestSyntaxErrorCountsLinesAndCharacters(t *testing.T) {
	_, err := Parse([]byte("{\n  \"é\": 1,\n  \"é🎫\" 2}"), Limits{})
	if err == nil || err.Error() != "line 3, column 8: a colon is expected here, not '2'" {
		t.Errorf("got %v", err)
	}
}

func TestParseReportsPathOfEveryProblem(t *testing.T) {
	const (
		repeated  = " appears more than once in the same object"
		nul       = " must not contain the NUL character"
		encoding  = " must be valid UTF-8"
		surrogate = ` must not contain half of a surrogate pair: write the character itself or both \u escapes`
		changed   = " would be changed to 9007199254740992 by readers of JSON: send that, or a string where one is allowed"
	)
	tests := []struct{ name, text, problems string }{
		{"a number in an element", `{"events":[{},{},{"eventId":9007199254740993}]}`, "events[2].eventId" + changed},
		{"a number at the root", `9007199254740993`, strings.TrimSpace(changed)},
		{"a repeated member", `{"http":{"url":1,"url":2}}`, "http.url" + repeated},
		{"a member repeated twice, once", `{"a":1,"a":2,"a":3}`, "a" + repeated},
		{"a member repeated through an escape", `{"a":1,"\u0061":2}`, "a" + repeated},
		{"not a name in another object", `{"a":{"a":"\u0000"}}`, "a.a" + nul},
		{"a NUL written as an escape", `{"name":"a\u0000b"}`, "name" + nul},
		{"a bare NUL", "{\"name\":\"a\x00b\"}", "name" + nul},
		{"a bare NUL behind an escape", "[\"\\n\x00\"]", "[0]" + nul},
		{"a NUL in a member name", `{"m":{"\u0000":1}}`, `m["\u0000"]` + nul},
		{"an invalid UTF-8 byte", "{\"name\":\"ab\xff\"}", "name" + encoding},
		{"an encoded surrogate", "[\"\xed\xa0\x80\"]", "[0]" + encoding},
		{"an overlong encoding", "[\"\xc0\xaf\\n\"]", "[0]" + encoding},
		{"broken UTF-8 in a member name", "{\"a\xff\":1}", "[\"a\uFFFD\"]" + encoding},
		{"a lone high surrogate", `["\ud800"]`, "[0]" + surrogate},
		{"a lone low surrogate", `["\udc00x"]`, "[0]" + surrogate},
		{"a pair the wrong way round", `["\udfab\ud83c"]`, "[0]" + surrogate},
		{"a high surrogate before another escape", `["\ud83c\u0041"]`, "[0]" + surrogate},
		{"a name with a space", `{"meta":{"a b":"\u0000"}}`, `meta["a b"]` + nul},
		{"names of other kinds", `{"é":{"1":{"":{"a-b":{"c1":"\u0000"}}}}}`, `é["1"][""]["a-b"].c1` + nul},
		{
			"all that is wrong", "{\"a\":[1e400,\"\xff\\u0000\"],\"b\":1e-400,\"b\":0}",
			"a[0] is too large for a number: the largest is 1.7976931348623157e+308; a[1]" + nul + "; a[1]" + encoding +
				"; b is too close to zero for a number: the smallest is 5e-324; b" + repeated,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := problemsOf(t, test.text, Limits{}).Error(); got != test.problems {
				t.Errorf("Parse(%q):\n got %s\nwant %s", test.text, got, test.problems)
			}
		})
	}
}

func TestParseFindsRepeatedNamesInObjectsOfAnySize(t *testing.T) {
	for _, size := range []int{2, 16, 17, 5000} {
		text := manyMembers(size)
		read(t, text)
		text = strings.TrimSuffix(text, "}") + `,"n0":1}`
		if got := problemsOf(t, text, Limits{}).Error(); got != "n0 appears more than once in the same object" {
			t.Errorf("%d members: %s", size, got)
		}
	}
}

func TestParseBoundsItsErrors(t *testing.T) {
	text := `{"` + strings.Repeat("é", 5000) + `":[` + strings.Repeat("1e999,", 5000) + `0]}`
	problems := problemsOf(t, text, Limits{})
	if len(problems) != 100 {
		t.Errorf("%d problems", len(problems))
	}
	if got, want := problems[99].Path, `["`+strings.Repeat("é", 32)+`…"][99]`; got != want {
		t.Errorf("path %q, want %q", got, want)
	}
}

func TestParseLimitsDepth(t *testing.T) {
	nested := func(levels int) string { return strings.Repeat("[", levels) + strings.Repeat("]", levels) }
	if got := read(t, nested(32)).Depth(); got != 32 {
		t.Errorf("depth %d, want 32", got)
	}
	for _, levels := range []int{33, 10_001} {
		got := problemsOf(t, nested(levels), Limits{})
		if want := strings.Repeat("[0]", 32) + " is nested too deeply: at most 32 levels are allowed"; got.Error() != want {
			t.Errorf("%d levels: %v", levels, got)
		}
	}
	got := problemsOf(t, `{"bad":"\u0000","a":{"b":[{}]}}`, Limits{MaxDepth: 3}).Error()
	want := "bad must not contain the NUL character; a.b[0] is nested too deeply: at most 3 levels are allowed"
	if got != want {
		t.Errorf("got %s", got)
	}
	if _, err := Parse([]byte(`{"a":{"b":[1]},"c":[[]]}`), Limits{MaxDepth: 3}); err != nil {
		t.Errorf("sibling arrays of three levels: %v", err)
	}
}

func TestDepthCountsArraysAndObjects(t *testing.T) {
	for text, depth := range map[string]int{`1`: 0, `""`: 0, `{}`: 1, `[]`: 1, `[1]`: 1, `{"a":1,"b":{"c":[]},"d":{}}`: 3} {
		if got := read(t, text).Depth(); got != depth {
			t.Errorf("Depth(%s) = %d, want %d", text, got, depth)
		}
	}
}

func TestKindNamesItself(t *testing.T) {
	for text, name := range map[string]string{
		`null`: "null", `true`: "boolean", `1`: "number", `""`: "string", `[]`: "array", `{}`: "object",
	} {
		if got := read(t, text).Kind().String(); got != name {
			t.Errorf("Kind of %s = %s", text, got)
		}
	}
}
