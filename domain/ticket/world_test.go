package ticket_test

import (
	"fmt"
	"testing"
	"time"

	"ticketgate/db/dbtest"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/ids"
	"ticketgate/domain/ticket"
)

const (
	seller = dbtest.Seller
	other  = dbtest.Other
)

// world is an installation with two sellers, at a time that the test sets.
type world struct {
	*dbtest.Installation

	tickets ticket.Tickets
	now     time.Time
}

func newWorld(t *testing.T) *world {
	t.Helper()
	t.Parallel()
	w := &world{now: time.Date(2026, 11, 27, 12, 0, 0, 123_456_789, time.UTC)}
	clock := func() time.Time { return w.now }
	w.Installation = dbtest.Install(t, clock)
	w.tickets = ticket.Tickets{Store: w.Store.Tickets(), Now: clock, Seller: w.LookUp}
	return w
}

// imports hands tickets in as the seller's key.
func (w *world) imports(of ids.Seller, tickets ...string) (ticket.Imported, error) {
	w.T.Helper()
	return w.tickets.Import(w.As(of), ticket.Import{Tickets: domaintest.Texts(tickets)})
}

func (w *world) imported(of ids.Seller, want ticket.Imported, tickets ...string) {
	w.T.Helper()
	got, err := w.imports(of, tickets...)
	w.Must(err)
	domaintest.Equal(w.T, "imported", got, want)
}

// webhook makes the seller a webhook that wants the types.
func (w *world) webhook(id, types string) {
	w.T.Helper()
	w.Exec(`INSERT INTO webhooks (id, seller_id, name, url, enabled, event_types, created_by_type, created_by_id,
			created_at, updated_at)
		VALUES ($1, $2, 'W', 'https://example.org', true, $3::text[], 'SYSTEM', 'system', now(), now())`,
		id, string(seller), types)
}

// document is what is stored of a ticket.
func (w *world) document(id string) string {
	w.T.Helper()
	record, err := w.tickets.Get(w.As(seller), id)
	w.Must(err)
	return string(record.Document)
}

// events lists what was published, as `type data`.
func (w *world) events() []string {
	w.T.Helper()
	return w.Texts("SELECT type || ' ' || convert_from(data, 'UTF8') FROM events ORDER BY id")
}

// small is a ticket of the seller with no more than it needs; more is further members, such as `"email":"a@b"`.
func small(id string, more ...string) string {
	return smallOf(seller, id, more...)
}

func smallOf(of ids.Seller, id string, more ...string) string {
	return domaintest.Merged(fmt.Sprintf(`{"_id":%q,"sellerId":%q,"eventId":"e1","ticketTypeId":"tt1","ticketName":"Standard","status":"VALID",
		"secret":"s","barcode":%q}`, id, of, "B-"+id), more...)
}
