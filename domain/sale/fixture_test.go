package sale_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"ticketgate/db/dbtest"
	"ticketgate/domain"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/ids"
	"ticketgate/domain/sale"
	"ticketgate/domain/ticket"
	"ticketgate/graph"
	"ticketgate/graph/graphtest"
)

const (
	seller = dbtest.Seller
	other  = dbtest.Other
)

// fixture is an installation with two sellers and a clock that the test sets.
type fixture struct {
	*dbtest.Installation

	transactions sale.Transactions
	tickets      ticket.Tickets
	now          time.Time
	// language is the Accept-Language header of imports.
	language string
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	t.Parallel()
	w := &fixture{now: time.Date(2026, 11, 27, 12, 0, 0, 123_456_789, time.UTC)}
	clock := func() time.Time { return w.now }
	w.Installation = dbtest.Install(t, clock)
	w.transactions = sale.Transactions{Store: w.Store.Transactions(), Now: clock, Seller: w.LookUp}
	w.tickets = ticket.Tickets{Store: w.Store.Tickets(), Now: clock, Seller: w.LookUp}
	return w
}

// key returns a call with a key of the seller.
func (w *fixture) key(of ids.Seller) context.Context {
	return domain.WithCall(w.As(of), domain.Call{Language: w.language})
}

// imports imports transactions with a key of the seller.
func (w *fixture) imports(of ids.Seller, transactions ...string) (sale.ImportedTransactions, error) {
	w.T.Helper()
	return w.transactions.Import(w.key(of), sale.TransactionImport{Transactions: domaintest.Texts(transactions)})
}

func (w *fixture) imported(of ids.Seller, want sale.ImportedTransactions, transactions ...string) {
	w.T.Helper()
	got, err := w.imports(of, transactions...)
	w.Must(err)
	domaintest.Equal(w.T, "imported", got, want)
}

// issued imports tickets of the seller.
func (w *fixture) issued(tickets ...string) {
	w.T.Helper()
	_, err := w.tickets.Import(w.key(seller), ticket.Import{Tickets: domaintest.Texts(tickets)})
	w.Must(err)
}

// document returns the stored document of a transaction.
func (w *fixture) document(id string) string {
	w.T.Helper()
	record, err := w.transactions.Get(w.key(seller), id)
	w.Must(err)
	return string(record.Document)
}

// ticket returns a stored ticket.
func (w *fixture) ticket(id string) ticket.Record {
	w.T.Helper()
	record, err := w.tickets.Get(w.key(seller), id)
	w.Must(err)
	return record
}

// happened returns the types and the data of the events published since the last call, and removes them.
func (w *fixture) happened() (types, data []string) {
	w.T.Helper()
	for _, event := range w.Texts("DELETE FROM events RETURNING type || ' ' || convert_from(data, 'UTF8')") {
		kind, text, _ := strings.Cut(event, " ")
		types, data = append(types, kind), append(data, text)
	}
	return types, data
}

// wantEvents checks the types of the events published since the last call, and removes them.
func (w *fixture) wantEvents(want ...string) {
	w.T.Helper()
	if got, _ := w.happened(); strings.Join(got, " ") != strings.Join(want, " ") {
		w.T.Errorf("published %q, want %q", got, want)
	}
}

// post sends a GraphQL request as the platform, for the seller.
func (w *fixture) post(query, variables string) (int, string) {
	w.T.Helper()
	resolver := &graph.Resolver{
		Transactions: w.transactions, Tickets: w.tickets, Invoices: sale.Invoices{Store: w.Store.Invoices(), Now: time.Now},
	}
	return graphtest.API{T: w.T, Credentials: w.Store.Credentials(), Resolver: resolver}.Post(seller, query, variables)
}

// small returns a transaction of the seller with only the required fields. more adds fields.
func small(id, status string, more ...string) string { return smallOf(seller, id, status, more...) }

func smallOf(of ids.Seller, id, status string, more ...string) string {
	return domaintest.Merged(fmt.Sprintf(`{"_id":%q,"sellerId":%q,"eventId":"e1","realPrice":10,"status":%q,"secret":"s","tid":"T-%s","coupons":[]}`,
		id, of, status, id), more...)
}

// smallTicket returns a ticket of a transaction.
func smallTicket(id, transaction string, more ...string) string {
	return domaintest.Merged(fmt.Sprintf(`{"_id":%q,"sellerId":%q,"eventId":"e1","ticketTypeId":"tt1","ticketName":"Standard","status":"VALID",
		"secret":"s","barcode":"B-%s","transactionId":%q}`, id, seller, id, transaction), more...)
}
