package sale

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/money"
	"ticketgate/domain/ticket"
)

// TransactionStore is what transactions need of a database. What another seller has is NOT_FOUND.
type TransactionStore interface {
	InTx(ctx context.Context, f func(TransactionTx) error) error
	// InLongTx is InTx for work on so many rows: more than share.Ordinary of them wait for the seller's share and are then
	// done whatever becomes of the caller. The context of f is the one to go on with.
	InLongTx(ctx context.Context, seller ids.Seller, rows int, f func(context.Context, TransactionTx) error) error
	Transaction(ctx context.Context, seller ids.Seller, id string) (TransactionRecord, error)
	// Transactions lists by creation, then _id (decisions 3.2).
	Transactions(
		ctx context.Context, seller ids.Seller, filter TransactionFilter, page domain.Page,
	) (domain.List[TransactionRecord], error)
	// TransactionsByID finds the seller's transactions by their _id. An id that is unknown or another seller's is absent.
	TransactionsByID(ctx context.Context, seller ids.Seller, ids []string) (map[string]TransactionRecord, error)
	// TransactionsOfEvents reads a page of each event's transactions in one query. Every event has a list.
	TransactionsOfEvents(
		ctx context.Context, seller ids.Seller, events []string, filter TransactionFilter, page domain.Page,
	) (map[string]domain.List[TransactionRecord], error)
	// TransactionsOfCustomers reads a page of each customer's transactions in one query: those that name the customer and, of
	// those that name none, those that have the customer's email address. Every customer has a list.
	TransactionsOfCustomers(
		ctx context.Context, seller ids.Seller, customers []string, filter TransactionFilter, page domain.Page,
	) (map[string]domain.List[TransactionRecord], error)
}

// TransactionTx is what a database transaction offers to transactions.
type TransactionTx interface {
	domain.Tx
	InvoiceTx
	// PublishAll is Publish for many events in few statements.
	PublishAll(ctx context.Context, events []domain.Event) ([]string, error)
	// AuditAll is Audit for many changes in few statements.
	AuditAll(ctx context.Context, changes []domain.Change) error
	// LockSoldTickets keeps imports of tickets away from transactions until the database transaction ends, also from those
	// that are not there yet. It comes before every other lock.
	LockSoldTickets(ctx context.Context, seller ids.Seller, transactions []string) error
	// TransactionsForUpdate finds the seller's transactions by their _id, and keeps others from changing them until the
	// database transaction ends.
	TransactionsForUpdate(ctx context.Context, seller ids.Seller, ids []string) (map[string]TransactionRecord, error)
	// CreateTransactions stores transactions and tells which: an _id that the seller has is left out.
	CreateTransactions(ctx context.Context, seller ids.Seller, transactions []TransactionRecord) (map[string]bool, error)
	UpdateTransactions(ctx context.Context, seller ids.Seller, transactions []TransactionRecord) error
	// TicketsOfTransactions finds the tickets of transactions, oldest first, and keeps others from changing them.
	TicketsOfTransactions(ctx context.Context, seller ids.Seller, ids []string) ([]ticket.Record, error)
	// StoredTickets is TicketsOfTransactions without a lock, in any order.
	StoredTickets(ctx context.Context, seller ids.Seller, transactions []string) ([]ticket.Record, error)
	UpdateTickets(ctx context.Context, seller ids.Seller, tickets []ticket.Record) error
}

// TransactionFilter narrows a list of transactions; a zero member is no filter (decisions 3.4).
type TransactionFilter struct {
	Status             TransactionStatus  `graphql:"status"`
	Currency           money.Currency     `graphql:"currency"`
	PaymentMethod      PaymentMethod      `graphql:"paymentMethod"`
	PaymentInfoMethod  PaymentMethod      `graphql:"paymentInfoMethod"`
	PaymentStatus      PaymentStatus      `graphql:"paymentStatus"`
	PaymentGateway     PaymentGateway     `graphql:"paymentGateway"`
	PaymentProvider    PaymentProvider    `graphql:"paymentProvider"`
	Origin             TransactionOrigin  `graphql:"origin"`
	PreferredLanguage  Language           `graphql:"preferredLanguage"`
	CancellationReason CancellationReason `graphql:"cancellationReason"`
	// HistoryType finds those with such an entry in their history.
	HistoryType HistoryType `graphql:"historyType"`

	// Of several values a transaction has one.
	StatusIn             []TransactionStatus  `graphql:"statusIn"`
	CurrencyIn           []money.Currency     `graphql:"currencyIn"`
	PaymentMethodIn      []PaymentMethod      `graphql:"paymentMethodIn"`
	PaymentInfoMethodIn  []PaymentMethod      `graphql:"paymentInfoMethodIn"`
	PaymentStatusIn      []PaymentStatus      `graphql:"paymentStatusIn"`
	PaymentGatewayIn     []PaymentGateway     `graphql:"paymentGatewayIn"`
	PaymentProviderIn    []PaymentProvider    `graphql:"paymentProviderIn"`
	OriginIn             []TransactionOrigin  `graphql:"originIn"`
	PreferredLanguageIn  []Language           `graphql:"preferredLanguageIn"`
	CancellationReasonIn []CancellationReason `graphql:"cancellationReasonIn"`
	HistoryTypeIn        []HistoryType        `graphql:"historyTypeIn"`

	EventID        string `graphql:"eventId"`
	CustomerID     string `graphql:"customerId"`
	UserID         string `graphql:"userId"`
	PosID          string `graphql:"posId"`
	SubscriptionID string `graphql:"subscriptionId"`
	TID            string `graphql:"tid"`
	Country        string `graphql:"country"`
	// Email is exact without regard to case.
	Email string `graphql:"email"`
	// Text is contained in names, company, e-mail, tid or _id, without regard to case.
	Text string `graphql:"text"`
	// From is included in each span of time, Until is not.
	CreatedFrom  *moment.DateTime `graphql:"createdFrom"`
	CreatedUntil *moment.DateTime `graphql:"createdUntil"`
	UpdatedFrom  *moment.DateTime `graphql:"updatedFrom"`
	UpdatedUntil *moment.DateTime `graphql:"updatedUntil"`
}

// Check returns everything that is wrong with the filter, by its own members.
func (f TransactionFilter) Check() error {
	var problems domain.Problems
	problems.Values("statusIn", len(f.StatusIn))
	problems.Values("currencyIn", len(f.CurrencyIn))
	problems.Values("paymentMethodIn", len(f.PaymentMethodIn))
	problems.Values("paymentInfoMethodIn", len(f.PaymentInfoMethodIn))
	problems.Values("paymentStatusIn", len(f.PaymentStatusIn))
	problems.Values("paymentGatewayIn", len(f.PaymentGatewayIn))
	problems.Values("paymentProviderIn", len(f.PaymentProviderIn))
	problems.Values("originIn", len(f.OriginIn))
	problems.Values("preferredLanguageIn", len(f.PreferredLanguageIn))
	problems.Values("cancellationReasonIn", len(f.CancellationReasonIn))
	problems.Values("historyTypeIn", len(f.HistoryTypeIn))
	return problems.Err()
}
