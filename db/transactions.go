package db

import (
	"context"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/sale"
	"ticketgate/domain/texts"
)

// transactionRow is what is read of a transaction: the other columns repeat what the document says.
type transactionRow struct {
	bun.BaseModel `bun:"table:transactions,alias:t"`

	SellerID  ids.Seller `bun:"seller_id"`
	Document  []byte     `bun:"document"`
	CreatedAt time.Time  `bun:"created_at"`
	UpdatedAt time.Time  `bun:"updated_at"`
}

// ofCustomer are the transactions that name the customer and, of those that name none, those with the customer's email address
// (GRAPH-4).
const ofCustomer = `((SELECT t.* FROM transactions t WHERE t.seller_id = $1 AND t.customer_id = parent.id ` + inPageOrder + `)
	UNION ALL (SELECT t.* FROM transactions t WHERE t.seller_id = $1 AND t.customer_id IS NULL AND t.email_folded = (
		SELECT email_folded FROM customers WHERE seller_id = $1 AND id = parent.id) ` + inPageOrder + `)) AS t`

const transactionColumnsRead = "t.document, t.created_at, t.updated_at"

var (
	transactions            = &source[transactionRow]{columns: transactionColumnsRead}
	transactionsOfCustomers = &source[transactionRow]{columns: transactionColumnsRead, table: ofCustomer}
)

func (r transactionRow) record() (sale.TransactionRecord, error) {
	return sale.ReadTransaction(r.Document, moment.New(r.CreatedAt), moment.New(r.UpdatedAt))
}

// transactionStore is the store as transactions need it.
type transactionStore struct{ *Store }

// Transactions is the database as transactions need it.
func (s *Store) Transactions() sale.TransactionStore { return transactionStore{s} }

// InTx runs f in one transaction, see transact.
func (s transactionStore) InTx(ctx context.Context, f func(sale.TransactionTx) error) error {
	return s.transact(ctx, func(tx *Tx) error { return f(tx) })
}

// InLongTx is InTx for work on many rows, see transactLong.
func (s transactionStore) InLongTx(
	ctx context.Context, seller ids.Seller, rows int, f func(context.Context, sale.TransactionTx) error,
) error {
	return s.transactLong(ctx, seller, rows, func(ctx context.Context, tx *Tx) error {
		return f(ctx, tx)
	})
}

// Transaction reads one transaction of a seller.
func (s transactionStore) Transaction(ctx context.Context, seller ids.Seller, id string) (sale.TransactionRecord, error) {
	found, err := transactions.of(seller).withID(id).row(ctx, s.Store, s.sql, "Transaction")
	if err != nil {
		return sale.TransactionRecord{}, err
	}
	return found.record()
}

// TransactionsByID finds a seller's transactions by their _id.
func (s transactionStore) TransactionsByID(
	ctx context.Context, seller ids.Seller, ids []string,
) (map[string]sale.TransactionRecord, error) {
	found, err := transactions.of(seller).withIDs(ids).counted(ctx, s.Store, s.sql)
	return byID(found, err, transactionRow.record, func(t sale.TransactionRecord) string { return t.ID })
}

// Transactions lists a seller's transactions by creation.
func (s transactionStore) Transactions(
	ctx context.Context, seller ids.Seller, filter sale.TransactionFilter, page domain.Page,
) (domain.List[sale.TransactionRecord], error) {
	return transactionsWhere(transactions, seller, filter).page(ctx, s.Store, page)
}

// TransactionsOfEvents reads a page of each event's transactions.
func (s transactionStore) TransactionsOfEvents(
	ctx context.Context, seller ids.Seller, events []string, filter sale.TransactionFilter, page domain.Page,
) (map[string]domain.List[sale.TransactionRecord], error) {
	return transactionsWhere(transactions, seller, filter).within(ctx, s.Store, "t.event_id = parent.id", events, page)
}

// TransactionsOfCustomers reads a page of each customer's transactions.
func (s transactionStore) TransactionsOfCustomers(
	ctx context.Context, seller ids.Seller, customers []string, filter sale.TransactionFilter, page domain.Page,
) (map[string]domain.List[sale.TransactionRecord], error) {
	return transactionsWhere(transactionsOfCustomers, seller, filter).within(ctx, s.Store, "", customers, page)
}

func transactionsWhere(
	from *source[transactionRow], seller ids.Seller, f sale.TransactionFilter,
) listing[transactionRow, sale.TransactionRecord] {
	q := from.of(seller)
	for _, exact := range [...]struct{ column, value string }{
		{"status", string(f.Status)},
		{"currency", string(f.Currency)},
		{"payment_method", string(f.PaymentMethod)},
		{"payment_info_method", string(f.PaymentInfoMethod)},
		{"payment_status", string(f.PaymentStatus)},
		{"payment_gateway", string(f.PaymentGateway)},
		{"payment_provider", string(f.PaymentProvider)},
		{"origin", string(f.Origin)},
		{"preferred_language", string(f.PreferredLanguage)},
		{"cancellation_reason", string(f.CancellationReason)},
		{"event_id", f.EventID},
		{"customer_id", f.CustomerID},
		{"user_id", f.UserID},
		{"pos_id", f.PosID},
		{"subscription_id", f.SubscriptionID},
		{"tid", f.TID},
		{"country", strings.ToUpper(texts.Trim(f.Country))},
		{"email_folded", texts.FoldEmail(f.Email)},
	} {
		q.whereIf(exact.value != "", "t."+exact.column+" = $", exact.value)
	}
	q.whereIf(f.HistoryType != "", "$ = ANY(t.history_types)", string(f.HistoryType))
	q.whereIf(len(f.HistoryTypeIn) > 0, "t.history_types && $", plain(f.HistoryTypeIn))
	whereIn(q, "t.status", f.StatusIn)
	whereIn(q, "t.currency", f.CurrencyIn)
	whereIn(q, "t.payment_method", f.PaymentMethodIn)
	whereIn(q, "t.payment_info_method", f.PaymentInfoMethodIn)
	whereIn(q, "t.payment_status", f.PaymentStatusIn)
	whereIn(q, "t.payment_gateway", f.PaymentGatewayIn)
	whereIn(q, "t.payment_provider", f.PaymentProviderIn)
	whereIn(q, "t.origin", f.OriginIn)
	whereIn(q, "t.preferred_language", f.PreferredLanguageIn)
	whereIn(q, "t.cancellation_reason", f.CancellationReasonIn)
	q.whereIf(f.Text != "", "t.search_folded LIKE $", contains(texts.Fold(f.Text)))
	for _, bound := range [...]struct {
		condition string
		at        *moment.DateTime
	}{
		{"t.created_at >= $", f.CreatedFrom},
		{"t.created_at < $", f.CreatedUntil},
		{"t.updated_at >= $", f.UpdatedFrom},
		{"t.updated_at < $", f.UpdatedUntil},
	} {
		q.whereIf(bound.at != nil, bound.condition, instant(bound.at))
	}
	return listing[transactionRow, sale.TransactionRecord]{
		query: q, created: "t.created_at", id: "t.id", item: transactionRow.record,
	}
}
