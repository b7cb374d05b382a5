package access_test

import (
	"context"
	"database/sql"
	"strings"
	"testing"
	"time"

	"ticketgate/db"
	"ticketgate/db/dbtest"
	"ticketgate/domain"
	"ticketgate/domain/access"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/ids"
	"ticketgate/domain/optional"
	"ticketgate/jobs"
)

const (
	seller ids.Seller = "111111111111111111111111"
	other  ids.Seller = "222222222222222222222222"
	org    ids.Org    = "444444444444444444444444"
)

// world is an empty installation with two sellers.
type world struct {
	t       testing.TB
	store   *db.Store
	sql     *sql.DB
	owner   string
	lists   access.Lists
	entries access.Entries
	imports access.Imports
}

func newWorld(t testing.TB) *world {
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
	w := &world{
		t: t, store: store, sql: plain, owner: database.OwnerURL,
		lists:   access.Lists{Store: store.Access(), Now: time.Now},
		entries: access.Entries{Store: store.Access(), Now: time.Now},
		imports: access.Imports{Store: store.Access(), Now: time.Now},
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

// as is a call by a key of the seller with these permissions; without any it has full access.
func (w *world) as(of ids.Seller, permissions ...domain.Permission) context.Context {
	return domain.WithActor(w.t.Context(), &domain.Actor{
		Kind: domain.APIKeyActor, ID: "key", SellerID: of, OrgID: org,
		Permissions: domain.NewPermissionSet(permissions), FullSellerAccess: len(permissions) == 0,
	})
}

// list is a new static list of the seller.
func (w *world) list(name string) access.List {
	w.t.Helper()
	return must(w.lists.Create(w.as(seller), access.NewList{Name: name}))(w.t)
}

// csvFile is a file of comma-separated values.
func csvFile(text string) access.File {
	return func() (access.Source, error) { return access.CSV(strings.NewReader(text)), nil }
}

// ndjsonFile is a file of newline-delimited JSON.
func ndjsonFile(text string) access.File {
	return func() (access.Source, error) { return access.NDJSON(strings.NewReader(text)), nil }
}

// entry is a new entry.
func (w *world) entry(list access.List, input access.NewEntry) access.Entry {
	w.t.Helper()
	return must(w.entries.Create(w.as(seller), list.ID, input))(w.t)
}

// codes are all codes of a list, oldest first.
func (w *world) codes(list access.List, filter access.EntryFilter) []string {
	w.t.Helper()
	found := must(w.entries.List(w.as(seller), list.ID, filter, domain.Page{Limit: 1000}))(w.t)
	codes := []string{}
	for _, entry := range found.Items {
		codes = append(codes, entry.ExternalCode)
	}
	return codes
}

// must ends the test at an error: must(f())(t).
func must[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err, domain.AsError(err).Fields)
		}
		return value
	}
}

// refused fails the test unless the error has the code and names exactly these paths.
func refused(t testing.TB, err error, code domain.Code, paths ...string) {
	t.Helper()
	if !domain.HasCode(err, code) {
		t.Fatalf("got %v, want %s", err, code)
	}
	fields := domain.AsError(err).Fields
	if len(fields) != len(paths) {
		t.Fatalf("got %v, want the paths %v", fields, paths)
	}
	for i, field := range fields {
		if field.Path != paths[i] {
			t.Errorf("path %d: got %s, want %s", i, field.Path, paths[i])
		}
	}
}

func object(t testing.TB, text string) optional.Value[ecmajson.Value] {
	t.Helper()
	return optional.Some(must(ecmajson.Parse([]byte(text), ecmajson.Limits{}))(t))
}
