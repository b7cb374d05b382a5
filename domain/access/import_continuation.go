package access

import (
	"context"
	"fmt"

	"ticketgate/domain"
	"ticketgate/domain/optional"
)

// ImportContinuation holds more rows for an import that is reading.
type ImportContinuation struct {
	// After is the number of rows, or parts of a text, received before. It identifies a repeated call.
	After   int            `graphql:"after"`
	Rows    []NewEntry     `graphql:"rows"`
	Columns []*string      `graphql:"columns"`
	Records []ImportRecord `graphql:"records"`
	// Text is the next part of a CSV text.
	Text *string `graphql:"text"`
	More *bool   `graphql:"more"`
}

// Continue adds up to MaxInlineRows rows, or a part of a text, to an import that is reading. The last call stages the
// import. Repeating a call changes nothing. A call that is too early or too late gets an error with the number received
// so far. It requires accessLists:update, or a session with role MANAGER.
func (s Imports) Continue(ctx context.Context, listID, id string, input ImportContinuation) (Report, error) {
	actor, err := domain.Authorize(ctx, domain.ContinueEntryImport)
	if err != nil {
		return Report{}, err
	}
	rows := inlineRows{
		rows: input.Rows, columns: input.Columns, records: input.Records, text: input.Text,
		more: optional.IsTrue(input.More), further: true,
	}
	if err := rows.check(input.After).Err(); err != nil {
		return Report{}, err
	}
	report, err := s.Store.Report(ctx, actor.SellerID, listID, id)
	if err != nil {
		return Report{}, err
	}
	imp := report.Import
	repeated, err := rows.follow(imp, input.After)
	switch {
	case err != nil:
		return Report{}, err
	case repeated && imp.State == Staged && !rows.more, repeated && imp.State == Reading && rows.more:
		return report, nil
	case imp.State != Reading:
		return Report{}, domain.InvalidState("This import is " + string(imp.State) + ". Only an import that is reading accepts more rows")
	case repeated: // the rows were stored, but the import was not staged
		rows = rows.without()
	}
	if err := s.add(ctx, imp, rows, input.After); err != nil {
		return Report{}, err
	}
	return s.Store.Report(ctx, actor.SellerID, listID, id)
}

// add stages more rows. It reads all of them before it stores anything (IMPORT-7).
func (s Imports) add(ctx context.Context, imp Import, rows inlineRows, after int) (err error) {
	if imp.TextParts > 0 {
		if rows.before, err = s.Store.ImportText(ctx, imp.SellerID, imp.ID); err != nil {
			return err
		}
		rows.before.Parts = after
	}
	file := rows.file(after)
	count, err := file.count()
	if err != nil {
		return err
	}
	return s.Store.InLongTx(ctx, imp.SellerID, imp.work(imp.Counts.Rows+count, rows.more), func(ctx context.Context, tx Tx) error {
		if err := stillReading(ctx, tx, imp); err != nil {
			return err
		}
		source, err := file()
		if err != nil {
			return err
		}
		staged := imp
		return staged.stage(ctx, tx, source, rows.more)
	})
}

// follow reports whether the rows were received before. While the import is reading, it returns an error if they don't
// continue those received.
func (r inlineRows) follow(imp Import, after int) (repeated bool, err error) {
	came, end, what := imp.Counts.Rows, after+r.count(), "rows"
	if imp.TextParts > 0 {
		came, end, what = imp.TextParts, after+1, "parts"
	}
	switch {
	case imp.State != Reading:
	case imp.TextParts > 0 && r.text == nil:
		return false, domain.Invalid("text", "is required, because the import started with text")
	case imp.TextParts == 0 && r.text != nil:
		return false, domain.Invalid("text", "must be omitted, because the import started with rows")
	case end != came && after != came:
		return false, domain.Invalid("after", fmt.Sprintf("must be %d, the number of %s received so far", came, what))
	}
	return end == came, nil
}

// without returns a continuation of the same kind without rows.
func (r inlineRows) without() inlineRows {
	none := inlineRows{more: r.more}
	if r.text != nil {
		none.text = new(string)
	}
	return none
}

// stillReading locks an import that is reading, or returns why it accepts no more rows. A cancellation removes the
// rows, so later rows would form a file without its beginning. The import must have exactly the rows that the caller
// knows of.
func stillReading(ctx context.Context, tx Tx, imp Import) error {
	now, err := tx.LockImport(ctx, imp.SellerID, imp.ID)
	switch {
	case err != nil:
		return err
	case now.State != Reading:
		return domain.InvalidState("This import was " + string(now.State) + " while rows were being received. Send the file again")
	case now.Counts.Rows != imp.Counts.Rows:
		return othersCame()
	case imp.TextParts == 0:
		return nil
	}
	text, err := tx.ImportText(ctx, imp.SellerID, imp.ID) // LockImport read it before it had the lock
	if err == nil && text.Parts != imp.TextParts {
		err = othersCame()
	}
	return err
}

func othersCame() error {
	return domain.InvalidState("Other rows of this import were received at the same time. Send them one after another")
}

// Beginning parses the beginning of a CSV text as an import would, and stores nothing. With more, the text continues.
// It requires accessLists:update, or a session with role MANAGER.
func (s Imports) Beginning(ctx context.Context, text string, heading *bool, more bool) (TextBeginning, error) {
	if _, err := domain.Authorize(ctx, domain.ReadImportColumns); err != nil {
		return TextBeginning{}, err
	}
	if length := len(text); length > MaxBeginningBytes {
		return TextBeginning{}, domain.Invalid("text", fmt.Sprintf("must be at most %d bytes in UTF-8, not %d", MaxBeginningBytes, length))
	}
	return beginningOf(text, heading, more), nil
}
