package ecmajson

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestCanonicalPrintsAsECMAScript(t *testing.T) {
	tests := []struct{ name, text, printed string }{
		{"leaves out white space", " [ 1 ,\n{ \"a\" : [ ] } ]\t", `[1,{"a":[]}]`},
		{"keeps the order of names", `{"b":1,"a":2,"B":3}`, `{"b":1,"a":2,"B":3}`},
		{"puts indices first, ascending", `{"b":1,"10":2,"9":3,"a":4,"0":5}`, `{"0":5,"9":3,"10":2,"b":1,"a":4}`},
		{
			"knows which names are indices",
			`{"01":1,"1.0":2,"-1":3,"1e1":4,"4294967295":5,"+2":6,"":7,"4294967294":8,"7":9}`,
			`{"7":9,"4294967294":8,"01":1,"1.0":2,"-1":3,"1e1":4,"4294967295":5,"+2":6,"":7}`,
		},
		{"orders objects inside", `[{"x":{"2":0,"1":{"b":0,"0":1}}}]`, `[{"x":{"1":{"0":1,"b":0},"2":0}}]`},
		{"prints numbers in their shortest form", `[10.50,1.0,1E3,-0,1e21,1e-7]`, `[10.5,1,1000,0,1e+21,1e-7]`},
		{"escapes only what must be", `["\/\u0026<>\u2028\u2029\u007f\u00e9\ud83c\udfab"]`, "[\"/&<>\u2028\u2029\u007fé🎫\"]"},
		{"escapes what must be", `["\"\\\b\f\n\r\t\u0001\u001F"]`, `["\"\\\b\f\n\r\t\u0001\u001f"]`},
		{"escapes names too", `{"a\u000a\"":1}`, `{"a\n\"":1}`},
		{"treats __proto__ as any name", `{"__proto__":{"a":1},"constructor":null}`, `{"__proto__":{"a":1},"constructor":null}`},
		{"prints scalars", `[null,true,false,"",{}]`, `[null,true,false,"",{}]`},
		{"keeps what only looks odd", "[\"\uFFFE\u202E\uFEFFe\u0301\"]", "[\"\uFFFE\u202E\uFEFFe\u0301\"]"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := Canonical([]byte(test.text))
			if err != nil || string(got) != test.printed {
				t.Errorf("Canonical(%s)\n got %s, %v\nwant %s", test.text, got, err, test.printed)
			}
		})
	}
}

func TestCanonicalRefusesWhatParseRefuses(t *testing.T) {
	got, err := Canonical([]byte(`{"a":1,"a":1}`))
	if got != nil || err == nil || err.Error() != "a appears more than once in the same object" {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestFieldsKeepWrittenOrder(t *testing.T) {
	fields := read(t, `{"b":1,"2":2,"1":3}`).Fields()
	if names := []string{fields[0].Name, fields[1].Name, fields[2].Name}; !slices.Equal(names, []string{"b", "2", "1"}) {
		t.Errorf("members in the order %q", names)
	}
}

func TestAppendSortsManyIndices(t *testing.T) {
	const size = 50_000
	text := strings.Builder{}
	text.WriteString(`{"last":0`)
	for i := range size {
		fmt.Fprintf(&text, `,"%d":%d`, size-1-i, i)
	}
	printed := string(read(t, text.String()+"}").Append(nil))
	if !strings.HasPrefix(printed, `{"0":49999,"1":49998,"2":`) || !strings.HasSuffix(printed, `,"49999":0,"last":0}`) {
		t.Errorf("printed %.40s … %s", printed, printed[len(printed)-40:])
	}
}

func TestAppendKeepsEarlierBytes(t *testing.T) {
	if got := string(read(t, `{"a":[1]}`).Append([]byte(`"data":`))); got != `"data":{"a":[1]}` {
		t.Errorf("got %s", got)
	}
	if got := string(AppendString([]byte("x"), `a"b`)); got != `x"a\"b"` {
		t.Errorf("got %s", got)
	}
}

// manyMembers returns an object with the members n0, n1, ….
func manyMembers(size int) string {
	fields := make([]string, size)
	for i := range fields {
		fields[i] = fmt.Sprintf(`"n%d":%d`, i, i)
	}
	return "{" + strings.Join(fields, ",") + "}"
}
