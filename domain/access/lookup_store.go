package access

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/ids"
)

// LookupStore reads what lookups need. The ticket of a code is for the event, for one above it or, at a ROOT event, for
// one below it, and must not exclude the event. Of several tickets, VALID ones come first, then those not checked in,
// then the oldest. Expired tickets come last. Whether a ticket counts as checked in is decided as for a scan at the
// event and zone (GATE-8).
type LookupStore interface {
	// StaticTicket reports whether a static list has a code, and returns the ticket of its holder, in one statement.
	StaticTicket(ctx context.Context, q Question) (Found, error)
	// TicketOfHolder returns the ticket of the holder that a remote list has named: by _id, else by customer, else by
	// email address.
	TicketOfHolder(ctx context.Context, q Question, holder Holder) (Found, error)
	// RemoteLists returns the seller's remote lists with their keys, or only the one with listID.
	RemoteLists(ctx context.Context, seller ids.Seller, listID string) ([]List, error)
	// List returns a list. A list of another seller is NOT_FOUND.
	List(ctx context.Context, seller ids.Seller, id string) (List, error)
	// Spellings returns entries with the code, case-insensitive. Exact matches come first.
	Spellings(ctx context.Context, q Question, most int) ([]Entry, error)
	// NoteUnknownCode records a code that no list knew at a device.
	NoteUnknownCode(ctx context.Context, seen UnknownCode) error
	// UnknownCodes returns the recorded codes in the order in which they were first seen.
	UnknownCodes(ctx context.Context, seller ids.Seller, filter UnknownCodeFilter, page domain.Page) (domain.List[UnknownCode], error)
}
