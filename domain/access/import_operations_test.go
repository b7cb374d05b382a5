package access_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"ticketgate/domain"
	"ticketgate/domain/access"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/optional"
)

func (w *fixture) preview(list access.List, options access.ImportOptions, file string) access.Report {
	w.T.Helper()
	return domaintest.Must(w.imports.Preview(w.As(seller), list.ID, options, csvFile(file)))(w.T)
}

func (w *fixture) commit(list access.List, staged access.Report, how access.Commit) access.Report {
	w.T.Helper()
	return domaintest.Must(w.imports.Commit(w.As(seller), list.ID, staged.ID, how))(w.T)
}

// state returns the entries of a list, one line each.
func (w *fixture) state(list access.List) []string {
	w.T.Helper()
	found := domaintest.Must(w.entries.List(w.As(seller), list.ID, access.EntryFilter{}, domain.Page{Limit: 1000}))(w.T)
	lines := []string{}
	for _, e := range found.Items {
		lines = append(lines, strings.Join([]string{e.ExternalCode, e.CustomerID, e.Email, string(e.Meta.Append(nil))}, "|"))
	}
	return lines
}

func expect(t *testing.T, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// A file as people send it: with a byte order mark, semicolons, quotes, blank lines, and repeated and bad rows.
const mess = "\xef\xbb\xbfExternal Code;E-Mail;customer_id;meta.seat\r\n" +
	"new1;a@example.com;c1;\"A;1\"\r\n" + // 2
	"\r\n" +
	";;;\r\n" +
	"same;s@example.com;;\r\n" + // 5
	"other;changed@example.com;c2;\r\n" + // 6
	"new1;a@example.com;c1;\"A;1\"\r\n" + // 7 repeats 2
	"new1;b@example.com;c1;\r\n" + // 8 differs from 2
	"bad;nobody;;\r\n" + // 9
	";x@example.com;;\r\n" + // 10
	"\"multi\nline\";;;\r\n" + // 11 and 12
	"long;;;;;;x\r\n" + // 13
	"08A1B2C3;;;\r\n" // 14

func TestImportOfAMessyFile(t *testing.T) {
	w := newFixture(t)
	list := w.list("A")
	w.entry(list, access.NewEntry{ExternalCode: "same", Email: optional.Some("s@example.com"), Firstname: optional.Some("kept")})
	w.entry(list, access.NewEntry{ExternalCode: "other", Email: optional.Some("o@example.com"), CustomerID: optional.Some("c2")})
	before := w.state(list)
	staged := w.preview(list, access.ImportOptions{}, mess)

	t.Run("is counted and listed", func(t *testing.T) {
		if want := (access.Counts{Rows: 10, New: 3, Same: 1, Conflict: 1, Bad: 4, Duplicate: 1, Warnings: 2}); staged.Counts != want {
			t.Errorf("got %+v, want %+v", staged.Counts, want)
		}
		var bad []int
		for _, line := range staged.BadLines {
			bad = append(bad, line.Line)
		}
		if !slices.Equal(bad, []int{8, 9, 10, 13}) {
			t.Errorf("got bad lines %+v", staged.BadLines)
		}
		for i, want := range []string{
			"has the code of line 2 and says something else", "email must be an email address such as name@example.com", "externalCode must not be empty",
			"must have at most 4 cells, not 7; put a cell that contains the separator in quotation marks",
		} {
			if staged.BadLines[i].Reason != want {
				t.Errorf("line %d: %s", staged.BadLines[i].Line, staged.BadLines[i].Reason)
			}
		}
		if want := []access.ImportLine{{Line: 6, ExternalCode: "other", Reason: "email"}}; !slices.Equal(staged.ConflictLines, want) {
			t.Errorf("got conflicts %+v", staged.ConflictLines)
		}
		if want := []access.ImportLine{
			{Line: 11, ExternalCode: "multi\nline", Reason: "has an invisible character, U+000A"},
			{Line: 14, ExternalCode: "08A1B2C3", Reason: "is a random UID that changes on every read"},
		}; !slices.Equal(staged.WarningLines, want) {
			t.Errorf("got warnings %+v", staged.WarningLines)
		}
		if staged.State != access.Staged || staged.Mode != access.Add || staged.Preset != access.AsRead || staged.Result != nil {
			t.Errorf("got %+v", staged.Import)
		}
	})
	t.Run("changes nothing before it is committed", func(t *testing.T) { expect(t, w.state(list), before) })
	t.Run("is not committed while it has errors", func(t *testing.T) {
		for _, how := range []access.Commit{{}, {SkipBad: optional.Some(true)}, {OnConflict: optional.Some(access.SkipConflicts)}} {
			_, err := w.imports.Commit(w.As(seller), list.ID, staged.ID, how)
			refused(t, err, domain.CodeInvalidState)
		}
		_, err := w.imports.Commit(w.As(seller), list.ID, staged.ID, access.Commit{
			OnConflict: optional.Some(access.ConflictRule("merge")), MaxRemoveShare: optional.Some(1.5),
		})
		refused(t, err, domain.CodeValidationFailed, "onConflict", "maxRemoveShare")
		expect(t, w.state(list), before)
	})
	how := access.Commit{SkipBad: optional.Some(true), OnConflict: optional.Some(access.UpdateOnConflict)}
	after := []string{
		"same||s@example.com|null", "other|c2|changed@example.com|null", `new1|c1|a@example.com|{"seat":"A;1"}`, "multi\nline|||null",
		"08A1B2C3|||null",
	}
	t.Run("is committed as a whole, in the order of the file", func(t *testing.T) {
		done := w.commit(list, staged, how)
		if want := (access.Result{Added: 3, Changed: 1}); done.State != access.Committed || *done.Result != want {
			t.Errorf("got %+v, %+v", done.Import, done.Result)
		}
		expect(t, w.state(list), after)
		first := domaintest.Must(w.entries.List(w.As(seller), list.ID, access.EntryFilter{ExternalCode: "same"}, domain.Page{Limit: 1}))(t).Items[0]
		if first.Firstname != "kept" {
			t.Error("a field that is not in the file was changed")
		}
	})
	t.Run("committed again changes nothing", func(t *testing.T) {
		stamp := w.Count("SELECT count(DISTINCT updated_at) FROM access_entries WHERE list_id = $1", list.ID)
		again := w.commit(list, staged, access.Commit{})
		if again.State != access.Committed || *again.Result != (access.Result{Added: 3, Changed: 1}) {
			t.Errorf("got %+v", again.Import)
		}
		expect(t, w.state(list), after)
		if n := w.Count("SELECT count(DISTINCT updated_at) FROM access_entries WHERE list_id = $1", list.ID); n != stamp {
			t.Error("entries were changed")
		}
	})
	t.Run("is unchanged when imported again", func(t *testing.T) {
		again := w.preview(list, access.ImportOptions{}, mess)
		if again.Counts.New != 0 || again.Counts.Conflict != 0 || again.Counts.Same != 5 {
			t.Errorf("got %+v", again.Counts)
		}
		done := w.commit(list, again, access.Commit{SkipBad: optional.Some(true)})
		if *done.Result != (access.Result{}) {
			t.Errorf("got result %+v", done.Result)
		}
		expect(t, w.state(list), after)
	})
	t.Run("can be undone, repeatedly", func(t *testing.T) {
		for range 2 {
			undone := domaintest.Must(w.imports.Undo(w.As(seller), list.ID, staged.ID))(t)
			if want := (access.UndoResult{Removed: 3, Restored: 1}); undone.State != access.Undone || *undone.Undo != want {
				t.Errorf("got %+v, %+v", undone.Import, undone.Undo)
			}
			expect(t, w.state(list), before)
		}
	})
	t.Run("can't be committed after it was undone", func(t *testing.T) {
		_, err := w.imports.Commit(w.As(seller), list.ID, staged.ID, how)
		refused(t, err, domain.CodeInvalidState)
	})
	t.Run("is audited", func(t *testing.T) {
		if n := w.Count("SELECT count(*) FROM audit_entries WHERE object = 'entryImport' AND object_id = $1", staged.ID); n != 2 {
			t.Errorf("got %d audit entries, want 2", n)
		}
	})
}

func TestUndoKeepsLaterChanges(t *testing.T) {
	w := newFixture(t)
	list := w.list("A")
	for _, code := range []string{"changed", "removed", "taken"} {
		w.entry(list, access.NewEntry{ExternalCode: code, CustomerID: optional.Some("old")})
	}
	file := "externalCode,customerId\nchanged,new\nadded,new\nadded2,new\nadded3,new\n"
	staged := w.preview(list, access.ImportOptions{Mode: access.FullSet}, file)
	w.commit(list, staged, access.Commit{ConfirmRemovals: optional.Some(true)})
	entries := domaintest.Must(w.entries.List(w.As(seller), list.ID, access.EntryFilter{}, domain.Page{Limit: 10}))(t).Items
	byCode := map[string]access.Entry{}
	for _, e := range entries {
		byCode[e.ExternalCode] = e
	}
	domaintest.Must(w.entries.Update(w.As(seller), list.ID, byCode["changed"].ID, access.NewEntry{ExternalCode: "changed", Phone: optional.Some("1")}, nil))(t)
	domaintest.Must(w.entries.Update(w.As(seller), list.ID, byCode["added"].ID, access.NewEntry{ExternalCode: "added", Phone: optional.Some("1")}, nil))(t)
	domaintest.Must(w.entries.Delete(w.As(seller), list.ID, byCode["added2"].ID, nil))(t)
	w.entry(list, access.NewEntry{ExternalCode: "added2", CustomerID: optional.Some("by hand")})
	w.entry(list, access.NewEntry{ExternalCode: "taken", CustomerID: optional.Some("by hand")})

	undone := domaintest.Must(w.imports.Undo(w.As(seller), list.ID, staged.ID))(t)
	if want := (access.UndoResult{Removed: 1, Restored: 1, Kept: 4}); *undone.Undo != want {
		t.Errorf("got %+v, want %+v", *undone.Undo, want)
	}
	got := w.state(list)
	slices.Sort(got)
	expect(t, got, []string{"added2|by hand||null", "added|new||null", "changed|new||null", "removed|old||null", "taken|by hand||null"})
}

// A full set is the complete content of the list. Missing entries are removed, unless there are suspiciously many.
func TestFullSet(t *testing.T) {
	w := newFixture(t)
	list := w.list("A")
	var all strings.Builder
	all.WriteString("externalCode,customerId\n")
	for i := range 10 {
		w.entry(list, access.NewEntry{ExternalCode: fmt.Sprintf("c%d", i), CustomerID: optional.Some("x")})
		if i > 1 {
			fmt.Fprintf(&all, "c%d,x\n", i)
		}
	}
	full := access.ImportOptions{Mode: access.FullSet}
	before := w.state(list)

	t.Run("previews the difference", func(t *testing.T) {
		staged := w.preview(list, full, all.String()+"n1,x\nc2,y\n"[:5])
		want := access.Counts{Rows: 9, New: 1, Same: 8, Removed: 2}
		if staged.Counts != want || !slices.Equal(staged.RemovedCodes, []string{"c0", "c1"}) {
			t.Errorf("got %+v, %v", staged.Counts, staged.RemovedCodes)
		}
		expect(t, w.state(list), before)
	})
	t.Run("removes up to a fifth without confirmation", func(t *testing.T) {
		less := w.preview(list, full, strings.Replace(all.String(), "c2,x\n", "", 1))
		_, err := w.imports.Commit(w.As(seller), list.ID, less.ID, access.Commit{})
		refused(t, err, domain.CodeInvalidState)
		if want := "This would remove 3 of 10 entries, more than 20 %. Commit with confirmRemovals if this is intended"; err.Error() != want {
			t.Errorf("got %s", err)
		}
		_, err = w.imports.Commit(w.As(seller), list.ID, less.ID, access.Commit{MaxRemoveShare: optional.Some(0.29)})
		refused(t, err, domain.CodeInvalidState)
		expect(t, w.state(list), before)
		done := w.commit(list, w.preview(list, full, all.String()), access.Commit{})
		if *done.Result != (access.Result{Removed: 2}) || len(w.state(list)) != 8 {
			t.Errorf("got %+v", done.Result)
		}
		undone := domaintest.Must(w.imports.Undo(w.As(seller), list.ID, done.ID))(t)
		if *undone.Undo != (access.UndoResult{Restored: 2}) {
			t.Errorf("got %+v", undone.Undo)
		}
		expect(t, w.state(list), before)
	})
	t.Run("does not empty a list without confirmation", func(t *testing.T) {
		empty := w.preview(list, full, "externalCode\n")
		_, err := w.imports.Commit(w.As(seller), list.ID, empty.ID, access.Commit{})
		refused(t, err, domain.CodeInvalidState)
		done := w.commit(list, empty, access.Commit{ConfirmRemovals: optional.Some(true)})
		if done.Result.Removed != 10 || len(w.state(list)) != 0 {
			t.Errorf("got %+v", done.Result)
		}
		domaintest.Must(w.imports.Undo(w.As(seller), list.ID, done.ID))(t)
		expect(t, w.state(list), before)
	})
	t.Run("keeps the entry of a bad line", func(t *testing.T) {
		bad := all.String() + "c0,x,more\n" + "c1,Ren\xe9\n"
		staged := w.preview(list, full, bad)
		if got := staged.BadLines; len(got) != 2 || got[0].ExternalCode != "c0" || got[1].ExternalCode != "c1" || staged.Counts.Removed != 0 {
			t.Errorf("got %+v, %+v", staged.Counts, got)
		}
		w.commit(list, staged, access.Commit{SkipBad: optional.Some(true)})
		expect(t, w.state(list), before)
	})
	t.Run("removes nothing without confirmation if a bad line's code is unreadable", func(t *testing.T) {
		unread := all.String() + "c0,x\n" + "\"c1\"!,x\n"
		staged := w.preview(list, full, unread)
		_, err := w.imports.Commit(w.As(seller), list.ID, staged.ID, access.Commit{SkipBad: optional.Some(true), MaxRemoveShare: optional.Some(1.0)})
		refused(t, err, domain.CodeInvalidState)
		if want := "1 row is invalid and without a readable code, and 1 entry that may belong to them would be removed. " +
			"Correct the file, or commit with confirmRemovals if this is intended"; err.Error() != want {
			t.Errorf("got %s", err)
		}
		expect(t, w.state(list), before)
		done := w.commit(list, staged, access.Commit{SkipBad: optional.Some(true), ConfirmRemovals: optional.Some(true)})
		if *done.Result != (access.Result{Removed: 1}) {
			t.Errorf("got %+v", done.Result)
		}
		domaintest.Must(w.imports.Undo(w.As(seller), list.ID, done.ID))(t)
	})
	t.Run("keeps the entry of an invalid line and updates changed ones", func(t *testing.T) {
		file := strings.Replace(all.String(), "c2,x", "c2,"+strings.Repeat("x", 65), 1) + "c0,x\nc1,other\n"
		done := w.commit(list, w.preview(list, full, file), access.Commit{SkipBad: optional.Some(true)})
		if *done.Result != (access.Result{Changed: 1}) {
			t.Errorf("got %+v", done.Result)
		}
	})
}

func TestImportsBelongToTheirList(t *testing.T) {
	w := newFixture(t)
	list, second := w.list("A"), w.list("B")
	asked := domaintest.Must(w.lists.Create(w.As(seller), access.NewList{Name: "R", HTTP: remote(listener, optional.Value[string]{})}))(t)
	staged := w.preview(list, access.ImportOptions{}, "a\n")
	for name, call := range map[string]func(context.Context, string) error{
		"get": func(ctx context.Context, list string) error {
			_, err := w.imports.Get(ctx, list, staged.ID)
			return err
		},
		"commit": func(ctx context.Context, list string) error {
			_, err := w.imports.Commit(ctx, list, staged.ID, access.Commit{})
			return err
		},
		"cancel": func(ctx context.Context, list string) error {
			_, err := w.imports.Cancel(ctx, list, staged.ID)
			return err
		},
		"undo": func(ctx context.Context, list string) error {
			_, err := w.imports.Undo(ctx, list, staged.ID)
			return err
		},
	} {
		t.Run(name+" are found nowhere else", func(t *testing.T) {
			refused(t, call(w.As(other), list.ID), domain.CodeNotFound)
			refused(t, call(w.As(seller), second.ID), domain.CodeNotFound)
		})
	}
	source := csvFile("a\n")
	_, err := w.imports.Preview(w.As(seller), asked.ID, access.ImportOptions{}, source)
	refused(t, err, domain.CodeInvalidState)
	_, err = w.imports.Preview(w.As(other), list.ID, access.ImportOptions{}, source)
	refused(t, err, domain.CodeNotFound)
	_, err = w.imports.Preview(w.As(seller), list.ID, access.ImportOptions{Mode: "all", Preset: "lower"}, source)
	refused(t, err, domain.CodeValidationFailed, "mode", "preset")
	_, err = w.imports.Preview(w.As(seller, "accessLists:list"), list.ID, access.ImportOptions{}, source)
	refused(t, err, domain.CodeMissingPermission)
	_, err = w.imports.PreviewInput(w.As(seller), access.ImportChange{ListID: list.ID, Rows: make([]access.NewEntry, 1001)})
	refused(t, err, domain.CodeValidationFailed, "rows")
}

// The card that one reader prints as c43f3632 is 8804000032363FC4 in the list.
func TestPresetsOfCards(t *testing.T) {
	w := newFixture(t)
	list := w.list("A")
	w.entry(list, access.NewEntry{ExternalCode: "8804000032363FC4"})
	file := "c43f3632\n04 A2 B3\n"
	read := w.preview(list, access.ImportOptions{}, file)
	want := []access.Sample{
		{Code: "c43f3632", Results: []access.SampleResult{
			{Preset: access.AsRead, Code: "c43f3632"},
			{Preset: access.Reversed, Code: "32363fc4"},
			{Preset: access.Upper, Code: "C43F3632"},
			{Preset: access.PaddedReversed, Code: "8804000032363FC4"},
		}},
		{Code: "04 A2 B3", Results: []access.SampleResult{
			{Preset: access.AsRead, Code: "04 A2 B3"},
			{Preset: access.Reversed, Code: "B3A204"},
			{Preset: access.Upper, Code: "04 A2 B3"},
			{Preset: access.PaddedReversed},
		}},
	}
	domaintest.Equal(t, "new", read.Counts.New, 2)
	domaintest.Equal(t, "samples", read.Samples, want)
	again := w.preview(list, access.ImportOptions{}, "externalCode,email\nc43f3632,\nbad,nobody\nc43f3632,\n04 A2 B3,\n")
	domaintest.Equal(t, "bad", again.Counts.Bad, 1)
	domaintest.Equal(t, "samples with a bad row and a repeated one", again.Samples, want)
	padded := w.preview(list, access.ImportOptions{Preset: "88040000 reversed"}, file)
	if padded.Counts.Same != 1 || padded.Counts.Bad != 1 || padded.Preset != access.PaddedReversed {
		t.Errorf("got %+v", padded.Counts)
	}
}

// All rows and lines of a large file are counted, but only the first thousand lines are listed.
func TestReportListsTheFirstThousand(t *testing.T) {
	w := newFixture(t)
	list := w.list("A")
	staged := w.preview(list, access.ImportOptions{}, "externalCode,email\n"+strings.Repeat("x,nobody\n", 1500))
	if staged.Counts.Bad != 1500 || len(staged.BadLines) != 1000 || staged.BadLines[999].Line != 1001 {
		t.Errorf("got %+v and %d lines", staged.Counts, len(staged.BadLines))
	}
}
