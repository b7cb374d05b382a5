package access

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
)

// Store reads and writes lists, entries and imports. A record of another seller is NOT_FOUND.
type Store interface {
	ImportStore
	InTx(ctx context.Context, f func(Tx) error) error
	// AddEntry adds an entry to a static list. Concurrent calls of the seller share a statement (IMPORT-11). It returns
	// false if the entry was not added. The caller then finds out why in a transaction.
	AddEntry(ctx context.Context, entry Entry) (bool, error)
	// InLongTx is InTx for work on this number of rows. More than share.Ordinary rows wait for the seller's share, and
	// then run to the end even if the caller leaves. Use the context that f gets.
	InLongTx(ctx context.Context, seller ids.Seller, rows int, f func(context.Context, Tx) error) error
	List(ctx context.Context, seller ids.Seller, id string) (List, error)
	ListsByID(ctx context.Context, seller ids.Seller, ids []string) (map[string]List, error)
	Lists(ctx context.Context, seller ids.Seller, filter ListFilter, page domain.Page) (domain.List[List], error)
	// ListSizes counts the entries of the seller's lists with these ids, up to MaxCounted+1.
	ListSizes(ctx context.Context, seller ids.Seller, ids []string) (map[string]int, error)
	Entry(ctx context.Context, seller ids.Seller, listID, id string) (Entry, error)
	Entries(ctx context.Context, seller ids.Seller, listID string, filter EntryFilter, page domain.Page) (domain.List[Entry], error)
	// EntriesOfLists returns a page of each list's entries, in one query. Every list has a page.
	EntriesOfLists(
		ctx context.Context, seller ids.Seller, lists []string, filter EntryFilter, page domain.Page,
	) (map[string]domain.List[Entry], error)
	// EntriesByCode returns the entries with these codes, the oldest for each code.
	EntriesByCode(ctx context.Context, seller ids.Seller, codes []string) (map[string]Entry, error)
	// EntriesThere returns the ids that belong to entries of the list.
	EntriesThere(ctx context.Context, seller ids.Seller, listID string, ids []string) ([]string, error)
	// HasEvent reports whether the seller has the event.
	HasEvent(ctx context.Context, seller ids.Seller, id string) (bool, error)
}

// ImportStore reads imports.
type ImportStore interface {
	Imports(ctx context.Context, seller ids.Seller, listID string, page domain.Page) (domain.List[Import], error)
	Import(ctx context.Context, seller ids.Seller, listID, id string) (Import, error)
	Report(ctx context.Context, seller ids.Seller, listID, id string) (Report, error)
	// ImportText returns the state of an import's text.
	ImportText(ctx context.Context, seller ids.Seller, importID string) (ImportText, error)
}

// Tx reads and writes lists, entries and imports within a transaction.
type Tx interface {
	domain.Tx
	ImportTx
	List(ctx context.Context, seller ids.Seller, id string) (List, error)
	InsertList(ctx context.Context, list List) error
	// ListForUpdate locks the list until the transaction ends. Entries can still be added.
	ListForUpdate(ctx context.Context, seller ids.Seller, id string) (List, error)
	UpdateList(ctx context.Context, list List) error
	// DeleteList removes the list with its entries and imports.
	DeleteList(ctx context.Context, seller ids.Seller, id string) error

	InsertEntry(ctx context.Context, entry Entry) error
	// EntryForUpdate locks the entry until the transaction ends.
	EntryForUpdate(ctx context.Context, seller ids.Seller, listID, id string) (Entry, error)
	UpdateEntry(ctx context.Context, entry Entry) error
	DeleteEntry(ctx context.Context, seller ids.Seller, id string) error
	// DeleteEntries removes the entries of a list with these ids, and returns the ids of those that existed.
	DeleteEntries(ctx context.Context, list List, ids []string) ([]string, error)
	// DeleteMatchingEntries removes the entries of a list that match a filter, and returns their number.
	DeleteMatchingEntries(ctx context.Context, list List, filter EntryFilter) (int, error)
}

// ImportTx writes imports within a transaction.
type ImportTx interface {
	InsertImport(ctx context.Context, imp Import) error
	// ImportForUpdate locks the import and its list until the transaction ends. Other imports of the list wait.
	ImportForUpdate(ctx context.Context, seller ids.Seller, listID, id string) (Import, error)
	UpdateImport(ctx context.Context, imp Import) error
	// LockImport locks the import until the transaction ends, and returns it. It returns NOT_FOUND if its list was
	// deleted.
	LockImport(ctx context.Context, seller ids.Seller, id string) (Import, error)

	// StageRows stores rows of a file.
	StageRows(ctx context.Context, importID string, rows []StagedRow) error
	// ImportText returns the state of an import's text.
	ImportText(ctx context.Context, seller ids.Seller, importID string) (ImportText, error)
	// KeepText stores the state of an import's text.
	KeepText(ctx context.Context, importID string, text ImportText) error
	// MarkRepeated finds codes that occur more than once in the file. Equal rows are duplicates, different ones are
	// bad.
	MarkRepeated(ctx context.Context, importID string) error
	// Compare determines what each row would do to the list now, and counts the results.
	Compare(ctx context.Context, imp Import) (Counts, error)
	// Apply changes the list as determined by Compare, and stores its previous content.
	Apply(ctx context.Context, imp Import, updateConflicts bool, now moment.DateTime) (Result, error)
	// Revert undoes Apply, except for entries that were changed since.
	Revert(ctx context.Context, imp Import, now moment.DateTime) (UndoResult, error)
	// PurgeRows deletes the rows of an import but keeps the import.
	PurgeRows(ctx context.Context, imp Import) error
	// CountEffects returns the Effects of an import.
	CountEffects(ctx context.Context, imp Import) (Effects, error)
}
