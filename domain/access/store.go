package access

import (
	"context"

	"ticketgate/domain"
)

// Store is what this area needs of a database. What another seller has is NOT_FOUND.
type Store interface {
	InTx(ctx context.Context, f func(Tx) error) error
	// InLongTx is InTx for a change of a whole list: its statements have minutes.
	InLongTx(ctx context.Context, f func(Tx) error) error
	List(ctx context.Context, seller domain.SellerID, id string) (List, error)
	Lists(ctx context.Context, seller domain.SellerID, filter ListFilter, page domain.Page) (domain.List[List], error)
	Entry(ctx context.Context, seller domain.SellerID, listID, id string) (Entry, error)
	Entries(ctx context.Context, seller domain.SellerID, listID string, filter EntryFilter, page domain.Page) (domain.List[Entry], error)
	// HasEvent tells whether an event of the catalogue exists and is the seller's.
	HasEvent(ctx context.Context, seller domain.SellerID, id string) (bool, error)
}

// Tx is what a transaction offers to this area. Every change of lists and entries goes through it.
type Tx interface {
	domain.Tx
	List(ctx context.Context, seller domain.SellerID, id string) (List, error)
	InsertList(ctx context.Context, list List) error
	// ListForUpdate keeps others from changing the list until the transaction ends; they may go on adding entries.
	ListForUpdate(ctx context.Context, seller domain.SellerID, id string) (List, error)
	UpdateList(ctx context.Context, list List) error
	// DeleteList removes the list with its entries and imports.
	DeleteList(ctx context.Context, seller domain.SellerID, id string) error

	InsertEntry(ctx context.Context, entry Entry) error
	// EntryForUpdate keeps others from changing the entry until the transaction ends.
	EntryForUpdate(ctx context.Context, seller domain.SellerID, listID, id string) (Entry, error)
	UpdateEntry(ctx context.Context, entry Entry) error
	DeleteEntry(ctx context.Context, entry Entry) error
}
