package ticket

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/money"
)

// Store is what this area needs of a database. What another seller has is NOT_FOUND.
type Store interface {
	InTx(ctx context.Context, f func(Tx) error) error
	// InLongTx is InTx for work on so many rows: more than share.Ordinary of them wait for the seller's share and are then
	// done whatever becomes of the caller. The context of f is the one to go on with.
	InLongTx(ctx context.Context, seller ids.Seller, rows int, f func(context.Context, Tx) error) error
	Ticket(ctx context.Context, seller ids.Seller, id string) (Record, error)
	TicketsByID(ctx context.Context, seller ids.Seller, ids []string) (map[string]Record, error)
	// TicketsOfTransactions reads a page of the tickets of each transaction in one query. Every transaction has a list.
	TicketsOfTransactions(
		ctx context.Context, seller ids.Seller, transactions []string, filter Filter, page domain.Page,
	) (map[string]domain.List[Record], error)
	// TakenBarcodes finds which of the barcodes, each of the ticket with the _id, stored tickets with another _id have.
	TakenBarcodes(ctx context.Context, seller ids.Seller, barcodes map[string]string) ([]TakenBarcode, error)
	// TicketsOfEvents reads a page of each event's tickets in one query. Every event has a list.
	TicketsOfEvents(
		ctx context.Context, seller ids.Seller, events []string, filter Filter, page domain.Page,
	) (map[string]domain.List[Record], error)
	// TicketsOfCustomers reads a page of each customer's tickets in one query: those that name the customer and, of those that
	// name none, those that have the customer's email address. Every customer has a list.
	TicketsOfCustomers(
		ctx context.Context, seller ids.Seller, customers []string, filter Filter, page domain.Page,
	) (map[string]domain.List[Record], error)
	// TicketsByBarcode finds the tickets that have the barcodes, case included.
	TicketsByBarcode(ctx context.Context, seller ids.Seller, barcodes []string) (map[string]Record, error)
	// SoldOfTypes counts the VALID tickets of each ticket type.
	SoldOfTypes(ctx context.Context, seller ids.Seller, types []string) (map[string]int, error)
	// Tickets lists by creation, then _id (decisions 3.2).
	Tickets(ctx context.Context, seller ids.Seller, filter Filter, page domain.Page) (domain.List[Record], error)
}

// Tx is what a transaction offers to this area.
type Tx interface {
	domain.Tx
	// PublishAll is Publish for many events in few statements.
	PublishAll(ctx context.Context, events []domain.Event) ([]string, error)
	// TicketsForUpdate finds the seller's tickets by their _id, and keeps others from changing them until the transaction ends.
	TicketsForUpdate(ctx context.Context, seller ids.Seller, ids []string) (map[string]Record, error)
	// CreateTickets stores tickets and tells which: an _id that the seller has is left out.
	CreateTickets(ctx context.Context, seller ids.Seller, tickets []Record) (map[string]bool, error)
	UpdateTickets(ctx context.Context, seller ids.Seller, tickets []Record) error
	// SoldTickets finds what transactions say of their tickets; those that say nothing are left out. Until the database
	// transaction ends, nobody else makes a transaction say something else, not even one that is not there yet.
	SoldTickets(ctx context.Context, seller ids.Seller, transactions []string) (map[string]Sold, error)
	// StoredTickets finds the tickets of transactions.
	StoredTickets(ctx context.Context, seller ids.Seller, transactions []string) ([]Record, error)
	// RepeatedBarcodes tells which of the barcodes several of the seller's tickets have.
	RepeatedBarcodes(ctx context.Context, seller ids.Seller, barcodes []string) (map[string]bool, error)
}

// Reader finds tickets for the areas that look them up and scan them.
type Reader interface {
	// TicketsOfHolder finds a person's tickets for an event, or for children of a root event, oldest first: by customer
	// where one is named, else by e-mail (decisions 5.3).
	TicketsOfHolder(ctx context.Context, seller ids.Seller, holder Holder) ([]Record, error)
	// TicketByBarcode finds the one ticket that has the barcode, case included.
	TicketByBarcode(ctx context.Context, seller ids.Seller, barcode string) (Record, error)
}

// Holder says whose tickets are wanted, and for what.
type Holder struct {
	CustomerID string
	// Email is compared without regard to case, and only when CustomerID is empty.
	Email string
	// EventIDs are the wanted event and, of a root event, its children.
	EventIDs []string
}

// Filter narrows a list of tickets; a zero member is no filter (decisions 3.4).
type Filter struct {
	Status   Status         `graphql:"status"`
	Type     Type           `graphql:"type"`
	Origin   Origin         `graphql:"origin"`
	Currency money.Currency `graphql:"currency"`
	// Of several values a ticket has one.
	StatusIn   []Status         `graphql:"statusIn"`
	OriginIn   []Origin         `graphql:"originIn"`
	CurrencyIn []money.Currency `graphql:"currencyIn"`

	EventID string `graphql:"eventId"`
	// EventIDs are several events, of which a ticket has one.
	EventIDs      []string
	RootEventID   string `graphql:"rootEventId"`
	TicketTypeID  string `graphql:"ticketTypeId"`
	CustomerID    string `graphql:"customerId"`
	TransactionID string `graphql:"transactionId"`
	Barcode       string `graphql:"barcode"`
	// Email is exact without regard to case.
	Email string `graphql:"email"`
	// Text is contained in names, company, e-mail, barcode or seat, without regard to case.
	Text string `graphql:"text"`
	// From is included in each span of time, Until is not.
	CreatedFrom  *moment.DateTime `graphql:"createdFrom"`
	CreatedUntil *moment.DateTime `graphql:"createdUntil"`
	UpdatedFrom  *moment.DateTime `graphql:"updatedFrom"`
	UpdatedUntil *moment.DateTime `graphql:"updatedUntil"`
	// StoredFrom and StoredUntil span what was created or updated here in between, whatever the tickets say of themselves:
	// what a device asks for (decisions 6.3).
	StoredFrom, StoredUntil *moment.DateTime
	// CheckedIn is true for tickets with a check-in that counts, at any event, and false for the others.
	CheckedIn *bool `graphql:"checkedIn"`
	// Inside is true for tickets that are inside a zone of any event now, and false for the others.
	Inside *bool `graphql:"inside"`
}

// Check returns everything that is wrong with the filter, by its own members.
func (f Filter) Check() error {
	var problems domain.Problems
	problems.Values("statusIn", len(f.StatusIn))
	problems.Values("originIn", len(f.OriginIn))
	problems.Values("currencyIn", len(f.CurrencyIn))
	return problems.Err()
}

// Needs returns the operation that the filter takes besides the list: who has come or is inside takes scans:list as well (GRAPH-6).
func (f Filter) Needs() domain.Operation {
	if f.CheckedIn == nil && f.Inside == nil {
		return ""
	}
	return domain.GetOccupancy
}
