package access_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/access"
	"ticketgate/domain/domaintest"
)

// leftOut is the name of a column to leave out.
const leftOut = "(left out)"

// named returns the names of columns.
func named(names ...string) []*string {
	columns := make([]*string, len(names))
	for i, name := range names {
		if name != leftOut {
			columns[i] = &name
		}
	}
	return columns
}

// textParts previews a text in parts, one call after the other. Each part but the first is sent twice.
func (w *fixture) textParts(list access.List, columns []*string, parts ...string) (staged access.Report) {
	w.T.Helper()
	yes := true
	for i, part := range parts {
		more := i+1 < len(parts)
		if i == 0 {
			staged = domaintest.Must(w.imports.PreviewInput(w.As(seller), access.ImportChange{
				ListID: list.ID, Columns: columns, Heading: &yes, Text: &part, More: &more,
			}))(w.T)
			continue
		}
		for range 2 {
			further := access.ImportContinuation{After: i, Text: &part, More: &more}
			staged = domaintest.Must(w.imports.Continue(w.As(seller), list.ID, staged.ID, further))(w.T)
		}
	}
	return staged
}

// reportOf returns what a report says about the rows.
func reportOf(r access.Report) string {
	return fmt.Sprintf("%s %+v %+v bad %+v conflicts %+v warnings %+v removed %v",
		r.State, r.Counts, r.Samples, r.BadLines, r.ConflictLines, r.WarningLines, r.RemovedCodes)
}

// Wherever a text is divided, its report equals that of the whole file, and no text is kept (IMPORT-10).
func TestATextInPartsIsImportedLikeAFile(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	list := w.list("A")
	file, _, _ := longMess()
	want := reportOf(w.preview(list, access.ImportOptions{}, file))
	columns := named("externalCode", "email", "customerId", "meta.seat")
	random := rand.New(rand.NewPCG(1, 2))
	mess := strings.Index(file, "more\nthan")
	for _, cuts := range [][]int{
		{},
		{0, 0, 3, 4}, // before and after the byte order mark
		{strings.Index(file, "\r\n") + 1},
		{mess, mess + 5},
		{random.IntN(len(file)), random.IntN(len(file)), random.IntN(len(file)), len(file)},
	} {
		slices.Sort(cuts)
		var parts []string
		rest := file
		for _, cut := range slices.Backward(cuts) {
			parts, rest = append([]string{rest[cut:]}, parts...), rest[:cut]
		}
		staged := w.textParts(list, columns, append([]string{rest}, parts...)...)
		if got := reportOf(staged); got != want {
			t.Errorf("cut at %v: got %s\nwant %s", cuts, got, want)
		}
		if kept := w.Count("SELECT count(*) FROM entry_import_texts WHERE import_id = $1 AND rest IS NOT NULL", staged.ID); kept != 0 {
			t.Errorf("cut at %v: some of the text is kept", cuts)
		}
	}
}

// Cells of a left-out column are ignored. Cells of a column without a name must be empty.
func TestTextColumnsCanBeExcluded(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	list := w.list("A")
	const text = "Karte;Name;;Mail\nA1;Ada;;a@x.example\nB2;Ben;x;b@x.example\n\nC3;Cleo;;c@x.example;y\n"
	staged := w.textParts(list, named("code", leftOut, "", "email"), text)
	if want := (access.Counts{Rows: 3, New: 1, Bad: 2}); staged.Counts != want {
		t.Errorf("got %+v", staged.Counts)
	}
	if bad := []access.ImportLine{
		{Line: 3, ExternalCode: "B2", Reason: `has "x" in column 3, which has no name; name the column, or empty the cell`},
		{Line: 5, ExternalCode: "C3", Reason: "must have at most 4 cells, not 5; put a cell that contains the separator in quotation marks"},
	}; !slices.Equal(staged.BadLines, bad) {
		t.Errorf("got %+v, want %+v", staged.BadLines, bad)
	}
	text1, code := "A1,x\nB2,y\n", named("externalCode", leftOut)
	all := domaintest.Must(w.imports.PreviewInput(w.As(seller), access.ImportChange{ListID: list.ID, Columns: code, Text: &text1}))(t)
	if want := (access.Counts{Rows: 2, New: 2}); all.Counts != want {
		t.Errorf("without a heading: got %+v", all.Counts)
	}
	moved := "A1,x\nB2,y,z\n" // it is unknown which cell of the second line is the code
	staged = domaintest.Must(w.imports.PreviewInput(w.As(seller), access.ImportChange{ListID: list.ID, Columns: code, Text: &moved}))(t)
	if bad := staged.BadLines; len(bad) != 1 || bad[0].Line != 2 || bad[0].ExternalCode != "" {
		t.Errorf("with a surplus cell: got %+v", bad)
	}
}

func TestRefusedTexts(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	list, yes := w.list("A"), true
	text, long, open := "A1\n", strings.Repeat("A\n", access.MaxTextBytes/2)+"B", "A1\n\"B2\n"
	code, lower := named("externalCode"), access.ImportMode("all")
	for name, item := range map[string]struct {
		change access.ImportChange
		code   domain.Code
		fields []string
	}{
		"without columns": {access.ImportChange{Text: &text}, domain.CodeValidationFailed, []string{"columns"}},
		"without a column of codes": {
			access.ImportChange{Text: &text, Columns: named(leftOut, "email")}, domain.CodeValidationFailed, []string{"columns"},
		},
		"with everything": {
			access.ImportChange{
				Text: &long, Columns: named("nothing"), Mode: &lower,
				Rows: []access.NewEntry{{ExternalCode: "A"}}, Records: []access.ImportRecord{{1, nil}},
			},
			domain.CodeValidationFailed,
			[]string{"text", "rows", "records", "columns[0]", "columns", "mode"},
		},
		"with a heading but no text":  {access.ImportChange{Heading: &yes}, domain.CodeValidationFailed, []string{"heading"}},
		"with an open quotation mark": {access.ImportChange{Text: &open, Columns: code}, domain.CodeInvalidRequest, nil},
		"with an unreadable heading":  {access.ImportChange{Text: new("\"A\"B\nC\n"), Columns: code, Heading: &yes}, domain.CodeInvalidRequest, nil},
	} {
		item.change.ListID = list.ID
		_, err := w.imports.PreviewInput(w.As(seller), item.change)
		if !domain.HasCode(err, item.code) {
			t.Errorf("%s: got %v", name, err)
			continue
		}
		var fields []string
		for _, field := range domain.AsError(err).Fields {
			fields = append(fields, field.Path)
		}
		domaintest.Equal(t, name, fields, item.fields)
	}
	if created := w.Count("SELECT count(*) FROM entry_imports"); created != 0 {
		t.Errorf("got %d imports, want none", created)
	}
}

// A part is identified by its number. Parts without a complete row follow each other too, and none is added twice or
// skipped (IMPORT-10).
func TestPartsOfATextMustBeConsecutive(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	list, more := w.list("A"), true
	begin := func(text string) access.Report {
		return domaintest.Must(w.imports.PreviewInput(w.As(seller), access.ImportChange{
			ListID: list.ID, Columns: named("externalCode"), Text: &text, More: &more,
		}))(t)
	}
	begun := begin("a")
	send := func(input access.ImportContinuation) (access.Report, error) {
		return w.imports.Continue(w.As(seller), list.ID, begun.ID, input)
	}
	part := func(after int, text string) access.ImportContinuation {
		return access.ImportContinuation{After: after, Text: &text, More: &more}
	}
	refusedWith := func(input access.ImportContinuation, want domain.Code, words string) {
		t.Helper()
		if _, err := send(input); !domain.HasCode(err, want) || !strings.Contains(err.Error(), words) {
			t.Errorf("got %v, want %s with %q", err, want, words)
		}
	}
	domaintest.Must(send(part(1, "a")))(t)
	domaintest.Must(send(part(2, "a")))(t)
	refusedWith(part(0, "a"), domain.CodeValidationFailed, "after must be 3, the number of parts received so far")
	refusedWith(part(4, "a"), domain.CodeValidationFailed, "after must be 3, the number of parts received so far")
	refusedWith(part(3, strings.Repeat("a", access.MaxTextBytes+1)), domain.CodeValidationFailed, "text must be at most 524288 bytes in UTF-8")
	refusedWith(access.ImportContinuation{After: 3, Text: new("b"), Columns: named("externalCode")}, domain.CodeValidationFailed, "columns must not be sent again")
	refusedWith(access.ImportContinuation{After: 3}, domain.CodeValidationFailed, "text is required")
	refusedWith(access.ImportContinuation{After: 3, Rows: []access.NewEntry{{ExternalCode: "b"}}}, domain.CodeValidationFailed, "text is required")
	refusedWith(part(3, "\n\""+strings.Repeat("b\n", 40_000)), domain.CodeInvalidRequest, "Line 2: a record has more than 65536 bytes")

	// Only one of concurrent calls can continue. The others get an error, or are recognized as repeats.
	const callers = 8
	results := make(chan error, callers)
	for range callers {
		go func() {
			_, err := send(part(3, "a\nb"))
			results <- err
		}()
	}
	for range callers {
		if err := <-results; err != nil && !domain.HasCode(err, domain.CodeInvalidState) {
			t.Errorf("got %v", err)
		}
	}
	for range 2 {
		staged := domaintest.Must(send(access.ImportContinuation{After: 3, Text: new("a\nb")}))(t) // the same part, as the last one
		if want := (access.Counts{Rows: 2, New: 2}); staged.Counts != want || staged.State != access.Staged {
			t.Errorf("got %s with %+v, want %+v", staged.State, staged.Counts, want)
		}
	}
	w.commit(list, domaintest.Must(w.imports.Get(w.As(seller), list.ID, begun.ID))(t), access.Commit{})
	expect(t, w.allCodes(list), []string{"aaaa", "b"})
	refusedWith(part(4, "c"), domain.CodeInvalidState, "This import is committed")

	begun = begin("a\nb")
	domaintest.Must(w.imports.Cancel(w.As(seller), list.ID, begun.ID))(t)
	if kept := w.Count("SELECT count(*) FROM entry_import_texts WHERE rest IS NOT NULL"); kept != 0 {
		t.Error("some of a canceled text is kept")
	}
	refusedWith(part(1, "c"), domain.CodeInvalidState, "This import is canceled")

	begun = domaintest.Must(w.imports.PreviewInput(w.As(seller), access.ImportChange{
		ListID: list.ID, Rows: []access.NewEntry{{ExternalCode: "x"}}, More: &more,
	}))(t)
	refusedWith(part(1, "c"), domain.CodeValidationFailed, "text must be omitted, because the import started with rows")
}

// Two callers send the same part of a text. The one that waits gets an error, even if the part added no row.
func TestConcurrentTextParts(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	list, more := w.list("A"), true
	begun := domaintest.Must(w.imports.PreviewInput(w.As(seller), access.ImportChange{
		ListID: list.ID, Columns: named("externalCode"), Text: new("a"), More: &more,
	}))(t)
	other := domaintest.Must(w.Owner(t).BeginTx(t.Context(), nil))(t)
	defer func() { _ = other.Rollback() }()
	var id string
	if err := other.QueryRowContext(t.Context(), "SELECT pg_current_xact_id()::text").Scan(&id); err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{
		"UPDATE entry_imports SET state = state WHERE id = $1",
		"UPDATE entry_import_texts SET parts = 2, rest = 'ab' WHERE import_id = $1",
	} {
		domaintest.Must(other.ExecContext(t.Context(), statement, begun.ID))(t)
	}
	sent := make(chan error, 1)
	go func() {
		_, err := w.imports.Continue(w.As(seller), list.ID, begun.ID, access.ImportContinuation{After: 1, Text: new("c"), More: &more})
		sent <- err
	}()
	for w.Count("SELECT count(*) FROM pg_locks WHERE NOT granted AND transactionid::text = $1", id) == 0 {
		select {
		case err := <-sent:
			t.Fatalf("the second part did not wait: %v", err)
		case <-time.After(5 * time.Millisecond):
		}
	}
	if err := other.Commit(); err != nil {
		t.Fatal(err)
	}
	refused(t, <-sent, domain.CodeInvalidState)
	staged := domaintest.Must(w.imports.Continue(w.As(seller), list.ID, begun.ID, access.ImportContinuation{After: 2, Text: new("")}))(t)
	w.commit(list, staged, access.Commit{})
	expect(t, w.allCodes(list), []string{"ab"})
}

func TestTextBeginnings(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	yes, no := true, false
	for name, item := range map[string]struct {
		text    string
		heading *bool
		more    bool
		want    string
	}{
		"has column names":    {"External-Code;first_name;META.seat No;meta.;Kartennummer; \nA;B\n", nil, false, `; heading 2: externalCode firstname meta.seat No - - ""`},
		"has codes":           {"c43f3632\nB\n", nil, false, `, codes 2: externalCode`},
		"has blank columns":   {"c43f3632,, \nB\n", nil, false, `, codes 2: externalCode "" ""`},
		"has a code column":   {"External code\nB\n", nil, false, `, heading 2: externalCode`},
		"has unknown names":   {"Karte|Name\n", nil, false, `| heading 1: - -`},
		"has no heading":      {"code,email\nA,b\n", &no, false, `, codes 2: - -`},
		"has a heading":       {"email\nA\n", &yes, false, `, heading 2: email`},
		"is empty":            {"\n", nil, false, " codes 0:"},
		"continues in a line": {"sep=;\nA;B\nC", nil, true, "; heading 1: - -"},
		"ends in a line":      {"A;B\nC", nil, false, "; heading 2: - -"},
		"continues in a cell": {"A;B\n\"C\n", nil, true, "; heading 1: - -"},
		"ends in a cell":      {"A;B\n\"C\n", nil, false, "; heading 1: - - Line 2: a record has more than 65536 bytes, or a quotation mark is never closed"},
		"has a fault":         {"A;B\nC\n\"D\"E", nil, false, "; heading 2: - - Line 3 has text after a closing quotation mark"},
		"starts with a fault": {"\"D\"E\nA", nil, false, " codes 0: Line 1 has text after a closing quotation mark"},
		"is one long record":  {strings.Repeat("x", access.MaxBeginningBytes), nil, true, " codes 0: Line 1: a record has more than 65536 bytes, or a quotation mark is never closed"},
		"has no whole record": {strings.Repeat("x", 99), nil, true, " codes 0: No record ends within the first 99 bytes"},
		"has many columns":    {"x" + strings.Repeat(",", 1000), nil, false, ", codes 0: The first line has 1001 columns, but an import has at most 1000"},
		"is JSON": {
			`{"externalCode":"1"}`, nil, false,
			" codes 0: Line 1 starts with { like JSON, but the file was sent as CSV. Send one JSON object per line as " +
				"application/x-ndjson, or put a line externalCode before such codes",
		},
		"has codes like JSON": {`{"externalCode":"1"}`, &no, false, ", codes 1: externalCode"},
		"has no code column":  {"email\na@example.com\n", nil, false, ", heading 2: email"},
	} {
		found := domaintest.Must(w.imports.Beginning(w.As(seller), item.text, item.heading, item.more))(t)
		got := found.Separator + map[bool]string{true: " heading", false: " codes"}[found.Heading] + fmt.Sprintf(" %d:", found.Records)
		for _, column := range found.Columns {
			switch {
			case column.Column == nil:
				got += " -"
			case *column.Column == "":
				got += ` ""`
			default:
				got += " " + *column.Column
			}
		}
		if found.Problem != "" {
			got += " " + found.Problem
		}
		domaintest.Equal(t, name, got, item.want)
	}
	_, err := w.imports.Beginning(w.As(seller), strings.Repeat("x", access.MaxBeginningBytes+1), nil, true)
	refused(t, err, domain.CodeValidationFailed, "text")
}
