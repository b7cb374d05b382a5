package access_test

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/access"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/optional"
)

func TestImportsEnd(t *testing.T) {
	w := newFixture(t)
	list := w.list("A")

	t.Run("stay canceled and lose their rows", func(t *testing.T) {
		staged := w.preview(list, access.ImportOptions{}, "a\nb\n")
		for range 2 {
			if got := domaintest.Must(w.imports.Cancel(w.As(seller), list.ID, staged.ID))(t); got.State != access.Canceled {
				t.Errorf("got %+v", got.Import)
			}
		}
		_, err := w.imports.Commit(w.As(seller), list.ID, staged.ID, access.Commit{})
		refused(t, err, domain.CodeInvalidState)
		if n := w.Count("SELECT count(*) FROM entry_import_rows WHERE import_id = $1", staged.ID); n != 0 {
			t.Errorf("%d rows are left, want none", n)
		}
	})
	t.Run("can't be canceled after the commit or undone before it", func(t *testing.T) {
		staged := w.preview(list, access.ImportOptions{}, "a\n")
		_, err := w.imports.Undo(w.As(seller), list.ID, staged.ID)
		refused(t, err, domain.CodeInvalidState)
		w.commit(list, staged, access.Commit{})
		_, err = w.imports.Cancel(w.As(seller), list.ID, staged.ID)
		refused(t, err, domain.CodeInvalidState)
	})
	t.Run("end if their list is deleted during an upload", func(t *testing.T) {
		for _, at := range []int{500, 2100} {
			gone := w.list("B")
			_, err := w.imports.Preview(w.As(seller), gone.ID, access.ImportOptions{}, func() (access.Source, error) {
				return &interrupted{rows: 2500, at: at, then: func() { domaintest.Must(w.lists.Delete(w.As(seller), gone.ID, nil))(t) }}, nil
			})
			refused(t, err, domain.CodeNotFound)
		}
	})
	t.Run("can't be canceled after they were undone", func(t *testing.T) {
		staged := w.preview(list, access.ImportOptions{}, "b\n")
		w.commit(list, staged, access.Commit{})
		domaintest.Must(w.imports.Undo(w.As(seller), list.ID, staged.ID))(t)
		_, err := w.imports.Cancel(w.As(seller), list.ID, staged.ID)
		if want := "This import is already undone"; err == nil || err.Error() != want {
			t.Errorf("got %v", err)
		}
	})
	t.Run("are deleted after seven days", func(t *testing.T) {
		w.Exec("UPDATE entry_imports SET created_at = now() - interval '8 days' WHERE state = 'canceled'")
		if err := w.Store.SweepEntryImports(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := w.Count("SELECT count(*) FROM entry_imports WHERE state = 'canceled'"); n != 0 || w.Count("SELECT count(*) FROM entry_imports") == 0 {
			t.Errorf("%d old imports are left, want none", n)
		}
	})
	t.Run("are deleted with their list", func(t *testing.T) {
		domaintest.Must(w.lists.Delete(w.As(seller), list.ID, nil))(t)
		if n := w.Count("SELECT count(*) FROM entry_imports") + w.Count("SELECT count(*) FROM entry_import_rows"); n != 0 {
			t.Errorf("%d rows are left, want none", n)
		}
	})
}

// interrupted is a file of codes during which a function is called.
type interrupted struct {
	rows, at, next int
	then           func()
}

// Next returns the next code.
func (s *interrupted) Next() (access.Row, error) {
	if s.next == s.rows {
		return access.Row{}, io.EOF
	}
	if s.next == s.at {
		s.then()
	}
	s.next++
	return access.Row{Line: s.next, Entry: access.NewEntry{ExternalCode: fmt.Sprintf("i%d", s.next)}}, nil
}

// A column meta.x changes only the field x of meta. A column that the file lacks changes nothing.
func TestImportsMergeMeta(t *testing.T) {
	w := newFixture(t)
	list := w.list("A")
	w.entry(list, access.NewEntry{ExternalCode: "m1", Meta: object(t, `{"b":null,"a":1.5,"c":"old"}`)})
	w.entry(list, access.NewEntry{ExternalCode: "m2", Meta: object(t, `{"c":"only"}`)})
	w.entry(list, access.NewEntry{ExternalCode: "m3"})
	before := w.state(list)
	file := "externalCode,meta.d,meta.c\nm1,new,5\nm2,,\nm3,,\nm4,x,\n"
	staged := w.preview(list, access.ImportOptions{}, file)
	if want := (access.Counts{Rows: 4, New: 1, Same: 1, Conflict: 2}); staged.Counts != want {
		t.Errorf("got %+v", staged.Counts)
	}
	w.commit(list, staged, access.Commit{OnConflict: optional.Some(access.UpdateOnConflict)})
	expect(t, w.state(list), []string{`m1|||{"b":null,"a":1.5,"c":"5","d":"new"}`, "m2|||{}", "m3|||null", `m4|||{"d":"x"}`})

	t.Run("the same file is unchanged", func(t *testing.T) {
		if again := w.preview(list, access.ImportOptions{}, file); again.Counts.Same != 4 {
			t.Errorf("got %+v", again.Counts)
		}
	})
	t.Run("an undo restores the meta", func(t *testing.T) {
		domaintest.Must(w.imports.Undo(w.As(seller), list.ID, staged.ID))(t)
		expect(t, w.state(list), before)
	})
	t.Run("meta of a JSON object replaces the old meta", func(t *testing.T) {
		source := ndjsonFile(`{"externalCode":"m1","meta":{"c":5}}` + "\n" + `{"externalCode":"m2","meta":null}`)
		whole := domaintest.Must(w.imports.Preview(w.As(seller), list.ID, access.ImportOptions{}, source))(t)
		w.commit(list, whole, access.Commit{OnConflict: optional.Some(access.UpdateOnConflict)})
		expect(t, w.state(list), []string{`m1|||{"c":5}`, "m2|||null", "m3|||null"})
	})
}

// The limits of meta apply to the merged object, however small the parts are.
func TestMergedMetaIsBounded(t *testing.T) {
	w := newFixture(t)
	list := w.list("A")
	w.entry(list, access.NewEntry{ExternalCode: "m"})
	w.entry(list, access.NewEntry{ExternalCode: "n", Meta: object(t, `{"a":"x"}`)})
	part := strings.Repeat("x", 15_000)
	update := access.Commit{OnConflict: optional.Some(access.UpdateOnConflict)}
	file := "externalCode,meta.b\nm," + part + "\nn," + part + "\n"
	early := w.preview(list, access.ImportOptions{}, file)
	if early.Counts.Conflict != 2 {
		t.Errorf("got %+v", early.Counts)
	}
	w.commit(list, w.preview(list, access.ImportOptions{}, "externalCode,meta.a\nm,"+part+"\n"), update)
	before := w.state(list)
	bad := access.ImportLine{
		Line: 2, ExternalCode: "m", Reason: "merged with the existing entry, meta must be at most 16384 bytes of JSON, not 30015",
	}
	for _, mode := range access.ImportModes() {
		staged := w.preview(list, access.ImportOptions{Mode: mode}, file)
		want := access.Counts{Rows: 2, Conflict: 1, Bad: 1}
		if staged.Counts != want || len(staged.BadLines) != 1 || staged.BadLines[0] != bad {
			t.Errorf("%s: got %+v, %+v", mode, staged.Counts, staged.BadLines)
		}
	}
	t.Run("a commit checks the bounds again", func(t *testing.T) {
		_, err := w.imports.Commit(w.As(seller), list.ID, early.ID, update)
		refused(t, err, domain.CodeInvalidState)
		expect(t, w.state(list), before)
		done := w.commit(list, early, access.Commit{OnConflict: update.OnConflict, SkipBad: optional.Some(true)})
		if *done.Result != (access.Result{Changed: 1}) || len(done.BadLines) != 1 || done.BadLines[0] != bad {
			t.Errorf("got %+v, %+v", done.Result, done.BadLines)
		}
	})
	t.Run("one value may replace the other", func(t *testing.T) {
		if staged := w.preview(list, access.ImportOptions{}, "externalCode,meta.a,meta.b\nm,,"+part+"\n"); staged.Counts.Conflict != 1 {
			t.Errorf("got %+v, %+v", staged.Counts, staged.BadLines)
		}
	})
}

// Two imports of a list that are committed at the same time run one after the other. The second sees the result of
// the first.
func TestTwoImportsOfAListCanBeCommittedConcurrently(t *testing.T) {
	w := newFixture(t)
	for round, rule := range []access.ConflictRule{access.SkipConflicts, access.FailOnConflict, access.UpdateOnConflict, access.FailOnConflict} {
		list := w.list("A")
		var staged [2]access.Report
		for n := range staged {
			var file strings.Builder
			file.WriteString("externalCode,email\n")
			for i := range 200 { // the last hundred of the first import are the first hundred of the second
				fmt.Fprintf(&file, "c%03d,holder%d@x.example\n", 100*n+i, n)
			}
			staged[n] = w.preview(list, access.ImportOptions{}, file.String())
		}
		var done [2]access.Report
		var errs [2]error
		var racing sync.WaitGroup
		for n := range staged {
			racing.Go(func() {
				done[n], errs[n] = w.imports.Commit(w.As(seller), list.ID, staged[n].ID, access.Commit{OnConflict: optional.Some(rule)})
			})
		}
		racing.Wait()
		entries := w.Count("SELECT count(*) FROM access_entries WHERE list_id = $1", list.ID)
		if rule == access.FailOnConflict {
			lost := 0
			for n, err := range errs {
				if err == nil {
					continue
				}
				lost++
				refused(t, err, domain.CodeInvalidState)
				if got := domaintest.Must(w.imports.Get(w.As(seller), list.ID, staged[n].ID))(t); got.State != access.Staged || got.Result != nil {
					t.Errorf("round %d: the losing import is %+v", round, got.Import)
				}
			}
			if lost != 1 || entries != 200 {
				t.Errorf("round %d: %d imports lost, and there are %d entries", round, lost, entries)
			}
			continue
		}
		added, changed := 0, 0
		for n := range done {
			if errs[n] != nil {
				t.Fatalf("round %d: %v", round, errs[n])
			}
			added, changed = added+done[n].Result.Added, changed+done[n].Result.Changed
		}
		if want := map[access.ConflictRule]int{access.UpdateOnConflict: 100}[rule]; added != 300 || changed != want || entries != 300 {
			t.Errorf("round %d: added %d and changed %d of %d entries", round, added, changed, entries)
		}
	}
}

// Ten concurrent commits of an import add its rows once.
func TestConcurrentCommitsAddRowsOnce(t *testing.T) {
	w := newFixture(t)
	list := w.list("A")
	staged := w.preview(list, access.ImportOptions{}, "a\nb\nc\n")
	var racing sync.WaitGroup
	for range 10 {
		racing.Go(func() {
			done, err := w.imports.Commit(w.As(seller), list.ID, staged.ID, access.Commit{})
			if err != nil || done.Result.Added != 3 {
				t.Errorf("got %+v, %v", done.Result, err)
			}
		})
	}
	racing.Wait()
	expect(t, w.codes(list, access.EntryFilter{}), []string{"a", "b", "c"})
}

// A commit compares the import with the list again.
func TestCommitComparesAgain(t *testing.T) {
	w := newFixture(t)
	list := w.list("A")
	same := w.entry(list, access.NewEntry{ExternalCode: "gone", CustomerID: optional.Some("x")})
	staged := w.preview(list, access.ImportOptions{}, "externalCode,customerId\ngone,x\nnew,x\n")
	domaintest.Must(w.entries.Delete(w.As(seller), list.ID, same.ID, nil))(t)
	w.entry(list, access.NewEntry{ExternalCode: "new", CustomerID: optional.Some("by hand")})

	_, err := w.imports.Commit(w.As(seller), list.ID, staged.ID, access.Commit{})
	refused(t, err, domain.CodeInvalidState)
	done := w.commit(list, staged, access.Commit{OnConflict: optional.Some(access.SkipConflicts)})
	if *done.Result != (access.Result{Added: 1}) || done.Counts.Conflict != 1 {
		t.Errorf("got %+v, %+v", done.Result, done.Counts)
	}
	expect(t, w.state(list), []string{"new|by hand||null", "gone|x||null"})
}

// A full set removes only what its preview has shown. An entry that was added since is never removed, whatever the
// share or confirmation, even if no more entries would be removed than were shown.
func TestAFullSetRemovesOnlyEntriesOfItsPreview(t *testing.T) {
	w := newFixture(t)
	list := w.list("A")
	var file strings.Builder
	for n := range 20 {
		w.entry(list, access.NewEntry{ExternalCode: fmt.Sprintf("c%d", n)})
		fmt.Fprintf(&file, "c%d\n", n)
	}
	shown := w.entry(list, access.NewEntry{ExternalCode: "shown"})
	full := access.ImportOptions{Mode: access.FullSet}
	staged := w.preview(list, full, file.String())
	late := w.entry(list, access.NewEntry{ExternalCode: "late"})
	before := w.state(list)
	refuses := func(t *testing.T) {
		t.Helper()
		for _, how := range []access.Commit{{}, {MaxRemoveShare: optional.Some(1.0)}, {ConfirmRemovals: optional.Some(true)}} {
			_, err := w.imports.Commit(w.As(seller), list.ID, staged.ID, how)
			refused(t, err, domain.CodeInvalidState)
			if want := "The list has changed since the preview: 1 entry that it did not show would be removed"; !strings.HasPrefix(err.Error(), want) {
				t.Errorf("got %s", err)
			}
		}
	}
	t.Run("not in addition to entries shown", func(t *testing.T) {
		refuses(t)
		expect(t, w.state(list), before)
	})
	t.Run("not in place of entries shown", func(t *testing.T) {
		domaintest.Must(w.entries.Delete(w.As(seller), list.ID, shown.ID, nil))(t)
		refuses(t)
	})
	t.Run("fewer entries than shown can be removed", func(t *testing.T) {
		domaintest.Must(w.entries.Delete(w.As(seller), list.ID, late.ID, nil))(t)
		if done := w.commit(list, staged, access.Commit{}); *done.Result != (access.Result{}) || done.Counts.Removed != 0 {
			t.Errorf("got result %+v and counts %+v", done.Result, done.Counts)
		}
	})
	t.Run("the share is of the current list", func(t *testing.T) {
		again := w.preview(list, full, strings.Join([]string{
			"c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9",
			"c10", "c11", "c12", "c13", "c14", "c15",
		}, "\n"))
		if again.Counts.Removed != 4 {
			t.Fatalf("got counts %+v", again.Counts)
		}
		kept := domaintest.Must(w.entries.List(w.As(seller), list.ID, access.EntryFilter{ExternalCode: "c0"}, domain.Page{Limit: 1}))(t).Items[0]
		domaintest.Must(w.entries.Delete(w.As(seller), list.ID, kept.ID, nil))(t) // 4 of 20 is a fifth, 4 of 19 is more
		_, err := w.imports.Commit(w.As(seller), list.ID, again.ID, access.Commit{})
		refused(t, err, domain.CodeInvalidState)
		if want := "This would remove 4 of 19 entries"; !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %s", err)
		}
	})
}

// An entry's meta is changed after the rows were compared and before they are applied. The limits apply to the merged
// result.
func TestConcurrentlyMergedMetaIsBounded(t *testing.T) {
	w := newFixture(t)
	list := w.list("A")
	entry := w.entry(list, access.NewEntry{ExternalCode: "m", Meta: object(t, `{"a":"x"}`)})
	part := strings.Repeat("x", 15_000)
	staged := w.preview(list, access.ImportOptions{}, "externalCode,meta.b\nm,"+part+"\n")
	owner := w.Owner(t)
	other := domaintest.Must(owner.BeginTx(t.Context(), nil))(t)
	defer func() { _ = other.Rollback() }()
	var id string
	if err := other.QueryRowContext(t.Context(), "SELECT pg_current_xact_id()::text").Scan(&id); err != nil {
		t.Fatal(err)
	}
	domaintest.Must(other.ExecContext(t.Context(), "UPDATE access_entries SET meta = $2::json WHERE id = $1", entry.ID, `{"a":"`+part+`"}`))(t)

	committed := make(chan error, 1)
	go func() {
		_, err := w.imports.Commit(w.As(seller), list.ID, staged.ID, access.Commit{OnConflict: optional.Some(access.UpdateOnConflict)})
		committed <- err
	}()
	for w.Count("SELECT count(*) FROM pg_locks WHERE NOT granted AND transactionid::text = $1", id) == 0 {
		select {
		case err := <-committed:
			t.Fatalf("the commit did not wait for the entry: %v", err)
		case <-time.After(5 * time.Millisecond):
		}
	}
	if err := other.Commit(); err != nil {
		t.Fatal(err)
	}
	err := <-committed
	refused(t, err, domain.CodeInvalidState)
	if want := "An entry was changed since the preview: line 2: merged with the existing entry, meta must be"; !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %s", err)
	}
	expect(t, w.state(list), []string{`m|||{"a":"` + part + `"}`})
}
