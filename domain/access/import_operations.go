package access

import (
	"context"
	"errors"
	"io"
	"slices"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/optional"
	"ticketgate/domain/share"
)

// Imports implements imports of entries.
type Imports struct {
	Store Store
	Now   func() time.Time
}

// ImportChange is the input of an import. Its rows are in a file or in the input.
type ImportChange struct {
	ListID string `graphql:"listId"`
	// File opens the file, which is never held in memory as a whole. It is nil for GraphQL inputs.
	File   File
	Mode   *ImportMode `graphql:"mode"`
	Preset *Preset     `graphql:"preset"`
	// TrimCodes and KeepSuspicious decide how codes that look damaged are read (IMPORT-1).
	TrimCodes      *bool          `graphql:"trimCodes"`
	KeepSuspicious *bool          `graphql:"keepSuspicious"`
	Rows           []NewEntry     `graphql:"rows"`
	Columns        []*string      `graphql:"columns"`
	Records        []ImportRecord `graphql:"records"`
	// Text is a CSV text or its first part. Heading reports whether its first record names the columns.
	Text    *string `graphql:"text"`
	Heading *bool   `graphql:"heading"`
	// More announces rows that follow by Continue.
	More *bool `graphql:"more"`
}

// batch is the number of rows that one statement stages, and the maximum number of rows of a file in memory.
const batch = 1000

// maxSamples is the number of codes that are shown with every preset.
const maxSamples = 3

// PreviewInput is Preview for a file, for up to MaxInlineRows rows, or for a text of up to MaxTextBytes.
func (s Imports) PreviewInput(ctx context.Context, input ImportChange) (Report, error) {
	options := ImportOptions{
		TrimCodes: optional.IsTrue(input.TrimCodes), KeepSuspicious: optional.IsTrue(input.KeepSuspicious),
		More: optional.IsTrue(input.More),
	}
	if input.Mode != nil {
		options.Mode = *input.Mode
	}
	if input.Preset != nil {
		options.Preset = *input.Preset
	}
	if input.File != nil {
		return s.Preview(ctx, input.ListID, options, input.File)
	}
	if _, err := domain.Authorize(ctx, domain.PreviewEntryImport); err != nil {
		return Report{}, err
	}
	rows := inlineRows{
		rows: input.Rows, columns: input.Columns, records: input.Records, text: input.Text, more: options.More,
		before: ImportText{Columns: input.Columns, Heading: optional.IsTrue(input.Heading)},
	}
	errs := rows.check(0)
	_, err := options.checked()
	errs.Under("", err)
	if err := errs.Err(); err != nil {
		return Report{}, err
	}
	return s.Preview(ctx, input.ListID, options, rows.file(0))
}

// Preview stages the rows of a file and reports what committing them would do. The list does not change. It reads the
// whole file before it stores anything, and then stages it in one transaction (IMPORT-7). So a slow sender blocks
// nothing, and an unreadable or incomplete file leaves nothing behind. It requires accessLists:update, or a session
// with role MANAGER.
func (s Imports) Preview(ctx context.Context, listID string, options ImportOptions, file File) (Report, error) {
	actor, err := domain.Authorize(ctx, domain.PreviewEntryImport)
	if err != nil {
		return Report{}, err
	}
	if options, err = options.checked(); err != nil {
		return Report{}, err
	}
	if err := holdsEntries(s.Store.List(ctx, actor.SellerID, listID)); err != nil {
		return Report{}, err
	}
	rows, err := file.count()
	if err != nil {
		return Report{}, err
	}
	now := s.Now()
	imp := Import{
		ID: ids.New(now), ListID: listID, SellerID: actor.SellerID, State: Reading, Mode: options.Mode,
		Preset: options.Preset, TrimCodes: options.TrimCodes, KeepSuspicious: options.KeepSuspicious,
		Samples: []Sample{}, CreatedBy: actor.Creator(), CreatedAt: moment.New(now),
	}
	err = s.Store.InLongTx(ctx, actor.SellerID, imp.work(rows, options.More), func(ctx context.Context, tx Tx) error {
		if err := holdsEntries(tx.List(ctx, actor.SellerID, listID)); err != nil { // it may have been deleted meanwhile
			return err
		}
		staged := imp
		if err := tx.InsertImport(ctx, staged); err != nil {
			return err
		}
		source, err := file()
		if err != nil {
			return err
		}
		return staged.stage(ctx, tx, source, options.More)
	})
	if err != nil {
		return Report{}, err
	}
	return s.Store.Report(ctx, actor.SellerID, listID, imp.ID)
}

// holdsEntries returns err, or an error if the list is remote.
func holdsEntries(list List, err error) error {
	if err != nil {
		return err
	}
	return list.holdsEntries()
}

// stage stores the rows of a source in batches. Unless more rows follow, it compares all rows with the list. For a
// text, it stores how far the text was read.
func (i *Import) stage(ctx context.Context, tx Tx, source Source, more bool) error {
	rows := make([]StagedRow, 0, batch)
	for end := false; !end; rows = rows[:0] {
		for len(rows) < batch {
			row, err := source.Next()
			if end = errors.Is(err, io.EOF); end {
				break
			}
			if err != nil {
				return err
			}
			i.sample(row)
			rows = append(rows, row.staged(i.Preset, i.handling()))
		}
		if err := tx.StageRows(ctx, i.ID, rows); err != nil {
			return err
		}
		i.Counts.Rows += len(rows)
	}
	if part, ok := source.(*textPart); ok {
		if err := tx.KeepText(ctx, i.ID, part.after()); err != nil {
			return err
		}
	}
	if more {
		return tx.UpdateImport(ctx, *i)
	}
	err := tx.MarkRepeated(ctx, i.ID)
	if err != nil {
		return err
	}
	if i.Counts, err = tx.Compare(ctx, *i); err != nil {
		return err
	}
	i.State = Staged
	return tx.UpdateImport(ctx, *i)
}

// sample adds the code of a row to the samples, if it is one of the first. It skips repeated codes, and rows that are
// bad with any preset.
func (i *Import) sample(row Row) {
	if len(i.Samples) == maxSamples {
		return
	}
	staged := row.staged(AsRead, i.handling())
	shown := func(s Sample) bool { return s.Code == staged.Entry.ExternalCode }
	if staged.Bad == "" && !slices.ContainsFunc(i.Samples, shown) {
		i.Samples = append(i.Samples, sampleOf(staged.Entry.ExternalCode))
	}
}

// List returns a list's imports, oldest first. It requires accessLists:list, or a session with role VIEWER.
func (s Imports) List(ctx context.Context, listID string, page domain.Page) (domain.List[Import], error) {
	actor, err := domain.Authorize(ctx, domain.ListEntryImports)
	if err != nil {
		return domain.List[Import]{}, err
	}
	if _, err := s.Store.List(ctx, actor.SellerID, listID); err != nil {
		return domain.List[Import]{}, err
	}
	return s.Store.Imports(ctx, actor.SellerID, listID, page)
}

// Get returns the report of an import. It requires accessLists:list, or a session with role VIEWER.
func (s Imports) Get(ctx context.Context, listID, id string) (Report, error) {
	actor, err := domain.Authorize(ctx, domain.GetEntryImport)
	if err != nil {
		return Report{}, err
	}
	return s.Store.Report(ctx, actor.SellerID, listID, id)
}

// Commit applies a staged import, all or nothing, after comparing it with the list again. A committed import is
// returned unchanged. It requires accessLists:update, or a session with role MANAGER.
func (s Imports) Commit(ctx context.Context, listID, id string, input Commit) (Report, error) {
	if _, err := domain.Authorize(ctx, domain.CommitEntryImport); err != nil {
		return Report{}, err
	}
	if err := input.check(); err != nil {
		return Report{}, err
	}
	return s.move(ctx, domain.CommitEntryImport, listID, id, func(ctx context.Context, tx Tx, imp *Import) error {
		switch imp.State {
		case Committed:
			return nil
		case Staged:
			return s.commit(ctx, tx, imp, input)
		case Reading, Canceled, Undone:
		}
		return domain.InvalidState("This import is " + string(imp.State) + ". Only a staged import can be committed")
	})
}

func (s Imports) commit(ctx context.Context, tx Tx, imp *Import, input Commit) error {
	counts, err := tx.Compare(ctx, *imp)
	if err != nil {
		return err
	}
	var weights Effects
	if counts.Removed > 0 {
		if weights, err = tx.CountEffects(ctx, *imp); err != nil {
			return err
		}
	}
	if err := input.refuse(imp.Mode, counts, weights); err != nil {
		return err
	}
	now := moment.New(s.Now())
	result, err := tx.Apply(ctx, *imp, input.onConflict(imp.Mode) == UpdateOnConflict, now)
	if domain.HasCode(err, domain.CodeEntryAlreadyInList) {
		return domain.InvalidState("One of the codes was added meanwhile. Commit again")
	}
	if err != nil {
		return err
	}
	imp.State, imp.Counts, imp.Result, imp.CommittedAt = Committed, counts, &result, &now
	return nil
}

// Cancel cancels a reading or staged import and deletes its rows. A canceled import is returned unchanged. It requires
// accessLists:update, or a session with role MANAGER.
func (s Imports) Cancel(ctx context.Context, listID, id string) (Report, error) {
	if _, err := domain.Authorize(ctx, domain.CancelEntryImport); err != nil {
		return Report{}, err
	}
	return s.move(ctx, domain.CancelEntryImport, listID, id, func(ctx context.Context, tx Tx, imp *Import) error {
		if err := domain.Unchanged(ctx, nil, moment.DateTime{}); err != nil { // imports have no ETag, so none matches
			return err
		}
		switch imp.State {
		case Canceled:
			return nil
		case Reading, Staged:
			imp.State = Canceled
			return tx.PurgeRows(ctx, *imp)
		case Committed:
			return domain.InvalidState("This import is committed. Undo it instead")
		case Undone:
		}
		return domain.InvalidState("This import is already undone")
	})
}

// Undo reverts the changes of a committed import, except for entries that were changed since. An undone import is
// returned unchanged. It requires accessLists:update, or a session with role MANAGER.
func (s Imports) Undo(ctx context.Context, listID, id string) (Report, error) {
	if _, err := domain.Authorize(ctx, domain.UndoEntryImport); err != nil {
		return Report{}, err
	}
	return s.move(ctx, domain.UndoEntryImport, listID, id, func(ctx context.Context, tx Tx, imp *Import) error {
		switch imp.State {
		case Undone:
			return nil
		case Committed:
			now := moment.New(s.Now())
			undone, err := tx.Revert(ctx, *imp, now)
			imp.State, imp.Undo, imp.UndoneAt = Undone, &undone, &now
			return err
		case Reading, Staged, Canceled:
		}
		return domain.InvalidState("This import is " + string(imp.State) + ". Only a committed import can be undone")
	})
}

// move changes the state of an import and audits it in one transaction.
func (s Imports) move(
	ctx context.Context, action domain.Operation, listID, id string, do func(context.Context, Tx, *Import) error,
) (Report, error) {
	actor := domain.ActorOf(ctx)
	known, err := s.Store.Import(ctx, actor.SellerID, listID, id)
	if err != nil {
		return Report{}, err
	}
	err = s.Store.InLongTx(ctx, actor.SellerID, known.affects(), func(ctx context.Context, tx Tx) error {
		before, err := tx.ImportForUpdate(ctx, actor.SellerID, listID, id)
		if err != nil {
			return err
		}
		after := before
		if err := do(ctx, tx, &after); err != nil || after.State == before.State {
			return err
		}
		if err := tx.UpdateImport(ctx, after); err != nil {
			return err
		}
		return tx.Audit(ctx, domain.Change{
			SellerID: actor.SellerID, Action: action, Object: "entryImport", ObjectID: id,
		}.Diff(before.audited(), after.audited()))
	})
	if err != nil {
		return Report{}, err
	}
	return s.Store.Report(ctx, actor.SellerID, listID, id)
}

// affects returns the number of rows that a step of the import reads. A full set is compared with the whole list.
func (i *Import) affects() int { return i.work(i.Counts.Rows, false) }

// work returns the number of rows to read for an import with this number of rows. A full set is compared with the whole
// list, unless more rows follow.
func (i *Import) work(rows int, more bool) int {
	if i.Mode == FullSet && !more {
		return share.Whole
	}
	return rows
}

// importState is an import as the audit log shows it.
type importState struct {
	ListID string      `json:"listId"`
	State  ImportState `json:"state"`
	Result *Result     `json:"result,omitempty"`
	Undo   *UndoResult `json:"undo,omitempty"`
}

func (i *Import) audited() importState {
	return importState{ListID: i.ListID, State: i.State, Result: i.Result, Undo: i.Undo}
}
