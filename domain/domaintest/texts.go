package domaintest

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"

	"ticketgate/domain"
	"ticketgate/domain/decode"
	"ticketgate/domain/document"
	"ticketgate/domain/ecmajson"
)

// Texts parses valid documents.
func Texts(documents []string) []ecmajson.Value {
	values := make([]ecmajson.Value, len(documents))
	for i, text := range documents {
		values[i] = JSON(text)
	}
	return values
}

// Merged returns a document with more fields, such as `"email":"a@b"`. They replace fields of the same name.
func Merged(document string, more ...string) string {
	fields := map[string]json.RawMessage{}
	for _, text := range []string{document, "{" + strings.Join(more, ",") + "}"} {
		if err := json.Unmarshal([]byte(text), &fields); err != nil {
			panic(err)
		}
	}
	text, err := json.Marshal(fields)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// FindsBreaks fails the test unless the definition accepts its valid document and finds exactly the fault of each
// broken one. It expects at least the given number of faults.
func FindsBreaks(t testing.TB, definition *document.Definition, least int) {
	t.Helper()
	check := func(whole ecmajson.Value) error {
		var faults domain.FieldErrors
		decode.Document(&faults, "", definition, whole, decode.Sent)
		return faults.Err()
	}
	if err := check(Document(definition)); err != nil {
		t.Fatal(err)
	}
	breaks := Breaks(definition)
	if len(breaks) < least {
		t.Fatalf("the definition yields only %d faults", len(breaks))
	}
	for _, b := range breaks {
		fields := domain.AsError(check(b.Document)).Fields
		if len(fields) != 1 || fields[0].Path != b.Path {
			t.Errorf("%s at %s: got %.300v", b.Fault, b.Path, fields)
		}
	}
}

// Meet imports the same documents several times concurrently, half of the times in reverse order, and returns the
// results.
func Meet[T any](t testing.TB, imports int, documents []string, do func(...string) (T, error)) []T {
	t.Helper()
	backwards := slices.Clone(documents)
	slices.Reverse(backwards)
	results := make([]T, imports)
	var group sync.WaitGroup
	for i := range imports {
		group.Go(func() {
			mine := documents
			if i%2 == 1 {
				mine = backwards
			}
			var err error
			if results[i], err = do(mine...); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	return results
}

// Whole returns the items of a list that must fit one page: Whole(f())(t).
func Whole[T any](list domain.List[T], err error) func(testing.TB) []T {
	return func(t testing.TB) []T {
		t.Helper()
		found := Must(list, err)(t)
		if total := Must(found.Total(t.Context()))(t); total != len(found.Items) || found.HasMore {
			t.Errorf("total %d, HasMore %v, with %d items", total, found.HasMore, len(found.Items))
		}
		return found.Items
	}
}
