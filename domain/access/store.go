package access

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
)

// Store is what this area needs of a database. What another seller has is NOT_FOUND.
type Store interface {
	ImportStore
	InTx(ctx context.Context, f func(Tx) error) error
	// InLongTx is InTx for a change of many rows: more than share.Ordinary of them wait for the seller's share and then have
	// minutes, whatever becomes of the caller. The context of f is the one to go on with.
	InLongTx(ctx context.Context, seller ids.Seller, rows int, f func(context.Context, Tx) error) error
	List(ctx context.Context, seller ids.Seller, id string) (List, error)
	ListsByID(ctx context.Context, seller ids.Seller, ids []string) (map[string]List, error)
	Lists(ctx context.Context, seller ids.Seller, filter ListFilter, page domain.Page) (domain.List[List], error)
	// ListSizes counts the entries of those of the lists that are the seller's, up to one more than MostCounted.
	ListSizes(ctx context.Context, seller ids.Seller, ids []string) (map[string]int, error)
	Entry(ctx context.Context, seller ids.Seller, listID, id string) (Entry, error)
	Entries(ctx context.Context, seller ids.Seller, listID string, filter EntryFilter, page domain.Page) (domain.List[Entry], error)
	// EntriesOfLists reads a page of each list's entries in one query. Every list has a page.
	EntriesOfLists(
		ctx context.Context, seller ids.Seller, lists []string, filter EntryFilter, page domain.Page,
	) (map[string]domain.List[Entry], error)
	// EntriesByCode finds the entries with the codes; of several with one code the oldest.
	EntriesByCode(ctx context.Context, seller ids.Seller, codes []string) (map[string]Entry, error)
	// EntriesThere returns those of the ids that entries of the list have.
	EntriesThere(ctx context.Context, seller ids.Seller, listID string, ids []string) ([]string, error)
	// HasEvent tells whether an event of the catalogue exists and is the seller's.
	HasEvent(ctx context.Context, seller ids.Seller, id string) (bool, error)
}

// ImportStore is what is read of imports.
type ImportStore interface {
	Imports(ctx context.Context, seller ids.Seller, listID string, page domain.Page) (domain.List[Import], error)
	Import(ctx context.Context, seller ids.Seller, listID, id string) (Import, error)
	Report(ctx context.Context, seller ids.Seller, listID, id string) (Report, error)
	// ImportText returns how far the text of an import was read that comes in parts.
	ImportText(ctx context.Context, seller ids.Seller, importID string) (ImportText, error)
}

// Tx is what a transaction offers to this area. Every change of lists and entries goes through it.
type Tx interface {
	domain.Tx
	ImportTx
	List(ctx context.Context, seller ids.Seller, id string) (List, error)
	InsertList(ctx context.Context, list List) error
	// ListForUpdate keeps others from changing the list until the transaction ends; they may go on adding entries.
	ListForUpdate(ctx context.Context, seller ids.Seller, id string) (List, error)
	UpdateList(ctx context.Context, list List) error
	// DeleteList removes the list with its entries and imports.
	DeleteList(ctx context.Context, seller ids.Seller, id string) error

	InsertEntry(ctx context.Context, entry Entry) error
	// EntryForUpdate keeps others from changing the entry until the transaction ends.
	EntryForUpdate(ctx context.Context, seller ids.Seller, listID, id string) (Entry, error)
	UpdateEntry(ctx context.Context, entry Entry) error
	DeleteEntry(ctx context.Context, seller ids.Seller, id string) error
	// DeleteEntries removes the entries of a list that have the ids, and tells which there were.
	DeleteEntries(ctx context.Context, list List, ids []string) ([]string, error)
	// DeleteMatchingEntries removes all entries of a list that a filter finds, and tells how many there were.
	DeleteMatchingEntries(ctx context.Context, list List, filter EntryFilter) (int, error)
}

// ImportTx is what a transaction offers to imports.
type ImportTx interface {
	InsertImport(ctx context.Context, made Import) error
	// ImportForUpdate keeps other imports of the list, and changes of the list itself, waiting until the transaction ends.
	ImportForUpdate(ctx context.Context, seller ids.Seller, listID, id string) (Import, error)
	UpdateImport(ctx context.Context, made Import) error
	// LockImport keeps an import as it is until the transaction ends, and tells how it is; NOT_FOUND once its list is gone.
	LockImport(ctx context.Context, seller ids.Seller, id string) (Import, error)

	// StageRows stores rows of a file.
	StageRows(ctx context.Context, importID string, rows []StagedRow) error
	// ImportText returns how far the text of an import was read.
	ImportText(ctx context.Context, seller ids.Seller, importID string) (ImportText, error)
	// KeepText stores how far the text of an import was read.
	KeepText(ctx context.Context, importID string, text ImportText) error
	// MarkRepeated finds the codes that stand in the file more than once. What repeats a row is a duplicate, what differs
	// from it is bad.
	MarkRepeated(ctx context.Context, importID string) error
	// Compare finds out what each row would do to the list as it is now, and counts.
	Compare(ctx context.Context, made Import) (Counts, error)
	// Apply changes the list as Compare has found, and remembers how it was.
	Apply(ctx context.Context, made Import, updateConflicts bool, now moment.DateTime) (Result, error)
	// Revert takes Apply back where nobody has changed an entry since.
	Revert(ctx context.Context, made Import, now moment.DateTime) (UndoResult, error)
	// ForgetRows removes the rows of an import and keeps the import.
	ForgetRows(ctx context.Context, made Import) error
	// Weigh counts what removals are weighed against.
	Weigh(ctx context.Context, made Import) (Weights, error)
}
