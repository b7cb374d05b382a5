package sale

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/money"
	"ticketgate/domain/ticket"
)

// TransactionStore is the database access of transactions. Records of other sellers are NOT_FOUND.
type TransactionStore interface {
	InTx(ctx context.Context, f func(TransactionTx) error) error
	// InLongTx is InTx for work on the given number of rows. Above share.Ordinary it waits for the seller's share and then
	// continues even if the caller gives up. f must use the context that it receives.
	InLongTx(ctx context.Context, seller ids.Seller, rows int, f func(context.Context, TransactionTx) error) error
	Transaction(ctx context.Context, seller ids.Seller, id string) (TransactionRecord, error)
	// Transactions lists transactions by creation time, then _id.
	Transactions(
		ctx context.Context, seller ids.Seller, filter TransactionFilter, page domain.Page,
	) (domain.List[TransactionRecord], error)
	// TransactionsByID returns the seller's transactions by _id. Unknown ids and those of other sellers are left out.
	TransactionsByID(ctx context.Context, seller ids.Seller, ids []string) (map[string]TransactionRecord, error)
	// TransactionsOfEvents reads a page of each event's transactions in one query. Every event has a list.
	TransactionsOfEvents(
		ctx context.Context, seller ids.Seller, events []string, filter TransactionFilter, page domain.Page,
	) (map[string]domain.List[TransactionRecord], error)
	// TransactionsOfCustomers reads a page of each customer's transactions in one query (GRAPH-4). Every customer has a list.
	TransactionsOfCustomers(
		ctx context.Context, seller ids.Seller, customers []string, filter TransactionFilter, page domain.Page,
	) (map[string]domain.List[TransactionRecord], error)
}

// TransactionTx is a database transaction on transactions.
type TransactionTx interface {
	domain.Tx
	InvoiceTx
	// PublishAll publishes many events in few statements.
	PublishAll(ctx context.Context, events []domain.Event) ([]string, error)
	// AuditAll records many changes in few statements.
	AuditAll(ctx context.Context, changes []domain.Change) error
	// LockSoldTickets blocks ticket imports for the transactions until the database transaction ends, even if the
	// transactions do not exist yet. It must come before every other lock.
	LockSoldTickets(ctx context.Context, seller ids.Seller, transactions []string) error
	// TransactionsForUpdate reads and locks the seller's transactions by _id.
	TransactionsForUpdate(ctx context.Context, seller ids.Seller, ids []string) (map[string]TransactionRecord, error)
	// CreateTransactions stores transactions and returns which were created. An _id that the seller already has is skipped.
	CreateTransactions(ctx context.Context, seller ids.Seller, transactions []TransactionRecord) (map[string]bool, error)
	UpdateTransactions(ctx context.Context, seller ids.Seller, transactions []TransactionRecord) error
	// TicketsOfTransactions reads and locks the tickets of transactions, oldest first.
	TicketsOfTransactions(ctx context.Context, seller ids.Seller, ids []string) ([]ticket.Record, error)
	// StoredTickets reads the tickets of transactions in any order, without a lock.
	StoredTickets(ctx context.Context, seller ids.Seller, transactions []string) ([]ticket.Record, error)
	UpdateTickets(ctx context.Context, seller ids.Seller, tickets []ticket.Record) error
}

// TransactionFilter narrows a list of transactions. A zero field does not filter.
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
	// HistoryType matches transactions with at least one such history entry.
	HistoryType HistoryType `graphql:"historyType"`

	// A field ending in In matches any of its values.
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
	// Email matches exactly, ignoring case.
	Email string `graphql:"email"`
	// Text matches a part of the names, company, email address, tid or _id, ignoring case.
	Text string `graphql:"text"`
	// From is inclusive, Until exclusive.
	CreatedFrom  *moment.DateTime `graphql:"createdFrom"`
	CreatedUntil *moment.DateTime `graphql:"createdUntil"`
	UpdatedFrom  *moment.DateTime `graphql:"updatedFrom"`
	UpdatedUntil *moment.DateTime `graphql:"updatedUntil"`
}

// Check returns all validation errors of the filter's fields.
func (f TransactionFilter) Check() error {
	var errs domain.FieldErrors
	errs.Values("statusIn", len(f.StatusIn))
	errs.Values("currencyIn", len(f.CurrencyIn))
	errs.Values("paymentMethodIn", len(f.PaymentMethodIn))
	errs.Values("paymentInfoMethodIn", len(f.PaymentInfoMethodIn))
	errs.Values("paymentStatusIn", len(f.PaymentStatusIn))
	errs.Values("paymentGatewayIn", len(f.PaymentGatewayIn))
	errs.Values("paymentProviderIn", len(f.PaymentProviderIn))
	errs.Values("originIn", len(f.OriginIn))
	errs.Values("preferredLanguageIn", len(f.PreferredLanguageIn))
	errs.Values("cancellationReasonIn", len(f.CancellationReasonIn))
	errs.Values("historyTypeIn", len(f.HistoryTypeIn))
	return errs.Err()
}
