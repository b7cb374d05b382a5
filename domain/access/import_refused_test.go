package access_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"ticketgate/domain"
	"ticketgate/domain/access"
	"ticketgate/domain/ids"
)

var errBroken = errors.New("the sender has gone")

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errBroken }

// readingStore is a store that must not be written to.
type readingStore struct {
	access.Store

	t *testing.T
}

// InLongTx fails the test.
func (s readingStore) InLongTx(context.Context, ids.Seller, int, func(context.Context, access.Tx) error) error {
	s.t.Error("a rejected file opened a transaction")
	return nil
}

// InTx fails the test.
func (s readingStore) InTx(context.Context, func(access.Tx) error) error {
	s.t.Error("a rejected file opened a transaction")
	return nil
}

// An error can come after rows that could be staged (IMPORT-7).
func TestRefusedFileWritesNothing(t *testing.T) {
	w := newFixture(t)
	list := w.list("A")
	imports := w.imports
	imports.Store = readingStore{imports.Store, t}
	begin := "externalCode\n" + strings.Repeat("code\n", 2500)
	objects := strings.Repeat(`{"externalCode":"code"}`+"\n", 2500)
	for name, row := range map[string]struct {
		file access.File
		code domain.Code
	}{
		"truncated CSV": {func() (access.Source, error) {
			return access.CSV(io.MultiReader(strings.NewReader(begin), failing{})), nil
		}, ""},
		"truncated NDJSON": {func() (access.Source, error) {
			return access.NDJSON(io.MultiReader(strings.NewReader(objects), failing{})), nil
		}, ""},
		"an unclosed quotation mark":  {csvFile(begin + `"` + strings.Repeat("x\n", 40_000)), domain.CodeInvalidRequest},
		"mixed line breaks in CSV":    {csvFile(begin + "A\rB\n"), domain.CodeInvalidRequest},
		"mixed line breaks in NDJSON": {ndjsonFile(objects + "A\rB\n"), domain.CodeInvalidRequest},
		"a long record":               {csvFile(begin + strings.Repeat("x", 70_000)), domain.CodeInvalidRequest},
		"an unknown column":           {csvFile("externalCode,color\na,red\n"), domain.CodeValidationFailed},
	} {
		_, err := imports.Preview(w.As(seller), list.ID, access.ImportOptions{}, row.file)
		if row.code == "" && !errors.Is(err, errBroken) || row.code != "" && !domain.HasCode(err, row.code) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if n := w.Count("SELECT (SELECT count(*) FROM entry_imports) + (SELECT count(*) FROM entry_import_rows)"); n != 0 {
		t.Errorf("%d rows are left, want none", n)
	}
}
