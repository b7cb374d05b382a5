package ecmajson

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzParse checks the promises of the package for every accepted text, with encoding/json as an independent reader.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"b":[1,2.50,-0,1e21],"10":"\u0041\ud83c\udfab","9":null,"__proto__":{}}`,
		`[true,false,"\"\\\/\b\f\n\r\t\u2028",{"a":{"a":{}}}]`, `{"a":1,"a":2}`, "[\"\xff\"]",
		`"\ud800"`, `[1,]`, ` 0 `, `[9007199254740993]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		value, err := Parse(data, Limits{})
		if err != nil {
			if err.Error() == "" {
				t.Fatalf("refused %q without a reason", data)
			}
			return
		}
		printed := value.Append(nil)
		again, err := Canonical(printed)
		if err != nil || !bytes.Equal(again, printed) {
			t.Fatalf("%q prints %q, and that %q, %v", data, printed, again, err)
		}
		if difference := cmp.Diff(decode(t, data), decode(t, printed)); difference != "" {
			t.Fatalf("%q prints %q; difference (-before +after):\n%s", data, printed, difference)
		}
		fromGo, err := FromGo(json.RawMessage(data))
		if err != nil || !bytes.Equal(fromGo.Append(nil), printed) {
			t.Fatalf("FromGo(%q) = %q, %v, want %q", data, fromGo.Append(nil), err, printed)
		}
	})
}

func decode(t *testing.T, data []byte) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatalf("%q is not JSON: %v", data, err)
	}
	return v
}
