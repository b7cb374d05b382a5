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

// fixture is an installation with two sellers and a clock that the test sets.
type fixture struct {
	*dbtest.Installation

	tickets ticket.Tickets
	now     time.Time
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	t.Parallel()
	w := &fixture{now: time.Date(2026, 11, 27, 12, 0, 0, 123_456_789, time.UTC)}
	clock := func() time.Time { return w.now }
	w.Installation = dbtest.Install(t, clock)
	w.tickets = ticket.Tickets{Store: w.Store.Tickets(), Now: clock, Seller: w.LookUp}
	return w
}

// imports imports tickets with a key of the seller.
func (w *fixture) imports(of ids.Seller, tickets ...string) (ticket.Imported, error) {
	w.T.Helper()
	return w.tickets.Import(w.As(of), ticket.Import{Tickets: domaintest.Texts(tickets)})
}

func (w *fixture) imported(of ids.Seller, want ticket.Imported, tickets ...string) {
	w.T.Helper()
	got, err := w.imports(of, tickets...)
	w.Must(err)
	domaintest.Equal(w.T, "imported", got, want)
}

// webhook creates a webhook of the seller for the event types.
func (w *fixture) webhook(id, types string) {
	w.T.Helper()
	w.Exec(`INSERT INTO webhooks (id, seller_id, name, url, enabled, event_types, created_by_type, created_by_id,
			created_at, updated_at)
		VALUES ($1, $2, 'W', 'https://example.org', true, $3::text[], 'SYSTEM', 'system', now(), now())`,
		id, string(seller), types)
}

// document returns the stored document of a ticket.
func (w *fixture) document(id string) string {
	w.T.Helper()
	record, err := w.tickets.Get(w.As(seller), id)
	w.Must(err)
	return string(record.Document)
}

// events returns the published events, as `type data`.
func (w *fixture) events() []string {
	w.T.Helper()
	return w.Texts("SELECT type || ' ' || convert_from(data, 'UTF8') FROM events ORDER BY id")
}

// small returns a ticket of the seller with only the required fields; more adds fields such as `"email":"a@b"`.
func small(id string, more ...string) string {
	return smallOf(seller, id, more...)
}

func smallOf(of ids.Seller, id string, more ...string) string {
	return domaintest.Merged(fmt.Sprintf(`{"_id":%q,"sellerId":%q,"eventId":"e1","ticketTypeId":"tt1","ticketName":"Standard","status":"VALID",
		"secret":"s","barcode":%q}`, id, of, "B-"+id), more...)
}
