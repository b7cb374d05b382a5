package db

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"ticketgate/domain/ids"
	"ticketgate/domain/sale"
	"ticketgate/domain/texts"
	"ticketgate/domain/ticket"
)

// transactionsAtOnce is the maximum number of transactions per statement. It keeps statements far below the statement
// timeout.
const transactionsAtOnce = 500

// transactionValues is a FROM item with the rows to write, from the arguments of transactionColumns. History types are
// joined by commas, because unnest can't take lists of different lengths.
const transactionValues = `unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
		$9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::text[], $17::text[],
		$18::text[], $19::text[], $20::text[], $21::text[], $22::text[], $23::text[], $24::timestamptz[], $25::timestamptz[])
	AS d (seller_id, id, event_id, status, tid, customer_id, user_id, pos_id, subscription_id, country, currency, payment_method,
		payment_info_method, payment_status, payment_gateway, payment_provider, origin, preferred_language, cancellation_reason,
		history_types, email_folded, search_folded, document, created_at, updated_at)`

// historyTypes splits the history types. No type has a comma in its name.
const historyTypes = `string_to_array(d.history_types, ',')`

// transactionColumns has rows to write, column by column.
type transactionColumns struct {
	sellers, ids, events, statuses, tids, histories, searches, documents []string
	customers, users, points, subscriptions, countries, currencies       []*string
	methods, infoMethods, payments, gateways, providers                  []*string
	origins, languages, reasons, emails                                  []*string
	created, updated                                                     []time.Time
}

func (c *transactionColumns) add(seller ids.Seller, t *sale.TransactionRecord) {
	c.sellers, c.ids, c.events = append(c.sellers, string(seller)), append(c.ids, t.ID), append(c.events, t.EventID)
	c.statuses, c.tids = append(c.statuses, string(t.Status)), append(c.tids, t.TID)
	c.histories = append(c.histories, strings.Join(historyTypesOf(&t.Transaction), ","))
	c.searches, c.documents = append(c.searches, transactionSearch(&t.Transaction)), append(c.documents, string(t.Document))
	c.customers, c.users = append(c.customers, t.CustomerID), append(c.users, t.UserID)
	c.points, c.subscriptions = append(c.points, t.PosID), append(c.subscriptions, t.SubscriptionID)
	c.countries, c.emails = append(c.countries, countryColumn(t.Country)), append(c.emails, foldedEmail(t.Email))
	c.currencies, c.methods = append(c.currencies, (*string)(t.Currency)), append(c.methods, (*string)(t.PaymentMethod))
	c.infoMethods = append(c.infoMethods, (*string)(t.PaymentInfoMethod))
	c.payments = append(c.payments, (*string)(t.PaymentStatus))
	var info sale.PaymentInfo
	if t.PaymentInfo != nil {
		info = *t.PaymentInfo
	}
	c.gateways, c.providers = append(c.gateways, (*string)(info.Gateway)), append(c.providers, (*string)(info.ProviderType))
	c.origins, c.languages = append(c.origins, (*string)(t.Origin)), append(c.languages, (*string)(t.PreferredLanguage))
	c.reasons = append(c.reasons, (*string)(t.CancellationReason))
	c.created, c.updated = append(c.created, t.ListedAt.Time), append(c.updated, t.TouchedAt.Time)
}

// arguments returns the columns in the order of transactionValues.
func (c *transactionColumns) arguments() []any {
	return []any{
		c.sellers, c.ids, c.events, c.statuses, c.tids, c.customers, c.users, c.points, c.subscriptions, c.countries, c.currencies,
		c.methods, c.infoMethods, c.payments, c.gateways, c.providers, c.origins, c.languages, c.reasons, c.histories, c.emails,
		c.searches, c.documents, c.created, c.updated,
	}
}

// historyTypesOf returns the different types of a transaction's history entries.
func historyTypesOf(t *sale.Transaction) []string {
	var types []string
	for _, entry := range t.HistoryEntries {
		if entry.Type != nil && !slices.Contains(types, string(*entry.Type)) {
			types = append(types, string(*entry.Type))
		}
	}
	return types
}

// countryColumn returns a country in the form in which it is compared: trimmed and in upper case (TEXT-2).
func countryColumn(country *string) *string {
	if country == nil {
		return nil
	}
	column := strings.ToUpper(texts.Trim(*country))
	return &column
}

// transactionSearch returns the searchable text of a transaction. Its parts are separated by line breaks, so that no
// search matches across two.
func transactionSearch(t *sale.Transaction) string {
	parts := [...]string{t.ID, t.TID, joined(t.Prename, t.Lastname), joined(t.Name), joined(t.Company), joined(t.Email)}
	return texts.Fold(strings.Join(parts[:], "\n"))
}

// writeTransactions calls run for parts of the transactions, with the arguments of transactionValues. All imports write
// in the order of _id, to prevent deadlocks.
func writeTransactions(
	of func(sale.TransactionRecord) ids.Seller, transactions []sale.TransactionRecord, run func(args ...any) error,
) error {
	ordered := make([]*sale.TransactionRecord, len(transactions))
	for i := range transactions {
		ordered[i] = &transactions[i]
	}
	slices.SortFunc(ordered, func(a, b *sale.TransactionRecord) int { return cmp.Compare(a.ID, b.ID) })
	for part := range slices.Chunk(ordered, transactionsAtOnce) {
		var columns transactionColumns
		for _, transaction := range part {
			columns.add(of(*transaction), transaction)
		}
		if err := run(columns.arguments()...); err != nil {
			return err
		}
	}
	return nil
}

// CreateTransactions inserts transactions and returns the _ids of those that were inserted. Transactions whose _id
// already exists are skipped.
func (tx *Tx) CreateTransactions(
	ctx context.Context, seller ids.Seller, transactions []sale.TransactionRecord,
) (map[string]bool, error) {
	return tx.createTransactions(ctx, func(sale.TransactionRecord) ids.Seller { return seller }, transactions)
}

// createTransactions inserts transactions of several sellers.
func (tx *Tx) createTransactions(
	ctx context.Context, of func(sale.TransactionRecord) ids.Seller, transactions []sale.TransactionRecord,
) (map[string]bool, error) {
	created := map[string]bool{}
	err := writeTransactions(of, transactions, func(args ...any) error {
		ids, err := tx.texts(ctx, `INSERT INTO transactions (seller_id, id, event_id, status, tid, customer_id, user_id, pos_id,
				subscription_id, country, currency, payment_method, payment_info_method, payment_status, payment_gateway,
				payment_provider, origin, preferred_language, cancellation_reason, history_types, email_folded, search_folded,
				document, created_at, updated_at)
			SELECT d.seller_id, d.id, d.event_id, d.status, d.tid, d.customer_id, d.user_id, d.pos_id, d.subscription_id, d.country,
				d.currency, d.payment_method, d.payment_info_method, d.payment_status, d.payment_gateway, d.payment_provider,
				d.origin, d.preferred_language, d.cancellation_reason, `+historyTypes+`, d.email_folded, d.search_folded,
				d.document::json, d.created_at, d.updated_at
			FROM `+transactionValues+` ON CONFLICT (seller_id, id) DO NOTHING RETURNING id AS text`,
			args...)
		for _, id := range ids {
			created[id] = true
		}
		return err
	})
	return created, err
}

// UpdateTransactions updates existing, locked transactions.
func (tx *Tx) UpdateTransactions(ctx context.Context, seller ids.Seller, transactions []sale.TransactionRecord) error {
	return writeTransactions(func(sale.TransactionRecord) ids.Seller { return seller }, transactions, func(args ...any) error {
		_, err := exec(ctx, tx, `UPDATE transactions t SET event_id = d.event_id, status = d.status, tid = d.tid,
				customer_id = d.customer_id, user_id = d.user_id, pos_id = d.pos_id, subscription_id = d.subscription_id,
				country = d.country, currency = d.currency, payment_method = d.payment_method,
				payment_info_method = d.payment_info_method, payment_status = d.payment_status,
				payment_gateway = d.payment_gateway, payment_provider = d.payment_provider, origin = d.origin,
				preferred_language = d.preferred_language, cancellation_reason = d.cancellation_reason,
				history_types = `+historyTypes+`, email_folded = d.email_folded, search_folded = d.search_folded,
				document = d.document::json, created_at = d.created_at, updated_at = d.updated_at
			FROM `+transactionValues+` WHERE t.id = d.id AND t.seller_id = d.seller_id`, args...)
		return err
	})
}

// TransactionsForUpdate returns a seller's transactions by _id and locks them.
func (tx *Tx) TransactionsForUpdate(
	ctx context.Context, seller ids.Seller, ids []string,
) (map[string]sale.TransactionRecord, error) {
	found, err := transactions.of(seller).lockedByIDs(ctx, tx.store, tx, ids)
	return byID(found, err, transactionRow.record, func(t sale.TransactionRecord) string { return t.ID })
}

// TicketsOfTransactions returns the tickets of transactions and locks them in the same order as imports of tickets: by
// id.
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
