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

// transactionRow has the columns of a transaction that are read. All other columns duplicate parts of the document.
type transactionRow struct {
	bun.BaseModel `bun:"table:transactions,alias:t"`

	SellerID  ids.Seller `bun:"seller_id"`
	Document  []byte     `bun:"document"`
	CreatedAt time.Time  `bun:"created_at"`
	UpdatedAt time.Time  `bun:"updated_at"`
}

// ofCustomer has the transactions that name a customer, and those without a customer that have the customer's email
// address (GRAPH-4).
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

// transactionStore implements sale.TransactionStore.
type transactionStore struct {
	*Store
	transactor[sale.TransactionTx]
}

// Transactions returns the store of transactions.
func (s *Store) Transactions() sale.TransactionStore {
	return transactionStore{s, transactor[sale.TransactionTx]{s, func(tx *Tx) sale.TransactionTx { return tx }}}
}

// Transaction reads one transaction of a seller.
func (s transactionStore) Transaction(ctx context.Context, seller ids.Seller, id string) (sale.TransactionRecord, error) {
	return readOne(ctx, s.Store, s.sql, transactions.of(seller).withID(id), "Transaction", transactionRow.record)
}

// TransactionsByID returns a seller's transactions by _id.
func (s transactionStore) TransactionsByID(
	ctx context.Context, seller ids.Seller, ids []string,
) (map[string]sale.TransactionRecord, error) {
	found, err := transactions.of(seller).withIDs(ids).counted(ctx, s.Store, s.sql)
	return byID(found, err, transactionRow.record, func(t sale.TransactionRecord) string { return t.ID })
}

// Transactions lists a seller's transactions, oldest first.
func (s transactionStore) Transactions(
	ctx context.Context, seller ids.Seller, filter sale.TransactionFilter, page domain.Page,
) (domain.List[sale.TransactionRecord], error) {
	return transactionsWhere(transactions, seller, filter, append(fewTransactions(filter), equals("t.event_id", filter.EventID))...).
		kept("transactions", wholeSeller, 1).page(ctx, s.Store, page)
}

// TransactionsOfEvents reads one page of transactions for each event.
func (s transactionStore) TransactionsOfEvents(
	ctx context.Context, seller ids.Seller, events []string, filter sale.TransactionFilter, page domain.Page,
) (map[string]domain.List[sale.TransactionRecord], error) {
	leading := fewTransactions(filter)
	return transactionsWhere(transactions, seller, filter, leading...).
		within(ctx, s.Store, ofParent("t.event_id", leading), events, page)
}

// TransactionsOfCustomers reads one page of transactions for each customer.
func (s transactionStore) TransactionsOfCustomers(
	ctx context.Context, seller ids.Seller, customers []string, filter sale.TransactionFilter, page domain.Page,
) (map[string]domain.List[sale.TransactionRecord], error) {
	return transactionsWhere(transactionsOfCustomers, seller, filter).within(ctx, s.Store, "", customers, page)
}

// transactionsWhere lists the transactions that match the filter. leading are filters with an index, as in filteredBy.
func transactionsWhere(
	from *source[transactionRow], seller ids.Seller, f sale.TransactionFilter, leading ...filter,
) listing[transactionRow, sale.TransactionRecord] {
	q := from.of(seller).filteredBy(leading, others(leading, append(fewTransactions(f),
		equals("t.event_id", f.EventID), equals("t.status", f.Status), equals("t.currency", f.Currency),
		equals("t.payment_method", f.PaymentMethod), equals("t.payment_info_method", f.PaymentInfoMethod),
		equals("t.payment_status", f.PaymentStatus), equals("t.payment_gateway", f.PaymentGateway),
		equals("t.payment_provider", f.PaymentProvider), equals("t.origin", f.Origin),
		equals("t.preferred_language", f.PreferredLanguage), equals("t.cancellation_reason", f.CancellationReason),
		equals("t.user_id", f.UserID), equals("t.pos_id", f.PosID), equals("t.subscription_id", f.SubscriptionID),
		equals("t.country", strings.ToUpper(texts.Trim(f.Country))),
		filter{
			condition: "$ = ANY(t.history_types)", kind: "text", args: []any{string(f.HistoryType)}, used: f.HistoryType != "",
		},
		filter{
			condition: "t.history_types && $", kind: "text[]", args: []any{plain(f.HistoryTypeIn)}, used: len(f.HistoryTypeIn) > 0,
		},
		oneOf("t.status", f.StatusIn), oneOf("t.currency", f.CurrencyIn), oneOf("t.payment_method", f.PaymentMethodIn),
		oneOf("t.payment_info_method", f.PaymentInfoMethodIn), oneOf("t.payment_status", f.PaymentStatusIn),
		oneOf("t.payment_gateway", f.PaymentGatewayIn), oneOf("t.payment_provider", f.PaymentProviderIn),
		oneOf("t.origin", f.OriginIn), oneOf("t.preferred_language", f.PreferredLanguageIn),
		oneOf("t.cancellation_reason", f.CancellationReasonIn),
		holding("t.search_folded", f.Text),
		between("t.created_at", f.CreatedFrom, f.CreatedUntil).onKey(),
		at("t.updated_at >= $", f.UpdatedFrom), at("t.updated_at < $", f.UpdatedUntil),
	)...)...)
	return listing[transactionRow, sale.TransactionRecord]{
		query: q, created: "t.created_at", id: "t.id", item: transactionRow.record,
	}
}

// fewTransactions returns the filters that select few transactions.
func fewTransactions(f sale.TransactionFilter) []filter {
	return []filter{
		equals("t.tid", f.TID), equals("t.customer_id", f.CustomerID), equals("t.email_folded", texts.FoldEmail(f.Email)),
	}
}
