package plain

import (
	"bytes"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
)

func TestTextIsWrittenLikeGqlgen(t *testing.T) {
	t.Parallel()
	var all strings.Builder
	for c := range 256 {
		all.WriteByte(byte(c))
	}
	for _, text := range []string{"", "Zoë", all.String(), "\u2028\U0001f600", "ends in \\"} {
		var want bytes.Buffer
		graphql.MarshalString(text).MarshalGQL(&want)
		w := Writer{}
		w.String(text)
		if string(w.JSON) != want.String() {
			t.Errorf("%q is written as %s, want %s", text, w.JSON, &want)
		}
	}
}
