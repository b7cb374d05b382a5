package ticket

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/money"
)

// Store is the database access of tickets. Records of other sellers are NOT_FOUND.
type Store interface {
	InTx(ctx context.Context, f func(Tx) error) error
	// InLongTx is InTx for work on the given number of rows. Above share.Ordinary it waits for the seller's share and
	// then continues even if the caller gives up. f must use the context that it receives.
	InLongTx(ctx context.Context, seller ids.Seller, rows int, f func(context.Context, Tx) error) error
	Ticket(ctx context.Context, seller ids.Seller, id string) (Record, error)
	TicketsByID(ctx context.Context, seller ids.Seller, ids []string) (map[string]Record, error)
	// TicketsOfTransactions reads a page of each transaction's tickets in one query. Every transaction has a list.
	TicketsOfTransactions(
		ctx context.Context, seller ids.Seller, transactions []string, filter Filter, page domain.Page,
	) (map[string]domain.List[Record], error)
	// TakenBarcodes returns the barcodes that other stored tickets have. In barcodes, the keys are the _ids of the
	// tickets that would get the barcodes.
	TakenBarcodes(ctx context.Context, seller ids.Seller, barcodes map[string]string) ([]TakenBarcode, error)
	// TicketsOfEvents reads a page of each event's tickets in one query. Every event has a list.
	TicketsOfEvents(
		ctx context.Context, seller ids.Seller, events []string, filter Filter, page domain.Page,
	) (map[string]domain.List[Record], error)
	// TicketsOfCustomers reads a page of each customer's tickets in one query (GRAPH-4). Every customer has a list.
	TicketsOfCustomers(
		ctx context.Context, seller ids.Seller, customers []string, filter Filter, page domain.Page,
	) (map[string]domain.List[Record], error)
	// TicketsByBarcode returns the tickets with exactly these barcodes.
	TicketsByBarcode(ctx context.Context, seller ids.Seller, barcodes []string) (map[string]Record, error)
	// SoldOfTypes counts the VALID tickets of each ticket type.
	SoldOfTypes(ctx context.Context, seller ids.Seller, types []string) (map[string]int, error)
	// Tickets lists tickets by creation time, then _id.
	Tickets(ctx context.Context, seller ids.Seller, filter Filter, page domain.Page) (domain.List[Record], error)
}

// Tx is a database transaction on tickets.
type Tx interface {
	domain.Tx
	// PublishAll publishes many events in few statements.
	PublishAll(ctx context.Context, events []domain.Event) ([]string, error)
	// TicketsForUpdate reads and locks the seller's tickets by _id.
	TicketsForUpdate(ctx context.Context, seller ids.Seller, ids []string) (map[string]Record, error)
	// CreateTickets stores tickets and returns which were created. An _id that the seller already has is skipped.
	CreateTickets(ctx context.Context, seller ids.Seller, tickets []Record) (map[string]bool, error)
	UpdateTickets(ctx context.Context, seller ids.Seller, tickets []Record) error
	// SoldTickets returns the parts of transactions that affect their tickets. It omits transactions that affect none.
	// Until the database transaction ends, no other one can change them, even for transactions that do not exist yet.
	SoldTickets(ctx context.Context, seller ids.Seller, transactions []string) (map[string]Sold, error)
	// StoredTickets reads the tickets of transactions.
	StoredTickets(ctx context.Context, seller ids.Seller, transactions []string) ([]Record, error)
	// RepeatedBarcodes returns the barcodes that more than one of the seller's tickets have.
	RepeatedBarcodes(ctx context.Context, seller ids.Seller, barcodes []string) (map[string]bool, error)
}

// Reader reads tickets for lookups and scans.
type Reader interface {
	// TicketsOfHolder returns a person's tickets for an event, or for the children of a root event, oldest first. It
	// matches the customer if there is one, otherwise the email address.
	TicketsOfHolder(ctx context.Context, seller ids.Seller, holder Holder) ([]Record, error)
	// TicketByBarcode returns the ticket with exactly this barcode.
	TicketByBarcode(ctx context.Context, seller ids.Seller, barcode string) (Record, error)
}

// Holder identifies a person and the events that their tickets are wanted for.
type Holder struct {
	CustomerID string
	// Email is compared case-insensitively, and only if CustomerID is empty.
	Email string
	// EventIDs holds the wanted event or, for a root event, its children too.
	EventIDs []string
}

// Filter narrows a list of tickets. A zero field does not filter.
type Filter struct {
	Status   Status         `graphql:"status"`
	Type     Type           `graphql:"type"`
	Origin   Origin         `graphql:"origin"`
	Currency money.Currency `graphql:"currency"`
	// A field ending in In matches any of its values.
	StatusIn   []Status         `graphql:"statusIn"`
	OriginIn   []Origin         `graphql:"originIn"`
	CurrencyIn []money.Currency `graphql:"currencyIn"`

	EventID string `graphql:"eventId"`
	// EventIDs matches any of the events.
	EventIDs      []string
	RootEventID   string `graphql:"rootEventId"`
	TicketTypeID  string `graphql:"ticketTypeId"`
	CustomerID    string `graphql:"customerId"`
	TransactionID string `graphql:"transactionId"`
	Barcode       string `graphql:"barcode"`
	// Email matches exactly, ignoring case.
	Email string `graphql:"email"`
	// Text matches a part of the names, company, email address, barcode or seat, ignoring case.
	Text string `graphql:"text"`
	// From is inclusive, Until exclusive.
	CreatedFrom  *moment.DateTime `graphql:"createdFrom"`
	CreatedUntil *moment.DateTime `graphql:"createdUntil"`
	UpdatedFrom  *moment.DateTime `graphql:"updatedFrom"`
	UpdatedUntil *moment.DateTime `graphql:"updatedUntil"`
	// StoredFrom and StoredUntil filter by the time when this server created or updated the ticket, whatever its own
	// times are. Devices use them to synchronize.
	StoredFrom, StoredUntil *moment.DateTime
	// CheckedIn matches tickets with a valid check-in at any event if true, the others if false.
	CheckedIn *bool `graphql:"checkedIn"`
	// Inside matches tickets that are now inside a zone of any event if true, the others if false.
	Inside *bool `graphql:"inside"`
}

// Check returns all validation errors of the filter's fields.
func (f Filter) Check() error {
	var errs domain.FieldErrors
	errs.Values("statusIn", len(f.StatusIn))
	errs.Values("originIn", len(f.OriginIn))
	errs.Values("currencyIn", len(f.CurrencyIn))
	return errs.Err()
}

// Needs returns the operation that the filter requires in addition to the list: CheckedIn and Inside also require
// scans:list (GRAPH-6).
func (f Filter) Needs() domain.Operation {
	if f.CheckedIn == nil && f.Inside == nil {
		return ""
	}
	return domain.GetOccupancy
}
