package ecmajson_test

import (
	"errors"
	"strings"
	"testing"

	"ticketgate/domain/ecmajson"
)

func TestElementsAreJudgedOneByOne(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 40) + `"]}"` + strings.Repeat("]", 40)
	rows := []struct{ text, value, problems string }{
		{`{"a":1}`, `{"a":1}`, ""},
		{`{"a":"\u0000"}`, "", "a must not contain the NUL character"},
		{`{"a":{"b":["\ud800"]}}`, "", "a.b[0] must not contain half of a surrogate pair"},
		{`{"a":1e400}`, "", "a is too large for a number"},
		{`{"a":"` + "\xff" + `"}`, "", "a must be valid UTF-8"},
		{`{"a":1,"a":2}`, "", "a appears more than once in the same object"},
		{`{"a":` + deep + `}`, "null", "is nested too deeply: at most 31 levels"},
		{`"\u0000"`, "", "must not contain the NUL character"},
		{`[[2]]`, `[[2]]`, ""},
		{`null`, `null`, ""},
	}
	texts := make([]string, len(rows))
	for i, row := range rows {
		texts[i] = row.text
	}
	got, err := ecmajson.ParseElements([]byte(" [ "+strings.Join(texts, " , ")+" ] "), ecmajson.Limits{})
	if err != nil || len(got) != len(rows) {
		t.Fatalf("%d elements, %v", len(got), err)
	}
	for i, row := range rows {
		if problems := got[i].Problems.Error(); !strings.Contains(problems, row.problems) || (problems == "") != (row.problems == "") {
			t.Errorf("%s: %q, want %q", row.text, problems, row.problems)
		}
		if value := string(got[i].Value.Append(nil)); row.value != "" && value != row.value {
			t.Errorf("%s is read as %s", row.text, value)
		}
	}
}

func TestElementsOfOtherValuesThanArrays(t *testing.T) {
	t.Parallel()
	if got, err := ecmajson.ParseElements([]byte(" [] "), ecmajson.Limits{}); err != nil || len(got) != 0 {
		t.Errorf("%v, %v", got, err)
	}
	for _, text := range []string{`{}`, `1`, `"[]"`} {
		if _, err := ecmajson.ParseElements([]byte(text), ecmajson.Limits{}); !errors.Is(err, ecmajson.ErrNoArray) {
			t.Errorf("%s: %v", text, err)
		}
	}
	deep := strings.Repeat("[", 40)
	for _, text := range []string{"", "[", "[1", "[1,]", "[1}", "[1] 2", "{", `[{"a":1]`, "[" + deep, "[" + deep + `"`, `["a` + "\n" + `"]`} {
		if _, ok := errors.AsType[*ecmajson.SyntaxError](second(ecmajson.ParseElements([]byte(text), ecmajson.Limits{}))); !ok {
			t.Errorf("%q is accepted", text)
		}
	}
	for limit, want := range map[int]error{4: nil, 3: ecmajson.ErrTooManyValues} {
		if _, err := ecmajson.ParseElements([]byte("[1,2,3]"), ecmajson.Limits{MaxValues: limit}); !errors.Is(err, want) {
			t.Errorf("with %d values: %v", limit, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }
