package ecmajson_test

import (
	"testing"

	"ticketgate/domain/ecmajson"
)

func TestSortMembers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"b":1,"a":{"d":[{"z":1,"y":2}],"c":null}}`: `{"a":{"c":null,"d":[{"y":2,"z":1}]},"b":1}`,
		`{"b":1,"10":2,"9":3}`:                       `{"9":3,"10":2,"b":1}`,
		`[{"b":[],"a":{}}]`:                          `[{"a":{},"b":[]}]`,
		`"text"`:                                     `"text"`,
	} {
		value, err := ecmajson.Parse([]byte(text), ecmajson.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		value.SortFields()
		if got := string(value.Print()); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
		again, err := ecmajson.Parse([]byte(want), ecmajson.Limits{})
		if err != nil || string(again.Print()) != want {
			t.Errorf("%s: %v", want, err)
		}
	}
}
