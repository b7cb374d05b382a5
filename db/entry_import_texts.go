package db

import (
	"context"
	"encoding/json"

	"github.com/uptrace/bun"

	"ticketgate/domain/access"
	"ticketgate/domain/ids"
)

// entryImportTextRow is a row of entry_import_texts: how far an import's text that arrives in parts has been read.
type entryImportTextRow struct {
	bun.BaseModel `bun:"table:entry_import_texts,alias:t"`

	ImportID string          `bun:"import_id,pk"`
	Parts    int             `bun:"parts"`
	Reading  json.RawMessage `bun:"reading,type:json"`
	Rest     []byte          `bun:"rest"`
}

var (
	entryImportTexts = &source[entryImportTextRow]{}
	// textsOfImports joins the imports, which have the seller.
	textsOfImports = &source[entryImportTextRow]{joins: []string{"JOIN entry_imports i ON i.id = t.import_id"}}
)

// ImportText returns how far the text of an import has been read.
func (s accessStore) ImportText(ctx context.Context, seller ids.Seller, importID string) (access.ImportText, error) {
	return importText(ctx, s.Store, s.sql, seller, importID)
}

// ImportText is like the method of accessStore, within the transaction.
func (tx accessTx) ImportText(ctx context.Context, seller ids.Seller, importID string) (access.ImportText, error) {
	return importText(ctx, tx.store, tx, seller, importID)
}

func importText(ctx context.Context, s *Store, on conn, seller ids.Seller, importID string) (access.ImportText, error) {
	q := textsOfImports.where("i.seller_id = $ AND t.import_id = $", string(seller), importID)
	return readOne(ctx, s, on, q, entryImportName, entryImportTextRow.toDomain)
}

// KeepText stores how far the text of an import has been read.
func (tx accessTx) KeepText(ctx context.Context, importID string, text access.ImportText) error {
	reading, err := json.Marshal(text)
	if err != nil {
		return err
	}
	_, err = insertOn(ctx, tx.store, tx,
		"CONFLICT (import_id) DO UPDATE SET parts = excluded.parts, reading = excluded.reading, rest = excluded.rest",
		&entryImportTextRow{ImportID: importID, Parts: text.Parts, Reading: reading, Rest: text.Rest})
	return err
}

func (r entryImportTextRow) toDomain() (access.ImportText, error) {
	text := access.ImportText{Parts: r.Parts, Rest: r.Rest}
	err := json.Unmarshal(r.Reading, &text)
	return text, err
}
