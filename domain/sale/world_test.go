package sale_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"ticketgate/db"
	"ticketgate/db/dbtest"
	"ticketgate/domain"
	"ticketgate/domain/apikey"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/ids"
	"ticketgate/domain/sale"
	"ticketgate/domain/secrets"
	"ticketgate/domain/ticket"
	"ticketgate/graph"
	"ticketgate/jobs"
)

const (
	seller ids.Seller = "111111111111111111111111"
	other  ids.Seller = "222222222222222222222222"

	systemToken = "0123456789-platform-token-of-this-test"
)

// world is a database with two sellers of one organization, at a time that the test sets.
type world struct {
	t            *testing.T
	database     *dbtest.Database
	store        *db.Store
	sql          *sql.DB
	transactions sale.Transactions
	tickets      ticket.Tickets
	now          time.Time
	// language is the Accept-Language of imports.
	language string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	t.Parallel()
	database := dbtest.New(t)
	w := &world{t: t, database: database, now: time.Date(2026, 11, 27, 12, 0, 0, 123_456_789, time.UTC)}
	clock := func() time.Time { return w.now }
	queue := jobs.NewQueue()
	store, err := db.Open(db.Config{
		URL: database.ApplicationURL, Mode: "dev", Sealer: database.Sealer, Now: clock, Enqueue: queue.Enqueue,
	})
	w.store = store
	w.must(err)
	w.sql, err = sql.Open("pgx", database.ApplicationURL)
	w.must(err)
	t.Cleanup(func() { _, _ = w.store.Close(), w.sql.Close() })
	w.exec(`INSERT INTO organizations VALUES ('o', 'O', now())`)
	for _, id := range []ids.Seller{seller, other} {
		w.exec(`INSERT INTO sellers (id, organization_id, name, country, webhooks, siren, created_at, updated_at)
			VALUES ($1, 'o', 'S', 'FR', true, false, now(), now())`, string(id))
	}
	w.transactions = sale.Transactions{Store: w.store.Transactions(), Now: clock, Seller: w.lookUp}
	w.tickets = ticket.Tickets{Store: w.store.Tickets(), Now: clock, Seller: w.lookUp}
	return w
}

func (w *world) lookUp(_ context.Context, id ids.Seller) (ids.Org, domain.Features, error) {
	if id == seller || id == other {
		return "o", domain.Features{Webhooks: true}, nil
	}
	return "", domain.Features{}, domain.NotFound("Seller")
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) exec(query string, args ...any) {
	w.t.Helper()
	_, err := w.sql.ExecContext(w.t.Context(), query, args...)
	w.must(err)
}

// key is a call with a seller's key.
func (w *world) key(of ids.Seller) context.Context {
	actor := keyOf(of)
	return domain.WithCall(domain.WithActor(w.t.Context(), &actor), domain.Call{Language: w.language})
}

func keyOf(of ids.Seller, permissions ...domain.Permission) domain.Actor {
	return domain.Actor{
		Kind: domain.APIKeyActor, ID: "k", SellerID: of, Permissions: domain.NewPermissionSet(permissions),
		FullSellerAccess: len(permissions) == 0,
	}
}

func values(texts []string) []ecmajson.Value {
	list := make([]ecmajson.Value, len(texts))
	for i, text := range texts {
		list[i] = domaintest.JSON(text)
	}
	return list
}

// imports hands transactions in as the seller's key.
func (w *world) imports(of ids.Seller, transactions ...string) (sale.ImportedTransactions, error) {
	w.t.Helper()
	return w.transactions.Import(w.key(of), sale.TransactionImport{Transactions: values(transactions)})
}

func (w *world) imported(of ids.Seller, want sale.ImportedTransactions, transactions ...string) {
	w.t.Helper()
	got, err := w.imports(of, transactions...)
	w.must(err)
	domaintest.Equal(w.t, "imported", got, want)
}

// issued hands tickets of the seller in.
func (w *world) issued(tickets ...string) {
	w.t.Helper()
	_, err := w.tickets.Import(w.key(seller), ticket.Import{Tickets: values(tickets)})
	w.must(err)
}

// document is what is stored of a transaction.
func (w *world) document(id string) string {
	w.t.Helper()
	record, err := w.transactions.Get(w.key(seller), id)
	w.must(err)
	return string(record.Document)
}

// ticket is what is stored of a ticket.
func (w *world) ticket(id string) ticket.Record {
	w.t.Helper()
	record, err := w.tickets.Get(w.key(seller), id)
	w.must(err)
	return record
}

// happened lists the types of what was published since the last call, and the data of each.
func (w *world) happened() (types, data []string) {
	w.t.Helper()
	found, err := w.sql.QueryContext(w.t.Context(), "DELETE FROM events RETURNING id, type, convert_from(data, 'UTF8')")
	w.must(err)
	defer func() { _ = found.Close() }()
	for found.Next() {
		var id, kind, text string
		w.must(found.Scan(&id, &kind, &text))
		types, data = append(types, kind), append(data, text)
	}
	w.must(found.Err())
	return types, data
}

// wantEvents compares the types of what was published since the last call.
func (w *world) wantEvents(want ...string) {
	w.t.Helper()
	if got, _ := w.happened(); strings.Join(got, " ") != strings.Join(want, " ") {
		w.t.Errorf("published %q, want %q", got, want)
	}
}

func (w *world) count(query string) int {
	w.t.Helper()
	var count int
	w.must(w.sql.QueryRowContext(w.t.Context(), query).Scan(&count))
	return count
}

// post asks GraphQL as the platform, for the seller.
func (w *world) post(query, variables string) (int, string) {
	w.t.Helper()
	authenticator := &apikey.Authenticator{
		Store: w.store.Credentials(), SystemTokens: []secrets.Digest{secrets.DigestOf(systemToken)}, Now: time.Now,
	}
	resolver := &graph.Resolver{
		Transactions: w.transactions, Tickets: w.tickets, Invoices: sale.Invoices{Store: w.store.Invoices(), Now: time.Now},
	}
	handler := graph.NewHandler(resolver, authenticator, slog.New(slog.DiscardHandler), false, graph.StreamBounds{})
	question, err := json.Marshal(query)
	w.must(err)
	body := bytes.NewReader(fmt.Appendf(nil, `{"query":%s,"variables":%s}`, question, variables))
	request := httptest.NewRequestWithContext(w.t.Context(), http.MethodPost, "/graphql", body)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+systemToken)
	request.Header.Set("X-Seller-Id", string(seller))
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, request)
	return recorder.Code, recorder.Body.String()
}

// small is a transaction of the seller with no more than it needs; more is further members.
func small(id, status string, more ...string) string { return smallOf(seller, id, status, more...) }

func smallOf(of ids.Seller, id, status string, more ...string) string {
	return merged(fmt.Sprintf(`{"_id":%q,"sellerId":%q,"eventId":"e1","realPrice":10,"status":%q,"secret":"s","tid":"T-%s","coupons":[]}`,
		id, of, status, id), more...)
}

// smallTicket is a ticket of a transaction.
func smallTicket(id, transaction string, more ...string) string {
	return merged(fmt.Sprintf(`{"_id":%q,"sellerId":%q,"eventId":"e1","ticketTypeId":"tt1","ticketName":"Standard","status":"VALID",
		"secret":"s","barcode":"B-%s","transactionId":%q}`, id, seller, id, transaction), more...)
}

// merged sets further members of an object.
func merged(base string, more ...string) string {
	members := map[string]json.RawMessage{}
	for _, text := range []string{base, "{" + strings.Join(more, ",") + "}"} {
		if err := json.Unmarshal([]byte(text), &members); err != nil {
			panic(err)
		}
	}
	text, err := json.Marshal(members)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// paths joins the paths of a refusal, in order.
func paths(err error) string {
	var list []string
	if err != nil {
		for _, field := range domain.AsError(err).Fields {
			list = append(list, field.Path)
		}
	}
	return strings.Join(list, " ")
}
