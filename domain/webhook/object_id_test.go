package webhook

import (
	"bytes"
	"strings"
	"testing"

	"ticketgate/domain/ecmajson"
)

func TestObjectID(t *testing.T) {
	for _, c := range []struct{ name, data, want string }{
		{"the resource's first member", `{"ticket":{"_id":"t1","name":"x"}}`, "t1"},
		{"a later member", `{"ticket":{"a":{"_id":"inner"},"b":["_id",{"_id":"inner"}],"_id":"t1"}}`, "t1"},
		{"behind a text that looks like one", `{"ticket":{"a":"\"_id\":\"no\"","b":"}}{\\","_id":"t1"}}`, "t1"},
		{"the transaction's, not its tickets'", `{"transaction":{"_id":"tx"},"tickets":[{"_id":"t1"}]}`, "tx"},
		{"none at all", `{"transaction":{"tid":"T-1"},"tickets":[{"_id":"t1"}]}`, ""},
		{"none in an empty resource", `{"scan":{}}`, ""},
		{"none in the envelope", `{"_id":"no"}`, ""},
		{"a number is none", `{"scan":{"_id":7}}`, ""},
		{"one with escapes", `{"scan":{"_id":"a\"b\\c\td\u001f"}}`, "a\"b\\c\td\x1f"},
		{"an escape at its end", `{"scan":{"_id":"a\\","name":"x"}}`, `a\`},
		{"as long as may be, in escapes", `{"scan":{"_id":"` + strings.Repeat(`\"`, 100) + `"}}`, strings.Repeat(`"`, 100)},
		{"as long as may be, beyond ASCII", `{"scan":{"_id":"` + strings.Repeat("é", 100) + `"}}`, strings.Repeat("é", 100)},
		{"too long, in escapes", `{"scan":{"_id":"` + strings.Repeat(`\"`, 101) + `"}}`, ""},
		{"NUL is none", `{"scan":{"_id":"a\u0000b"}}`, ""},
		{"as long as may be", `{"scan":{"_id":"` + strings.Repeat("x", 100) + `"}}`, strings.Repeat("x", 100)},
		{"too long", `{"scan":{"_id":"` + strings.Repeat("x", 101) + `"}}`, ""},
		{"an id that is empty", `{"scan":{"_id":""}}`, ""},
		{"nothing", ``, ""},
		{"broken off", `{"scan":{"_id":"abc`, "abc"},
		{"broken off in an escape", `{"scan":{"x":"\`, ""},
		{"broken off in an escape of its own", `{"scan":{"_id":"abc\`, ""},
	} {
		if got := ObjectID([]byte(c.data)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func FuzzObjectID(f *testing.F) {
	f.Add([]byte(`{"ticket":{"a":{"_id":"inner"},"_id":"t1"}}`))
	f.Add([]byte(`{"a":{"_id":"\\`))
	f.Add([]byte(`{"a":{"_id":"a\"\\"}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		id := ObjectID(data)
		canonical, err := ecmajson.Canonical(data)
		if id == "" || err != nil || !bytes.Equal(canonical, data) {
			return
		}
		if written := ecmajson.AppendString([]byte(`"_id":`), id); !bytes.Contains(data, written) {
			t.Errorf("%q is not in %q", id, data)
		}
	})
}
