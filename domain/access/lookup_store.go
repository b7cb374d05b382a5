package access

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/ids"
)

// LookupStore is what lookups need of a database. A ticket is one of the wanted event, of one above it or, at a ROOT event, of
// one below it, and not blocked for it; of several it is the one that is VALID, not checked in, and oldest, in this
// order. An expired ticket comes after the others, and what counts as checked in is what a scan at the event and zone counts.
type LookupStore interface {
	// StaticTicket finds in one statement whether a static list knows a code, and its holder's ticket.
	StaticTicket(ctx context.Context, q Question) (Found, error)
	// TicketOfHolder finds the ticket of whom a remote list has named: the one with the _id, else one of the customer, else
	// one with the e-mail.
	TicketOfHolder(ctx context.Context, q Question, holder Holder) (Found, error)
	// RemoteLists lists the seller's remote lists with their keys; a listID narrows it to one.
	RemoteLists(ctx context.Context, seller ids.Seller, listID string) ([]List, error)
	// List reads one list; another seller's is NOT_FOUND.
	List(ctx context.Context, seller ids.Seller, id string) (List, error)
	// Spellings finds entries with the code in any case, those with exactly the code first.
	Spellings(ctx context.Context, q Question, most int) ([]Entry, error)
	// NoteUnknownCode counts a code that no list knew at a device.
	NoteUnknownCode(ctx context.Context, seen UnknownCode) error
	// UnknownCodes lists them, those seen first first.
	UnknownCodes(ctx context.Context, seller ids.Seller, filter UnknownCodeFilter, page domain.Page) (domain.List[UnknownCode], error)
}
