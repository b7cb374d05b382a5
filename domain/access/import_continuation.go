package access

import (
	"context"
	"fmt"

	"ticketgate/domain"
	"ticketgate/domain/optional"
)

// ImportContinuation is further rows of an import that is still reading.
type ImportContinuation struct {
	// After is how many rows have come in before these, or how many parts of a text: a repeated call is known by it.
	After   int            `graphql:"after"`
	Rows    []NewEntry     `graphql:"rows"`
	Columns []*string      `graphql:"columns"`
	Records []ImportRecord `graphql:"records"`
	// Text is the next part of a CSV text.
	Text *string `graphql:"text"`
	More *bool   `graphql:"more"`
}

// Continue adds at most MaxInlineRows rows, or a part of a text, to an import of which more were announced: accessLists:update, or
// a session with MANAGER. With the last of them it is staged. A call that is repeated changes nothing, and one that comes too early
// or too late is told how many have come in.
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
	made := report.Import
	repeated, err := rows.follow(made, input.After)
	switch {
	case err != nil:
		return Report{}, err
	case repeated && made.State == Staged && !rows.more, repeated && made.State == Reading && rows.more:
		return report, nil
	case made.State != Reading:
		return Report{}, domain.InvalidState("This import is " + string(made.State) + "; only one that is reading takes more rows")
	case repeated: // and what had to follow was not done
		rows = rows.without()
	}
	if err := s.add(ctx, made, rows, input.After); err != nil {
		return Report{}, err
	}
	return s.Store.Report(ctx, actor.SellerID, listID, id)
}

// add stages rows that follow so many others. They are read to their end before anything is stored (IMPORT-7).
func (s Imports) add(ctx context.Context, made Import, rows inlineRows, after int) (err error) {
	if made.TextParts > 0 {
		if rows.before, err = s.Store.ImportText(ctx, made.SellerID, made.ID); err != nil {
			return err
		}
		rows.before.Parts = after
	}
	file := rows.file(after)
	count, err := file.count()
	if err != nil {
		return err
	}
	return s.Store.InLongTx(ctx, made.SellerID, made.work(made.Counts.Rows+count, rows.more), func(ctx context.Context, tx Tx) error {
		if err := stillReading(ctx, tx, made); err != nil {
			return err
		}
		source, err := file()
		if err != nil {
			return err
		}
		staged := made
		return staged.stage(ctx, tx, source, rows.more)
	})
}

// follow reports whether the rows that come after so many others are in already. Of an import that is reading it says why they do
// not follow those that are.
func (r inlineRows) follow(made Import, after int) (repeated bool, err error) {
	came, end, what := made.Counts.Rows, after+r.count(), "rows"
	if made.TextParts > 0 {
		came, end, what = made.TextParts, after+1, "parts"
	}
	switch {
	case made.State != Reading:
	case made.TextParts > 0 && r.text == nil:
		return false, domain.Invalid("text", "must be sent, as the import began with a text")
	case made.TextParts == 0 && r.text != nil:
		return false, domain.Invalid("text", "must not be sent, as the import began with rows")
	case end != came && after != came:
		return false, domain.Invalid("after", fmt.Sprintf("must be %d, as so many %s have come in", came, what))
	}
	return end == came, nil
}

// without returns no rows of the same kind.
func (r inlineRows) without() inlineRows {
	none := inlineRows{more: r.more}
	if r.text != nil {
		none.text = new(string)
	}
	return none
}

// stillReading holds an import that takes rows in, or says why it takes no more: a cancellation removes those that are there,
// and what came later would be a file without its beginning. It must have just the rows that the caller knows of.
func stillReading(ctx context.Context, tx Tx, made Import) error {
	now, err := tx.LockImport(ctx, made.SellerID, made.ID)
	switch {
	case err != nil:
		return err
	case now.State != Reading:
		return domain.InvalidState("This import was " + string(now.State) + " while its rows came in; send the file again to import it")
	case now.Counts.Rows != made.Counts.Rows:
		return othersCame()
	case made.TextParts == 0:
		return nil
	}
	text, err := tx.ImportText(ctx, made.SellerID, made.ID) // what came with the lock is of before the lock
	if err == nil && text.Parts != made.TextParts {
		err = othersCame()
	}
	return err
}

func othersCame() error {
	return domain.InvalidState("Other rows of this import came in at the same time; send them one after the other")
}

// Beginning returns what the reader of imports makes of the beginning of a CSV text: accessLists:update, or a session with MANAGER.
// Nothing is stored. With more, the text goes on.
func (s Imports) Beginning(ctx context.Context, text string, heading *bool, more bool) (TextBeginning, error) {
	if _, err := domain.Authorize(ctx, domain.ReadImportColumns); err != nil {
		return TextBeginning{}, err
	}
	if length := len(text); length > MaxBeginningBytes {
		return TextBeginning{}, domain.Invalid("text", fmt.Sprintf("must be at most %d bytes in UTF-8, not %d", MaxBeginningBytes, length))
	}
	return beginningOf(text, heading, more), nil
}
