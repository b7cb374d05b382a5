package access_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/access"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/moment"
	"ticketgate/domain/optional"
)

const suspicious = "externalCode,email\n1.23E+11,a@x.example\n A1,b@x.example\n\"=\"\"007\"\"\",c@x.example\nB2,d@x.example\n"

// IMPORT-1.
func TestCodesThatLookDamaged(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	for name, row := range map[string]struct {
		options access.ImportOptions
		counts  access.Counts
		codes   []string
	}{
		"are bad":     {access.ImportOptions{}, access.Counts{Rows: 4, New: 2, Bad: 2, Warnings: 1}, []string{"007", "B2"}},
		"are trimmed": {access.ImportOptions{TrimCodes: true}, access.Counts{Rows: 4, New: 3, Bad: 1, Warnings: 1, Trimmed: 1}, []string{"A1", "007", "B2"}},
		"are kept": {
			access.ImportOptions{KeepSuspicious: true}, access.Counts{Rows: 4, New: 4, Warnings: 2}, []string{"1.23E+11", " A1", `="007"`, "B2"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			list := w.list(name)
			staged := w.preview(list, row.options, suspicious)
			if staged.Counts != row.counts || staged.TrimCodes != row.options.TrimCodes || staged.KeepSuspicious != row.options.KeepSuspicious {
				t.Errorf("got %+v, %+v", staged.Counts, staged.Import)
			}
			w.commit(list, staged, access.Commit{SkipBad: optional.Some(true)})
			if got := w.codes(list, access.EntryFilter{}); !slices.Equal(got, row.codes) {
				t.Errorf("got %q, want %q", got, row.codes)
			}
		})
	}
	staged := w.preview(w.list("lines"), access.ImportOptions{}, suspicious)
	if want := []access.ImportLine{
		{Line: 2, ExternalCode: "1.23E+11", Reason: "externalCode is a number shortened by a spreadsheet; " +
			"format the column as text and export it again, or import with keepSuspicious if this is the code"},
		{Line: 3, ExternalCode: " A1", Reason: "externalCode has leading or trailing blanks; " +
			"import with trimCodes to remove them, or with keepSuspicious if they belong to the code"},
	}; !slices.Equal(staged.BadLines, want) {
		t.Errorf("got bad lines %+v", staged.BadLines)
	}
	if want := []access.ImportLine{{Line: 4, ExternalCode: "007", Reason: `is written ="007" and read as 007`}}; !slices.Equal(staged.WarningLines, want) {
		t.Errorf("got warnings %+v", staged.WarningLines)
	}
	_, err := w.imports.Preview(w.As(seller), w.list("both").ID, access.ImportOptions{TrimCodes: true, KeepSuspicious: true}, csvFile("A"))
	refused(t, err, domain.CodeValidationFailed, "trimCodes")
}

// A damaged code may be that of any entry, like an unreadable one (IMPORT-3).
func TestDamagedCodeRemovesNoEntry(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	list := w.list("A")
	for _, code := range []string{"A", "B", "C", "D", "E", "123000000000"} {
		w.entry(list, access.NewEntry{ExternalCode: code})
	}
	staged := w.preview(list, access.ImportOptions{Mode: access.FullSet}, "A\nB\nC\nD\nE\n1.23E+11\n")
	_, err := w.imports.Commit(w.As(seller), list.ID, staged.ID, access.Commit{SkipBad: optional.Some(true)})
	refused(t, err, domain.CodeInvalidState)
}

// A table that the caller has parsed is read like a file, and later calls continue it (IMPORT-2).
func TestATableIsReadLikeAFile(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	list, yes := w.list("A"), true
	columns := named("Code", "", "E-Mail", leftOut)
	staged := domaintest.Must(w.imports.PreviewInput(w.As(seller), access.ImportChange{
		ListID: list.ID, TrimCodes: &yes, Columns: columns, More: &yes,
		Records: []access.ImportRecord{{2, []string{" A1", "", "a@x.example", "x", ""}}, {4, []string{"B2", "x", "b@x.example"}}},
	}))(t)
	staged = domaintest.Must(w.imports.Continue(w.As(seller), list.ID, staged.ID, access.ImportContinuation{
		After: 2, Columns: columns, Records: []access.ImportRecord{{7, []string{"C3\t"}}, {8, []string{"D4", "", "", "", "x"}}},
	}))(t)
	if want := (access.Counts{Rows: 4, New: 2, Bad: 2, Trimmed: 2}); staged.Counts != want {
		t.Errorf("got %+v", staged.Counts)
	}
	if bad := staged.BadLines; len(bad) != 2 || bad[0].Line != 4 || bad[1].Line != 8 {
		t.Errorf("got bad lines %+v", staged.BadLines)
	}
	again := func(change access.ImportChange) error {
		change.ListID = list.ID
		_, err := w.imports.PreviewInput(w.As(seller), change)
		return err
	}
	one := []access.ImportRecord{{1, []string{"A"}}}
	refused(t, again(access.ImportChange{Records: one}), domain.CodeValidationFailed, "columns")
	refused(t, again(access.ImportChange{Columns: named("email"), Records: one}), domain.CodeValidationFailed, "columns")
	refused(t, again(access.ImportChange{Columns: columns, Records: []access.ImportRecord{{3, nil}, {3, nil}}}), domain.CodeValidationFailed, "records[1].line")
	refused(t, again(access.ImportChange{Columns: columns, Records: one, Rows: []access.NewEntry{{ExternalCode: "A"}}}), domain.CodeValidationFailed, "rows")
	open := domaintest.Must(w.imports.PreviewInput(w.As(seller), access.ImportChange{ListID: list.ID, Columns: columns, Records: one, More: &yes}))(t)
	_, err := w.imports.Continue(w.As(seller), list.ID, open.ID, access.ImportContinuation{After: 1, Columns: columns, Records: one})
	refused(t, err, domain.CodeValidationFailed, "records")
}

// Importing an older export does not change entries that were changed since (IMPORT-4).
func TestOlderEntryChangesNothing(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	list := w.list("A")
	entry := w.entry(list, access.NewEntry{ExternalCode: "A1", Email: optional.Some("a@x.example")})
	preview := func(at string) access.Report {
		file := `{"externalCode":"A1","email":"b@x.example","updatedAt":"` + at + `"}`
		return domaintest.Must(w.imports.Preview(w.As(seller), list.ID, access.ImportOptions{}, ndjsonFile(file)))(t)
	}
	older := preview(moment.New(entry.UpdatedAt.Add(-1e6)).String())
	if want := (access.Counts{Rows: 1, Stale: 1}); older.Counts != want {
		t.Errorf("got %+v", older.Counts)
	}
	done := w.commit(list, older, access.Commit{OnConflict: optional.Some(access.UpdateOnConflict)})
	if *done.Result != (access.Result{}) {
		t.Errorf("got result %+v", done.Result)
	}
	for _, at := range []string{entry.UpdatedAt.String(), ""} {
		if got := preview(at); got.Counts != (access.Counts{Rows: 1, Conflict: 1}) {
			t.Errorf("updatedAt %q: got %+v", at, got.Counts)
		}
	}
}

// An invalid updatedAt is an error, and is not treated as missing (IMPORT-4).
func TestUpdatedAtOfNDJSONEntry(t *testing.T) {
	w := newFixture(t)
	list := w.list("L")
	for value, want := range map[string]string{
		`"x"`: "updatedAt must be", `5`: "updatedAt must be a date-time such as", `"2020-01-01"`: "updatedAt must be", `""`: "",
		`{}`: "updatedAt must be", `null`: "", `"2020-01-01T00:00:00Z"`: "", `"2020-01-01T00:00:00.5+01:00"`: "",
	} {
		file := ndjsonFile(`{"externalCode":"A1","updatedAt":` + value + `}`)
		staged := domaintest.Must(w.imports.Preview(w.As(seller), list.ID, access.ImportOptions{}, file))(t)
		got := ""
		if len(staged.BadLines) == 1 {
			got = staged.BadLines[0].Reason
		}
		if !strings.HasPrefix(got, want) || (got == "") != (want == "") {
			t.Errorf("%s: got %q, want %q", value, got, want)
		}
	}
}

// Even if the clock is behind, an import and its undo move updatedAt forward (IMPORT-8).
func TestImportNeverMovesAnEntryBack(t *testing.T) {
	w := newFixture(t)
	list := w.list("L")
	changed, removed := w.entry(list, access.NewEntry{ExternalCode: "A1"}), w.entry(list, access.NewEntry{ExternalCode: "A2"})
	w.imports.Now = func() time.Time { return time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC) }
	staged := domaintest.Must(w.imports.Preview(w.As(seller), list.ID, access.ImportOptions{Mode: access.FullSet}, ndjsonFile(`{"externalCode":"A1","phone":"1"}`)))(t)
	w.commit(list, staged, access.Commit{OnConflict: optional.Some(access.UpdateOnConflict), ConfirmRemovals: optional.Some(true)})
	after := domaintest.Must(w.entries.Get(w.As(seller), list.ID, changed.ID))(t)
	if after.Phone != "1" || !after.UpdatedAt.After(changed.UpdatedAt.Time) {
		t.Errorf("updatedAt %s became %+v", changed.UpdatedAt, after)
	}
	domaintest.Must(w.imports.Undo(w.As(seller), list.ID, staged.ID))(t)
	undone := domaintest.Must(w.entries.Get(w.As(seller), list.ID, changed.ID))(t)
	if undone.Phone != "" || !undone.UpdatedAt.After(after.UpdatedAt.Time) {
		t.Errorf("updatedAt %s became %+v", after.UpdatedAt, undone)
	}
	if back := domaintest.Must(w.entries.Get(w.As(seller), list.ID, removed.ID))(t); !back.UpdatedAt.After(removed.UpdatedAt.Time) {
		t.Errorf("updatedAt %s became %s", removed.UpdatedAt, back.UpdatedAt)
	}
}
