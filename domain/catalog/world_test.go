package catalog_test

import (
	"context"
	"database/sql"
	"slices"
	"testing"
	"time"

	"ticketgate/db"
	"ticketgate/db/dbtest"
	"ticketgate/domain"
	"ticketgate/domain/catalog"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/tenant"
	"ticketgate/jobs"
)

const (
	seller ids.Seller = "111111111111111111111111"
	other  ids.Seller = "222222222222222222222222"
	org    ids.Org    = "444444444444444444444444"
)

// world is an empty installation with two sellers of one organization.
type world struct {
	t         *testing.T
	store     *db.Store
	sql       *sql.DB
	reader    catalog.Reader
	events    catalog.Events
	types     catalog.TicketTypes
	zones     catalog.ScanZones
	customers catalog.Customers
}

func newWorld(t *testing.T) *world {
	t.Helper()
	database := dbtest.New(t)
	queue := jobs.NewQueue()
	store, err := db.Open(db.Config{
		URL: database.ApplicationURL, Mode: "dev", Sealer: database.Sealer, Now: time.Now, Enqueue: queue.Enqueue,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	plain, err := sql.Open("pgx", database.ApplicationURL)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = plain.Close() })
	records := catalog.New(store.Catalog(), tenant.LookUp(store.Tenants()), time.Now)
	w := &world{
		t: t, store: store, sql: plain, reader: store.CatalogReader(),
		events: records.Events, types: records.TicketTypes, zones: records.ScanZones, customers: records.Customers,
	}
	w.exec(`INSERT INTO organizations VALUES ($1, 'O', now())`, string(org))
	for _, id := range []ids.Seller{seller, other} {
		w.exec(`INSERT INTO sellers (id, organization_id, name, country, webhooks, siren, created_at, updated_at)
			VALUES ($1, $2, 'S', 'FR', true, false, now(), now())`, string(id), string(org))
	}
	return w
}

func (w *world) exec(statement string, args ...any) {
	w.t.Helper()
	if _, err := w.sql.ExecContext(w.t.Context(), statement, args...); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) count(query string, args ...any) (n int) {
	w.t.Helper()
	if err := w.sql.QueryRowContext(w.t.Context(), query, args...).Scan(&n); err != nil {
		w.t.Fatal(err)
	}
	return n
}

// published are the data of all events of a type, oldest first.
func (w *world) published(kind string) []string {
	w.t.Helper()
	found, err := w.sql.QueryContext(w.t.Context(), "SELECT convert_from(data, 'UTF8') FROM events WHERE type = $1 ORDER BY id", kind)
	if err != nil {
		w.t.Fatal(err)
	}
	defer found.Close()
	var list []string
	for found.Next() {
		var data string
		if err := found.Scan(&data); err != nil {
			w.t.Fatal(err)
		}
		list = append(list, data)
	}
	if err := found.Err(); err != nil {
		w.t.Fatal(err)
	}
	return list
}

// as is a call by a key of the seller with these permissions, or with all of them.
func (w *world) as(of ids.Seller, permissions ...domain.Permission) context.Context {
	return domain.WithActor(w.t.Context(), &domain.Actor{
		Kind: domain.APIKeyActor, ID: "key", SellerID: of, OrgID: org,
		Permissions: domain.NewPermissionSet(permissions), FullSellerAccess: len(permissions) == 0,
	})
}

// event is a new event of the seller; set fills in what matters.
func (w *world) event(name string, set func(*catalog.NewEvent)) catalog.Event {
	w.t.Helper()
	input := catalog.NewEvent{Name: name, Start: at("2026-11-27T20:00:00Z")}
	if set != nil {
		set(&input)
	}
	return must(w.events.Create(w.as(seller), input))(w.t)
}

func at(text string) moment.DateTime {
	when, err := moment.Parse(text)
	if err != nil {
		panic(err)
	}
	return when
}

func meta(text string) ecmajson.Value {
	value, err := ecmajson.Parse([]byte(text), ecmajson.Limits{})
	if err != nil {
		panic(err)
	}
	return value
}

func must[T any](value T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// refused fails the test unless the error names exactly these members.
func refused(t *testing.T, what string, err error, paths ...string) {
	t.Helper()
	got := []string{}
	if err != nil {
		for _, field := range domain.AsError(err).Fields {
			got = append(got, field.Path)
		}
	}
	if err == nil || !slices.Equal(got, paths) {
		t.Errorf("%s: wrong are %v, %v", what, got, err)
	}
}

func hasCode(t *testing.T, what string, err error, code domain.Code) {
	t.Helper()
	if !domain.HasCode(err, code) {
		t.Errorf("%s: %v, not %s", what, err, code)
	}
}

func page(limit int) domain.Page { return domain.Page{Limit: limit} }
