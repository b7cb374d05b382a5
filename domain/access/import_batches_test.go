package access_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"ticketgate/domain"
	"ticketgate/domain/access"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/optional"
)

// stagedAtOnce is the number of rows that are staged at a time. At these borders, a row could be lost, repeated or
// misnumbered.
const stagedAtOnce = 1000

// longMess returns a file of three whole batches and one more row. Rows next to the borders have all kinds of
// peculiarities. lines has the line on which each row starts, and codes the codes that become entries, in the order
// of the file.
func longMess() (file string, lines map[int]int, codes []string) {
	const last = 3*stagedAtOnce + 1
	beside := map[int]string{
		1:    "first;f@example.com;c1;A",
		999:  "conflict;new@example.com;;",
		1000: "bad;nobody;;",             // the last of its batch
		1001: "first;f@example.com;c1;A", // the first of the next batch repeats the first of the file
		1002: "first;other@example.com;c1;A",
		1999: "\"more\nthan one\nline\";;;\"a \"\"b\"\";c\"",
		2000: "same;s@example.com;;",
		2001: "long;;;;;x",
		2002: "same;s@example.com;;",
		3000: ";x@example.com;;",
		last: "c2998;c2998@example.com;;\"seat;2998\"", // the only row of its batch
	}
	text, line := strings.Builder{}, 1
	write := func(record string) {
		text.WriteString(record + "\r\n")
		line += 1 + strings.Count(record, "\n")
	}
	lines = map[int]int{}
	write("\xef\xbb\xbf\"externalCode\";E-Mail;customer_id;meta.seat")
	for n := 1; n <= last; n++ {
		if n%stagedAtOnce <= 1 { // blank lines are not rows, so after the first one row and line numbers differ
			write("")
			write(";;;")
		}
		record, special := beside[n]
		if !special {
			code := fmt.Sprintf("c%d", n)
			record = fmt.Sprintf("%q;%s@example.com;;%q", code, code, fmt.Sprintf("seat;%d", n))
			codes = append(codes, code)
		} else if code, isNew := map[int]string{1: "first", 1999: "more\nthan one\nline"}[n]; isNew {
			codes = append(codes, code)
		}
		lines[n] = line
		write(record)
	}
	return text.String(), lines, codes
}

// A messy file of several batches is counted, numbered and committed as a whole.
func TestAMessyFileOfSeveralBatches(t *testing.T) {
	w := newFixture(t)
	list := w.list("A")
	w.entry(list, access.NewEntry{ExternalCode: "same", Email: optional.Some("s@example.com")})
	w.entry(list, access.NewEntry{ExternalCode: "conflict", Email: optional.Some("old@example.com")})
	file, lines, codes := longMess()
	staged := w.preview(list, access.ImportOptions{}, file)

	want := access.Counts{Rows: 3001, New: len(codes), Same: 1, Conflict: 1, Bad: 4, Duplicate: 3, Warnings: 1}
	if sum := want.New + want.Same + want.Conflict + want.Bad + want.Duplicate; sum != want.Rows {
		t.Fatalf("the expected counts add up to %d of %d rows", sum, want.Rows)
	}
	if staged.Counts != want {
		t.Errorf("got %+v, want %+v", staged.Counts, want)
	}
	if bad := []access.ImportLine{
		{Line: lines[1000], ExternalCode: "bad", Reason: "email must be an email address such as name@example.com"},
		{Line: lines[1002], ExternalCode: "first", Reason: fmt.Sprintf("has the code of line %d and says something else", lines[1])},
		{
			Line: lines[2001], ExternalCode: "long",
			Reason: "must have at most 4 cells, not 6; put a cell that contains the separator in quotation marks",
		},
		{Line: lines[3000], Reason: "externalCode must not be empty"},
	}; !slices.Equal(staged.BadLines, bad) {
		t.Errorf("got  %+v\nwant %+v", staged.BadLines, bad)
	}
	if differs := []access.ImportLine{{Line: lines[999], ExternalCode: "conflict", Reason: "email"}}; !slices.Equal(staged.ConflictLines, differs) {
		t.Errorf("got %+v, want %+v", staged.ConflictLines, differs)
	}

	how := access.Commit{SkipBad: optional.Some(true), OnConflict: optional.Some(access.UpdateOnConflict)}
	if done := w.commit(list, staged, how); *done.Result != (access.Result{Added: len(codes), Changed: 1}) {
		t.Errorf("got result %+v", done.Result)
	}
	expect(t, w.allCodes(list), append([]string{"same", "conflict"}, codes...))
	for _, n := range []int{998, 1003, 1998, 2003, 2999} { // rows next to a border are complete
		code := fmt.Sprintf("c%d", n)
		found := domaintest.Must(w.entries.List(w.As(seller), list.ID, access.EntryFilter{ExternalCode: code}, domain.Page{Limit: 1}))(t).Items
		if len(found) != 1 || found[0].Email != code+"@example.com" || string(found[0].Meta.Append(nil)) != fmt.Sprintf(`{"seat":"seat;%d"}`, n) {
			t.Errorf("%s: got %+v", code, found)
		}
	}

	stamped := "SELECT count(DISTINCT updated_at) FROM access_entries WHERE list_id = $1"
	stamps := w.Count(stamped, list.ID)
	again := w.preview(list, access.ImportOptions{}, file)
	want.New, want.Same, want.Conflict = 0, want.New+want.Same+want.Conflict, 0
	if again.Counts != want {
		t.Errorf("the second time: got %+v, want %+v", again.Counts, want)
	}
	if done := w.commit(list, again, how); *done.Result != (access.Result{}) || w.Count(stamped, list.ID) != stamps {
		t.Errorf("the second time: got result %+v", done.Result)
	}
}

// A file that ends at the end of a batch, one row before or one row after it, has as many entries as rows.
func TestFileEndsAtBatchBoundary(t *testing.T) {
	w := newFixture(t)
	for _, rows := range []int{stagedAtOnce - 1, stagedAtOnce, stagedAtOnce + 1, 2 * stagedAtOnce} {
		list := w.list(fmt.Sprintf("of %d", rows))
		codes := make([]string, rows)
		for n := range codes {
			codes[n] = fmt.Sprintf("c%d", n)
		}
		staged := w.preview(list, access.ImportOptions{}, strings.Join(codes, "\n"))
		if want := (access.Counts{Rows: rows, New: rows}); staged.Counts != want {
			t.Errorf("%d rows: got %+v", rows, staged.Counts)
		}
		w.commit(list, staged, access.Commit{})
		expect(t, w.allCodes(list), codes)
	}
}

// parts previews rows in parts of this length, one call after the other. Each part but the first is sent twice.
func (w *fixture) parts(list access.List, rows []access.NewEntry, length int) (staged access.Report) {
	w.T.Helper()
	for sent := 0; sent < len(rows); sent += length {
		end := min(sent+length, len(rows))
		more := end < len(rows)
		if sent == 0 {
			staged = domaintest.Must(w.imports.PreviewInput(w.As(seller), access.ImportChange{ListID: list.ID, Rows: rows[:end], More: &more}))(w.T)
			continue
		}
		for range 2 {
			further := access.ImportContinuation{After: sent, Rows: rows[sent:end], More: &more}
			staged = domaintest.Must(w.imports.Continue(w.As(seller), list.ID, staged.ID, further))(w.T)
			if staged.Counts.Rows != end {
				w.T.Fatalf("got %d rows, sent %d", staged.Counts.Rows, end)
			}
		}
	}
	return staged
}

// Rows sent in several calls are one import: numbered throughout, repeated calls are recognized, and it is all or
// nothing.
func TestRowsInPartsAreOneImport(t *testing.T) {
	w := newFixture(t)
	list := w.list("A")
	rows := make([]access.NewEntry, 2501)
	for n := range rows {
		rows[n].ExternalCode = fmt.Sprintf("c%d", n+1)
	}
	rows[1500] = access.NewEntry{ExternalCode: "c7"}                                         // repeats a row of another part
	rows[2200] = access.NewEntry{ExternalCode: "c1001", Email: optional.Some("a@b.example")} // differs from a row of another part
	rows[2400] = access.NewEntry{ExternalCode: "x", Email: optional.Some("nobody")}
	staged := w.parts(list, rows, access.MaxInlineRows)
	if want := (access.Counts{Rows: 2501, New: 2498, Duplicate: 1, Bad: 2}); staged.State != access.Staged || staged.Counts != want {
		t.Errorf("got %s with %+v, want %+v", staged.State, staged.Counts, want)
	}
	if bad := []access.ImportLine{
		{Line: 2201, ExternalCode: "c1001", Reason: "has the code of line 1001 and says something else"},
		{Line: 2401, ExternalCode: "x", Reason: "email must be an email address such as name@example.com"},
	}; !slices.Equal(staged.BadLines, bad) {
		t.Errorf("got %+v, want %+v", staged.BadLines, bad)
	}
	if len(staged.Samples) != 3 || staged.Samples[0].Code != "c1" {
		t.Errorf("got samples %+v", staged.Samples)
	}
	if done := w.commit(list, staged, access.Commit{SkipBad: optional.Some(true)}); done.Result.Added != 2498 {
		t.Errorf("got result %+v", done.Result)
	}
	if got := w.Count("SELECT count(*) FROM access_entries WHERE list_id = $1", list.ID); got != 2498 {
		t.Errorf("the list has %d entries", got)
	}
}

func TestRowsInPartsMustBeConsecutive(t *testing.T) {
	w := newFixture(t)
	list, more := w.list("A"), true
	code := func(name string) []access.NewEntry { return []access.NewEntry{{ExternalCode: name}} }
	begun := domaintest.Must(w.imports.PreviewInput(w.As(seller), access.ImportChange{ListID: list.ID, Rows: code("a"), More: &more}))(t)
	refused := func(input access.ImportContinuation, want domain.Code, text string) {
		t.Helper()
		_, err := w.imports.Continue(w.As(seller), list.ID, begun.ID, input)
		if !domain.HasCode(err, want) || !strings.Contains(err.Error(), text) {
			t.Errorf("%+v: got %v, want %s with %q", input, err, want, text)
		}
	}
	for _, after := range []int{2, 7} {
		refused(access.ImportContinuation{After: after, Rows: code("b")}, domain.CodeValidationFailed, "after must be 1, the number of rows received so far")
	}
	refused(access.ImportContinuation{After: -1, Rows: code("b")}, domain.CodeValidationFailed, "after must not be negative")
	refused(access.ImportContinuation{After: 1, Rows: make([]access.NewEntry, 1001)}, domain.CodeValidationFailed, "rows must have at most 1000 entries")
	_, err := w.imports.Commit(w.As(seller), list.ID, begun.ID, access.Commit{})
	if !domain.HasCode(err, domain.CodeInvalidState) {
		t.Errorf("committed while reading: %v", err)
	}

	// Only one of concurrent calls can continue. The other gets an error, or is recognized as a repeat.
	const callers = 8
	results := make(chan error, callers)
	for range callers {
		go func() {
			_, err := w.imports.Continue(w.As(seller), list.ID, begun.ID, access.ImportContinuation{After: 1, Rows: code("b"), More: &more})
			results <- err
		}()
	}
	for range callers {
		if err := <-results; err != nil && !domain.HasCode(err, domain.CodeInvalidState) {
			t.Errorf("got %v", err)
		}
	}
	staged := domaintest.Must(w.imports.Continue(w.As(seller), list.ID, begun.ID, access.ImportContinuation{After: 2}))(t)
	if want := (access.Counts{Rows: 2, New: 2}); staged.Counts != want || staged.State != access.Staged {
		t.Errorf("got %s with %+v, want %+v", staged.State, staged.Counts, want)
	}
	refused(access.ImportContinuation{After: 2, Rows: code("c")}, domain.CodeInvalidState, "This import is staged")
	domaintest.Must(w.imports.Cancel(w.As(seller), list.ID, begun.ID))(t)
	refused(access.ImportContinuation{After: 2, Rows: code("c")}, domain.CodeInvalidState, "This import is canceled")
}

// allCodes returns the codes of a list that is longer than a page, oldest first.
func (w *fixture) allCodes(list access.List) []string {
	w.T.Helper()
	var codes []string
	for {
		page := domain.Page{Limit: 1000, Skip: len(codes)}
		found := domaintest.Must(w.entries.List(w.As(seller), list.ID, access.EntryFilter{}, page))(w.T)
		for _, entry := range found.Items {
			codes = append(codes, entry.ExternalCode)
		}
		if len(found.Items) < page.Limit {
			return codes
		}
	}
}
