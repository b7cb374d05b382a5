package db

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/money"
	"ticketgate/domain/sale"
	"ticketgate/domain/texts"
	"ticketgate/domain/ticket"
)

// transactionsAtOnce is how many transactions go into one statement, which then stays far below the time that it has.
const transactionsAtOnce = 500

// transactionColumns names the columns with their types, as json_to_recordset needs them.
const transactionColumns = `id text, event_id text, status text, tid text, customer_id text, user_id text, pos_id text,
	subscription_id text, country text, currency text, payment_method text, payment_info_method text, payment_status text,
	payment_gateway text, payment_provider text, origin text, preferred_language text, cancellation_reason text,
	history_types text[], email_folded text, search_folded text, document text, created_at timestamptz, updated_at timestamptz`

// writtenTransaction is a row that is written; its members are transactionColumns.
type writtenTransaction struct {
	ID                 string                   `json:"id"`
	EventID            string                   `json:"event_id"`
	Status             sale.TransactionStatus   `json:"status"`
	TID                string                   `json:"tid"`
	CustomerID         *string                  `json:"customer_id"`
	UserID             *string                  `json:"user_id"`
	PosID              *string                  `json:"pos_id"`
	SubscriptionID     *string                  `json:"subscription_id"`
	Country            *string                  `json:"country"`
	Currency           *money.Currency          `json:"currency"`
	PaymentMethod      *sale.PaymentMethod      `json:"payment_method"`
	PaymentInfoMethod  *sale.PaymentMethod      `json:"payment_info_method"`
	PaymentStatus      *sale.PaymentStatus      `json:"payment_status"`
	PaymentGateway     *sale.PaymentGateway     `json:"payment_gateway"`
	PaymentProvider    *sale.PaymentProvider    `json:"payment_provider"`
	Origin             *sale.TransactionOrigin  `json:"origin"`
	PreferredLanguage  *sale.Language           `json:"preferred_language"`
	CancellationReason *sale.CancellationReason `json:"cancellation_reason"`
	HistoryTypes       []sale.HistoryType       `json:"history_types"`
	EmailFolded        *string                  `json:"email_folded"`
	SearchFolded       string                   `json:"search_folded"`
	Document           string                   `json:"document"`
	CreatedAt          moment.DateTime          `json:"created_at"`
	UpdatedAt          moment.DateTime          `json:"updated_at"`
}

func written(t sale.TransactionRecord) writtenTransaction {
	row := writtenTransaction{
		ID: t.ID, EventID: t.EventID, Status: t.Status, TID: t.TID, CustomerID: t.CustomerID, UserID: t.UserID, PosID: t.PosID,
		SubscriptionID: t.SubscriptionID, Country: countryColumn(t.Country), Currency: t.Currency, PaymentMethod: t.PaymentMethod,
		PaymentInfoMethod: t.PaymentInfoMethod, PaymentStatus: t.PaymentStatus, Origin: t.Origin,
		PreferredLanguage: t.PreferredLanguage, CancellationReason: t.CancellationReason, HistoryTypes: []sale.HistoryType{},
		EmailFolded: foldedEmail(t.Email), SearchFolded: transactionSearch(t.Transaction), Document: string(t.Document),
		CreatedAt: t.ListedAt, UpdatedAt: t.TouchedAt,
	}
	if t.PaymentInfo != nil {
		row.PaymentGateway, row.PaymentProvider = t.PaymentInfo.Gateway, t.PaymentInfo.ProviderType
	}
	for _, entry := range t.HistoryEntries {
		if entry.Type != nil && !slices.Contains(row.HistoryTypes, *entry.Type) {
			row.HistoryTypes = append(row.HistoryTypes, *entry.Type)
		}
	}
	return row
}

// countryColumn is a country as it is compared: in upper case and trimmed (decisions 9.2).
func countryColumn(country *string) *string {
	if country == nil {
		return nil
	}
	column := strings.ToUpper(texts.Trim(*country))
	return &column
}

// transactionSearch is what a person may search a transaction by; the parts are held apart, so that no search spans two.
func transactionSearch(t sale.Transaction) string {
	parts := [...]string{t.ID, t.TID, joined(t.Prename, t.Lastname), joined(t.Name), joined(t.Company), joined(t.Email)}
	return texts.Fold(strings.Join(parts[:], "\n"))
}

// writeTransactions runs a statement for parts of the transactions: $1 is the seller, $2 the rows as JSON. All write in the
// order of _id, so that two imports that meet wait for each other in one direction.
func writeTransactions(
	seller ids.Seller, transactions []sale.TransactionRecord, run func(args ...any) error,
) error {
	ordered := slices.SortedFunc(slices.Values(transactions),
		func(a, b sale.TransactionRecord) int { return cmp.Compare(a.ID, b.ID) })
	for part := range slices.Chunk(ordered, transactionsAtOnce) {
		list := make([]writtenTransaction, len(part))
		for i, one := range part {
			list[i] = written(one)
		}
		text, err := json.Marshal(list)
		if err != nil {
			return err
		}
		if err := run(string(seller), string(text)); err != nil {
			return err
		}
	}
	return nil
}

// CreateTransactions inserts transactions and tells which: one whose _id the seller has is left out.
func (tx *Tx) CreateTransactions(
	ctx context.Context, seller ids.Seller, transactions []sale.TransactionRecord,
) (map[string]bool, error) {
	created := map[string]bool{}
	err := writeTransactions(seller, transactions, func(args ...any) error {
		ids, err := tx.texts(ctx, `INSERT INTO transactions (seller_id, id, event_id, status, tid, customer_id, user_id, pos_id,
				subscription_id, country, currency, payment_method, payment_info_method, payment_status, payment_gateway,
				payment_provider, origin, preferred_language, cancellation_reason, history_types, email_folded, search_folded,
				document, created_at, updated_at)
			SELECT $1, d.id, d.event_id, d.status, d.tid, d.customer_id, d.user_id, d.pos_id, d.subscription_id, d.country,
				d.currency, d.payment_method, d.payment_info_method, d.payment_status, d.payment_gateway, d.payment_provider,
				d.origin, d.preferred_language, d.cancellation_reason, d.history_types, d.email_folded, d.search_folded,
				d.document::json, d.created_at, d.updated_at
			FROM json_to_recordset($2::text::json) AS d (`+transactionColumns+`) ON CONFLICT (seller_id, id) DO NOTHING
			RETURNING id AS text`,
			args...)
		for _, id := range ids {
			created[id] = true
		}
		return err
	})
	return created, err
}

// UpdateTransactions writes transactions that exist and are locked.
func (tx *Tx) UpdateTransactions(ctx context.Context, seller ids.Seller, transactions []sale.TransactionRecord) error {
	return writeTransactions(seller, transactions, func(args ...any) error {
		_, err := exec(ctx, tx, `UPDATE transactions t SET event_id = d.event_id, status = d.status, tid = d.tid,
				customer_id = d.customer_id, user_id = d.user_id, pos_id = d.pos_id, subscription_id = d.subscription_id,
				country = d.country, currency = d.currency, payment_method = d.payment_method,
				payment_info_method = d.payment_info_method, payment_status = d.payment_status,
				payment_gateway = d.payment_gateway, payment_provider = d.payment_provider, origin = d.origin,
				preferred_language = d.preferred_language, cancellation_reason = d.cancellation_reason,
				history_types = d.history_types, email_folded = d.email_folded, search_folded = d.search_folded,
				document = d.document::json, created_at = d.created_at, updated_at = d.updated_at
			FROM json_to_recordset($2::text::json) AS d (`+transactionColumns+`)
			WHERE t.id = d.id AND t.seller_id = $1`, args...)
		return err
	})
}

// TransactionsForUpdate finds a seller's transactions by their _id and locks them.
func (tx *Tx) TransactionsForUpdate(
	ctx context.Context, seller ids.Seller, ids []string,
) (map[string]sale.TransactionRecord, error) {
	found, err := transactions.of(seller).withIDs(ids).orderBy("t.id").forUpdate("NO KEY UPDATE").rows(ctx, tx.store, tx)
	return byID(found, err, transactionRow.record, func(t sale.TransactionRecord) string { return t.ID })
}

// TicketsOfTransactions finds the tickets of transactions, oldest first, and locks them in the order in which imports of
// tickets do.
func (tx *Tx) TicketsOfTransactions(ctx context.Context, seller ids.Seller, ids []string) ([]ticket.Record, error) {
	found, err := tickets.of(seller).where("t.transaction_id = ANY($)", ids).orderBy("t.id").forUpdate("NO KEY UPDATE").
		rows(ctx, tx.store, tx)
	if err != nil {
		return nil, err
	}
	records, err := each(found, ticketRow.record)
	slices.SortStableFunc(records, func(a, b ticket.Record) int { return a.CreatedAt.Compare(b.CreatedAt.Time) })
	return records, err
}
