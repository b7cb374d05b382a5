package db

import (
	"context"
	"encoding/json"
	"time"

	"github.com/uptrace/bun"

	"ticketgate/domain"
	"ticketgate/domain/access"
	"ticketgate/domain/code"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/share"
)

// entryImportRow is a row of entry_imports: a staged import without its rows. Its JSON columns have the form that
// package access prints.
type entryImportRow struct {
	bun.BaseModel `bun:"table:entry_imports,alias:i"`

	ID            string             `bun:"id,pk"`
	ListID        string             `bun:"list_id"`
	SellerID      ids.Seller         `bun:"seller_id"`
	State         access.ImportState `bun:"state"`
	Mode          access.ImportMode  `bun:"mode"`
	Preset        access.Preset      `bun:"preset"`
	Counts        json.RawMessage    `bun:"counts,type:json"`
	Samples       json.RawMessage    `bun:"samples,type:json"`
	Result        json.RawMessage    `bun:"result,type:json,nullzero"`
	Undo          json.RawMessage    `bun:"undo,type:json,nullzero"`
	CreatedByType domain.CreatorType `bun:"created_by_type"`
	CreatedByID   string             `bun:"created_by_id"`
	CreatedAt     time.Time          `bun:"created_at"`
	CommittedAt   *time.Time         `bun:"committed_at"`
	UndoneAt      *time.Time         `bun:"undone_at"`
	Codes         code.Handling      `bun:"codes,scanonly"`
	TextParts     int                `bun:"text_parts,scanonly"`
}

// entryImportOptionRow is a row of entry_import_options: how an import reads codes, unless it refuses suspicious ones,
// which is the default.
type entryImportOptionRow struct {
	bun.BaseModel `bun:"table:entry_import_options,alias:o"`

	ImportID string        `bun:"import_id,pk"`
	Codes    code.Handling `bun:"codes"`
}

// stagedRow has the columns of an import's row that are shown.
type stagedRow struct {
	bun.BaseModel `bun:"table:entry_import_rows,alias:r"`

	Line         int    `bun:"line"`
	ExternalCode string `bun:"external_code"`
	Reason       string `bun:"reason"`
}

var (
	stagedRows     = &source[stagedRow]{columns: "r.line, coalesce(r.external_code, '') AS external_code, coalesce(r.reason, '') AS reason"}
	stagedWarnings = &source[stagedRow]{columns: "r.line, coalesce(r.external_code, '') AS external_code, r.warning AS reason"}
)

// entryImports includes the option for codes and the number of text parts.
var entryImports = &source[entryImportRow]{
	columns: "?TableColumns, coalesce((SELECT o.codes FROM entry_import_options o WHERE o.import_id = i.id), '') AS codes, " +
		"coalesce((SELECT t.parts FROM entry_import_texts t WHERE t.import_id = i.id), 0) AS text_parts",
}

const entryImportName = "Import"

// Imports lists the imports of an access list, oldest first.
func (s accessStore) Imports(
	ctx context.Context, seller ids.Seller, listID string, page domain.Page,
) (domain.List[access.Import], error) {
	q := entryImports.of(seller).where("i.list_id = $", listID)
	return listing[entryImportRow, access.Import]{query: q, id: "i.id", item: entryImportRow.toDomain}.page(ctx, s.Store, page)
}

// Import reads one import of a seller's list, without its lines.
func (s accessStore) Import(ctx context.Context, seller ids.Seller, listID, id string) (access.Import, error) {
	return entryImport(ctx, s.Store, s.sql, seller, listID, id, "")
}

// Report reads an import with the first lines of each kind.
func (s accessStore) Report(ctx context.Context, seller ids.Seller, listID, id string) (access.Report, error) {
	found, err := entryImport(ctx, s.Store, s.sql, seller, listID, id, "")
	if err != nil {
		return access.Report{}, err
	}
	report := access.Report{Import: found, RemovedCodes: []string{}}
	for _, kind := range []struct {
		lines     *[]access.ImportLine
		count     int
		from      *source[stagedRow]
		condition string
	}{
		{&report.BadLines, found.Counts.Bad, stagedRows, "r.verdict = 'bad'"},
		{&report.ConflictLines, found.Counts.Conflict, stagedRows, "r.verdict = 'conflict'"},
		{&report.WarningLines, found.Counts.Warnings, stagedWarnings, "r.warning IS NOT NULL"},
	} {
		if *kind.lines, err = s.importLines(ctx, kind.from, id, kind.count, kind.condition); err != nil {
			return access.Report{}, err
		}
	}
	if found.Counts.Removed == 0 {
		return report, nil
	}
	codes, err := stagedRows.where("r.import_id = $ AND r.line < 0", id).orderBy("r.line DESC").
		first(ctx, s.Store, s.sql, access.MaxLines)
	for _, removed := range codes {
		report.RemovedCodes = append(report.RemovedCodes, removed.ExternalCode)
	}
	return report, err
}

// importLines reads the first lines that meet a condition. If count is zero, it does not query.
func (s accessStore) importLines(
	ctx context.Context, from *source[stagedRow], id string, count int, condition string,
) ([]access.ImportLine, error) {
	if count == 0 {
		return []access.ImportLine{}, nil
	}
	found, err := from.where("r.import_id = $", id).where(condition).orderBy("r.line").first(ctx, s.Store, s.sql, access.MaxLines)
	if err != nil {
		return nil, err
	}
	return each(found, func(r stagedRow) (access.ImportLine, error) {
		return access.ImportLine{Line: r.Line, ExternalCode: r.ExternalCode, Reason: r.Reason}, nil
	})
}

// InsertImport stores a new import.
func (tx accessTx) InsertImport(ctx context.Context, imp access.Import) error {
	stored, err := entryImportRowOf(imp)
	if err != nil {
		return err
	}
	if err := tx.insert(ctx, stored); err != nil {
		return err
	}
	how, _ := code.HandlingOf(imp.TrimCodes, imp.KeepSuspicious)
	if how == code.Refuse {
		return nil
	}
	return tx.insert(ctx, &entryImportOptionRow{ImportID: imp.ID, Codes: how})
}

// ImportForUpdate reads an import and locks it. It locks the list first, in the same order as the deletion of a list.
func (tx accessTx) ImportForUpdate(ctx context.Context, seller ids.Seller, listID, id string) (access.Import, error) {
	if _, err := tx.ListForUpdate(ctx, seller, listID); err != nil {
		return access.Import{}, err
	}
	return entryImport(ctx, tx.store, tx, seller, listID, id, "NO KEY UPDATE")
}

func entryImport(
	ctx context.Context, s *Store, on conn, seller ids.Seller, listID, id, lock string,
) (access.Import, error) {
	q := entryImports.of(seller).withID(id).where("i.list_id = $", listID).forUpdate(lock)
	return readOne(ctx, s, on, q, entryImportName, entryImportRow.toDomain)
}

// UpdateImport writes all columns of an import.
func (tx accessTx) UpdateImport(ctx context.Context, imp access.Import) error {
	stored, err := entryImportRowOf(imp)
	if err != nil {
		return err
	}
	return tx.update(ctx, entryImportName, stored)
}

// LockImport reads an import and locks only it, not the list, so that a file can be uploaded while another import of
// the list commits.
func (tx accessTx) LockImport(ctx context.Context, seller ids.Seller, id string) (access.Import, error) {
	q := entryImports.of(seller).withID(id).forUpdate("NO KEY UPDATE")
	return readOne(ctx, tx.store, tx, q, accessListName, entryImportRow.toDomain)
}

// PurgeRows deletes the rows and the unread text of an import, but not the import.
func (tx accessTx) PurgeRows(ctx context.Context, imp access.Import) error {
	if _, err := stagedRows.where("r.import_id = $", imp.ID).delete(ctx, tx.store, tx); err != nil {
		return err
	}
	_, err := entryImportTexts.where("t.import_id = $", imp.ID).set("rest = NULL").update(ctx, tx.store, tx)
	return err
}

// SweepEntryImports deletes imports that can no longer be undone, and imports whose upload was abandoned.
func (s *Store) SweepEntryImports(ctx context.Context) error {
	const day = 24 * time.Hour
	now := s.now()
	return s.transactLong(ctx, "", share.Whole, func(ctx context.Context, tx *Tx) error {
		_, err := entryImports.where("i.created_at < $ OR (i.created_at < $ AND i.state = 'reading')",
			now.Add(-access.ImportKept*day), now.Add(-day)).where(staying).delete(ctx, s, tx)
		return err
	})
}

func entryImportRowOf(i access.Import) (*entryImportRow, error) {
	created := &entryImportRow{
		ID: i.ID, ListID: i.ListID, SellerID: i.SellerID, State: i.State, Mode: i.Mode, Preset: i.Preset,
		CreatedByType: i.CreatedBy.Type, CreatedByID: i.CreatedBy.ID, CreatedAt: i.CreatedAt.Time,
		CommittedAt: instant(i.CommittedAt), UndoneAt: instant(i.UndoneAt),
	}
	columns := map[*json.RawMessage]any{&created.Counts: i.Counts, &created.Samples: i.Samples}
	if i.Result != nil {
		columns[&created.Result] = i.Result
	}
	if i.Undo != nil {
		columns[&created.Undo] = i.Undo
	}
	for column, value := range columns {
		text, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		*column = text
	}
	return created, nil
}

func (r entryImportRow) toDomain() (access.Import, error) {
	imp := access.Import{
		ID: r.ID, ListID: r.ListID, SellerID: r.SellerID, State: r.State, Mode: r.Mode, Preset: r.Preset,
		CreatedBy: domain.Creator{Type: r.CreatedByType, ID: r.CreatedByID}, CreatedAt: moment.New(r.CreatedAt),
		CommittedAt: optionalTime(r.CommittedAt), UndoneAt: optionalTime(r.UndoneAt),
		TrimCodes: r.Codes == code.Trim, KeepSuspicious: r.Codes == code.Keep, TextParts: r.TextParts,
	}
	for column, into := range map[*json.RawMessage]any{
		&r.Counts: &imp.Counts, &r.Samples: &imp.Samples, &r.Result: &imp.Result, &r.Undo: &imp.Undo,
	} {
		if len(*column) == 0 {
			continue
		}
		if err := json.Unmarshal(*column, into); err != nil {
			return access.Import{}, err
		}
	}
	return imp, nil
}
