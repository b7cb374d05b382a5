package ticket_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"ticketgate/db"
	"ticketgate/db/dbtest"
	"ticketgate/domain"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/ids"
	"ticketgate/domain/ticket"
	"ticketgate/jobs"
)

const (
	seller ids.Seller = "111111111111111111111111"
	other  ids.Seller = "222222222222222222222222"
)

// world is a database with two sellers of one organization, at a time that the test sets.
type world struct {
	t       *testing.T
	store   *db.Store
	sql     *sql.DB
	tickets ticket.Tickets
	now     time.Time
}

func newWorld(t *testing.T) *world {
	t.Helper()
	t.Parallel()
	database := dbtest.New(t)
	w := &world{t: t, now: time.Date(2026, 11, 27, 12, 0, 0, 123_456_789, time.UTC)}
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
	return domain.WithActor(w.t.Context(), &actor)
}

func keyOf(of ids.Seller, permissions ...domain.Permission) domain.Actor {
	return domain.Actor{
		Kind: domain.APIKeyActor, ID: "k", SellerID: of, Permissions: domain.NewPermissionSet(permissions),
		FullSellerAccess: len(permissions) == 0,
	}
}

// imports hands tickets in as the seller's key.
func (w *world) imports(of ids.Seller, tickets ...string) (ticket.Imported, error) {
	w.t.Helper()
	values := make([]ecmajson.Value, len(tickets))
	for i, text := range tickets {
		values[i] = domaintest.JSON(text)
	}
	return w.tickets.Import(w.key(of), ticket.Import{Tickets: values})
}

func (w *world) imported(of ids.Seller, want ticket.Imported, tickets ...string) {
	w.t.Helper()
	got, err := w.imports(of, tickets...)
	w.must(err)
	domaintest.Equal(w.t, "imported", got, want)
}

// webhook makes the seller a webhook that wants the types.
func (w *world) webhook(id, types string) {
	w.t.Helper()
	w.exec(`INSERT INTO webhooks (id, seller_id, name, url, enabled, event_types, created_by_type, created_by_id,
			created_at, updated_at)
		VALUES ($1, $2, 'W', 'https://example.org', true, $3::text[], 'SYSTEM', 'system', now(), now())`,
		id, string(seller), types)
}

// document is what is stored of a ticket.
func (w *world) document(id string) string {
	w.t.Helper()
	record, err := w.tickets.Get(w.key(seller), id)
	w.must(err)
	return string(record.Document)
}

// events lists what was published, as `type data`.
func (w *world) events() []string {
	w.t.Helper()
	found, err := w.sql.QueryContext(w.t.Context(), "SELECT type || ' ' || convert_from(data, 'UTF8') FROM events ORDER BY id")
	w.must(err)
	defer func() { _ = found.Close() }()
	var list []string
	for found.Next() {
		var text string
		w.must(found.Scan(&text))
		list = append(list, text)
	}
	w.must(found.Err())
	return list
}

func (w *world) count(query string) int {
	w.t.Helper()
	var count int
	w.must(w.sql.QueryRowContext(w.t.Context(), query).Scan(&count))
	return count
}

// small is a ticket of the seller with no more than it needs; more is further members, such as `"email":"a@b"`.
func small(id string, more ...string) string {
	return smallOf(seller, id, more...)
}

func smallOf(of ids.Seller, id string, more ...string) string {
	members := map[string]json.RawMessage{}
	base := fmt.Sprintf(`{"_id":%q,"sellerId":%q,"eventId":"e1","ticketTypeId":"tt1","ticketName":"Standard","status":"VALID",
		"secret":"s","barcode":%q}`, id, of, "B-"+id)
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
