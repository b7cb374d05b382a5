package webhook

import (
	"bytes"
	"strings"
	"testing"

	"ticketgate/domain/ecmajson"
)

func TestObjectID(t *testing.T) {
	for _, c := range []struct{ name, data, want string }{
		{"the first field", `{"ticket":{"_id":"t1","name":"x"}}`, "t1"},
		{"a later field", `{"ticket":{"a":{"_id":"inner"},"b":["_id",{"_id":"inner"}],"_id":"t1"}}`, "t1"},
		{"after a string that looks like an _id", `{"ticket":{"a":"\"_id\":\"no\"","b":"}}{\\","_id":"t1"}}`, "t1"},
		{"the transaction's _id, not a ticket's", `{"transaction":{"_id":"tx"},"tickets":[{"_id":"t1"}]}`, "tx"},
		{"no _id", `{"transaction":{"tid":"T-1"},"tickets":[{"_id":"t1"}]}`, ""},
		{"an empty resource", `{"scan":{}}`, ""},
		{"an _id outside the resource", `{"_id":"no"}`, ""},
		{"a number", `{"scan":{"_id":7}}`, ""},
		{"escapes", `{"scan":{"_id":"a\"b\\c\td\u001f"}}`, "a\"b\\c\td\x1f"},
		{"an escape at the end", `{"scan":{"_id":"a\\","name":"x"}}`, `a\`},
		{"the maximum length, in escapes", `{"scan":{"_id":"` + strings.Repeat(`\"`, 100) + `"}}`, strings.Repeat(`"`, 100)},
		{"the maximum length, beyond ASCII", `{"scan":{"_id":"` + strings.Repeat("é", 100) + `"}}`, strings.Repeat("é", 100)},
		{"too long, in escapes", `{"scan":{"_id":"` + strings.Repeat(`\"`, 101) + `"}}`, ""},
		{"NUL", `{"scan":{"_id":"a\u0000b"}}`, ""},
		{"the maximum length", `{"scan":{"_id":"` + strings.Repeat("x", 100) + `"}}`, strings.Repeat("x", 100)},
		{"too long", `{"scan":{"_id":"` + strings.Repeat("x", 101) + `"}}`, ""},
		{"an empty id", `{"scan":{"_id":""}}`, ""},
		{"no data", ``, ""},
		{"truncated", `{"scan":{"_id":"abc`, "abc"},
		{"truncated in another field", `{"scan":{"x":"\`, ""},
		{"truncated in an escape", `{"scan":{"_id":"abc\`, ""},
	} {
		if got := ObjectID([]byte(c.data)); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
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
