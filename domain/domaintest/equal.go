package domaintest

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Equal fails the test unless got equals want. The message shows both and their difference.
func Equal(t testing.TB, what string, got, want any) {
	t.Helper()
	difference := cmp.Diff(want, got, cmp.Exporter(func(reflect.Type) bool { return true }))
	if difference != "" {
		t.Errorf("%s: got %+v, want %+v; difference (-want +got):\n%s", what, got, want, difference)
	}
}
