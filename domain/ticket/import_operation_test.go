package ticket_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/ids"
	"ticketgate/domain/intake"
	"ticketgate/domain/ticket"
	"ticketgate/jobs/jobstest"
)

func TestImportKeepsAFullDocumentExactly(t *testing.T) {
	w := newFixture(t)
	full := domaintest.Document(ticket.Definition)
	full = ticket.Definition.With(full, "sellerId", ecmajson.NewString(string(seller)))
	full = ticket.Definition.With(full, "_id", ecmajson.NewString("t/1 é"))
	text := string(full.Append(nil))
	w.imported(seller, ticket.Imported{Created: 1}, text)
	if got := w.document("t/1 é"); got != text {
		t.Errorf("got  %s\nwant %s", got, text)
	}
	if got, want := w.events(), []string{`ticket.created {"ticket":` + text + `}`}; !slices.Equal(got, want) {
		t.Errorf("published %q, want %q", got, want)
	}
	w.imported(seller, ticket.Imported{Unchanged: 1}, text)
	if got := len(w.events()); got != 1 {
		t.Errorf("importing the same again published %d more events", got-1)
	}
}

func TestImportSetsTimes(t *testing.T) {
	w := newFixture(t)
	w.imported(seller, ticket.Imported{Created: 1}, small("a"))
	const created = "2026-11-27T12:00:00.123Z"
	wantTimes := func(created, updated string) {
		t.Helper()
		record, err := w.tickets.Get(w.As(seller), "a")
		w.Must(err)
		if record.CreatedAt.String() != created || record.UpdatedAt.String() != updated {
			t.Errorf("created %s, updated %s, want %s and %s", record.CreatedAt, record.UpdatedAt, created, updated)
		}
	}
	wantTimes(created, created)

	w.now = w.now.Add(time.Hour)
	w.imported(seller, ticket.Imported{Unchanged: 1}, small("a"))
	wantTimes(created, created)

	w.imported(seller, ticket.Imported{Updated: 1}, small("a", `"status":"INVALID"`))
	wantTimes(created, "2026-11-27T13:00:00.123Z")

	w.imported(seller, ticket.Imported{Updated: 1}, small("a", `"status":"INVALID"`,
		`"createdAt":"2025-01-01T01:00:00+01:00"`, `"updatedAt":"2027-01-01T00:00:00Z"`))
	wantTimes("2025-01-01T00:00:00.000Z", "2027-01-01T00:00:00.000Z")
	if got := w.Count("SELECT count(*) FROM events WHERE type = 'ticket.updated'"); got != 2 {
		t.Errorf("got %d ticket.updated events, want 2", got)
	}
}

func TestImportComparesNumbersLikeECMAScript(t *testing.T) {
	w := newFixture(t)
	w.imported(seller, ticket.Imported{Created: 1}, small("a", `"realPrice":10.50`, `"extraFields":{"b":1,"a":[2]}`, `"seat":null`))
	w.imported(seller, ticket.Imported{Unchanged: 1}, small("a", `"realPrice":1.05e1`, `"extraFields":{"a":[2.0],"b":1}`))
	w.imported(seller, ticket.Imported{Updated: 1}, small("a", `"realPrice":10.5`, `"extraFields":{"a":[2],"b":2}`))
	w.imported(seller, ticket.Imported{Updated: 1}, small("a", `"realPrice":10.5`))
	if got := w.document("a"); strings.Contains(got, "extraFields") || !strings.Contains(got, `"realPrice":10.5}`) {
		t.Errorf("got %s, want the document replaced completely", got)
	}
}

func TestImportReportsAllFaultsAndStoresNothing(t *testing.T) {
	w := newFixture(t)
	for name, row := range map[string]struct {
		tickets []string
		want    string
	}{
		"each field by its path": {
			[]string{small("a"), small("b", `"status":"valid"`, `"realPrice":"1"`), `7`, small("c", `"barcod":"x"`)},
			"tickets[1].realPrice tickets[1].status tickets[2] tickets[3].barcod",
		},
		"missing fields": {[]string{`{}`}, "tickets[0]._id tickets[0].sellerId tickets[0].eventId tickets[0].ticketTypeId " +
			"tickets[0].ticketName tickets[0].status tickets[0].secret tickets[0].barcode"},
		"an _id twice":                 {[]string{small("a"), small("a", `"barcode":"x"`)}, "tickets[1]._id"},
		"a barcode twice":              {[]string{small("a"), small("b", `"barcode":"B-a"`)}, "tickets[1].barcode"},
		"another seller in the ticket": {[]string{small("a"), smallOf(other, "b")}, "tickets[1].sellerId"},
		"a fraction for an integer":    {[]string{small("a", `"__v":1.5`)}, "tickets[0].__v"},
	} {
		_, err := w.imports(seller, row.tickets...)
		if got := domaintest.Paths(err); got != row.want || !domain.HasCode(err, domain.CodeValidationFailed) {
			t.Errorf("%s: got %q (%v), want %q", name, got, err, row.want)
		}
	}
	if got := w.Count("SELECT count(*) FROM tickets WHERE seller_id = '" + string(seller) + "'"); got != 0 {
		t.Errorf("%d tickets were stored", got)
	}
	if got := len(w.events()); got != 0 {
		t.Errorf("%d events were published", got)
	}
}

func TestImportKeepsBarcodesApart(t *testing.T) {
	w := newFixture(t)
	w.imported(other, ticket.Imported{Created: 1}, smallOf(other, "o", `"barcode":"same"`))
	w.imported(seller, ticket.Imported{Created: 2}, small("a", `"barcode":"same"`), small("b", `"barcode":"B"`))

	_, err := w.imports(seller, small("c"), small("d", `"barcode":"same"`))
	if got := domaintest.Paths(err); got != "tickets[1].barcode" {
		t.Errorf("a taken barcode: got %q", got)
	}
	_, err = w.imports(seller, small("b", `"barcode":"same"`))
	if got := domaintest.Paths(err); got != "tickets[0].barcode" {
		t.Errorf("a change to a taken barcode: got %q", got)
	}
	w.imported(seller, ticket.Imported{Updated: 2}, small("a", `"barcode":"B"`), small("b", `"barcode":"same"`))
	record, err := w.Store.TicketReader().TicketByBarcode(t.Context(), seller, "same")
	w.Must(err)
	if record.ID != "b" {
		t.Errorf("the barcode names %s, want b", record.ID)
	}
}

// readingStore is a store that must not be written to.
type readingStore struct {
	ticket.Store

	t *testing.T
}

// InLongTx fails the test.
func (s readingStore) InLongTx(context.Context, ids.Seller, int, func(context.Context, ticket.Tx) error) error {
	s.t.Error("a refused import opened a transaction")
	return nil
}

// BODY-1.
func TestTakenBarcodeIsFieldError(t *testing.T) {
	w := newFixture(t)
	at := func(day string) string { return `"updatedAt":"2026-11-` + day + `T00:00:00Z"` }
	w.imported(seller, ticket.Imported{Created: 2}, small("a", at("20")), small("b", at("20")))
	w.imported(seller, ticket.Imported{Stale: 1}, small("a", at("10"), `"barcode":"B-b"`))
	changesOver := []string{small("a", `"barcode":"B-b"`), small("b", `"barcode":"B-a"`)}
	got, err := w.tickets.Import(w.keyWith("tickets:create"), importOf(changesOver...))
	if w.Must(err); len(got.Refused) != 2 {
		t.Errorf("a key that can't update: %+v", got)
	}

	for name, row := range map[string]struct {
		only    domain.Permission
		tickets []string
		want    string
	}{
		"a new ticket":         {"", []string{small("c", `"barcode":"B-a"`)}, "tickets[0].barcode"},
		"a changed ticket":     {"", []string{small("a", `"barcode":"B-b"`)}, "tickets[0].barcode"},
		"with other faults":    {"", []string{small("c", `"status":"x"`), small("d", `"barcode":"B-b"`)}, "tickets[0].status tickets[1].barcode"},
		"in an invalid ticket": {"", []string{small("c", `"status":"x"`, `"barcode":"B-b"`)}, "tickets[0].status tickets[0].barcode"},
		"in a stale ticket": {
			"", []string{small("b", at("10"), `"barcode":"X"`), small("c", `"barcode":"B-b"`)}, "tickets[1].barcode",
		},
		"in a ticket that the key can't change": {
			"tickets:create", []string{small("b", `"barcode":"X"`), small("c", `"barcode":"B-b"`)}, "tickets[1].barcode",
		},
	} {
		tickets := w.tickets
		tickets.Store = readingStore{tickets.Store, t}
		caller := w.As(seller)
		if row.only != "" {
			caller = w.keyWith(row.only)
		}
		_, err := tickets.Import(caller, importOf(row.tickets...))
		if got := domaintest.Paths(err); got != row.want {
			t.Errorf("%s: got %q (%v), want %q", name, got, err, row.want)
		}
	}
	w.imported(seller, ticket.Imported{Updated: 2}, changesOver...)
}

func TestConcurrentImportsCreateEachTicketOnce(t *testing.T) {
	w := newFixture(t)
	tickets := make([]string, 40)
	for i := range tickets {
		tickets[i] = small(fmt.Sprintf("t%02d", i))
	}
	results := domaintest.Meet(t, 6, tickets, func(texts ...string) (ticket.Imported, error) { return w.imports(seller, texts...) })
	var total ticket.Imported
	for _, result := range results {
		total.Created, total.Unchanged = total.Created+result.Created, total.Unchanged+result.Unchanged
	}
	domaintest.Equal(t, "together", total, ticket.Imported{Created: 40, Unchanged: 200})
	if got := len(w.events()); got != 40 {
		t.Errorf("got %d events, want 40", got)
	}
}

// The response must not reveal whether another seller has a ticket with this _id.
func TestTicketIDsArePerSeller(t *testing.T) {
	w := newFixture(t)
	for _, of := range []ids.Seller{seller, other} {
		w.imported(of, ticket.Imported{Created: 1}, smallOf(of, "x", `"seat":"of `+string(of)+`"`))
	}
	w.imported(seller, ticket.Imported{Updated: 1}, small("x", `"seat":"another"`, `"status":"INVALID"`))
	for of, want := range map[ids.Seller]string{seller: "another INVALID", other: "of " + string(other) + " VALID"} {
		found, err := w.tickets.Get(w.As(of), "x")
		w.Must(err)
		if got := *found.Seat + " " + string(found.Status); got != want || found.SellerID != of {
			t.Errorf("%s: got %q of %s, want %q", of, got, found.SellerID, want)
		}
	}
	changes := "SELECT count(*) FROM device_feed WHERE object_id = 'x' AND type = 'ticket.revoked' AND seller_id = '%s'"
	for of, want := range map[ids.Seller]int{seller: 1, other: 0} {
		if got := w.Count(fmt.Sprintf(changes, of)); got != want {
			t.Errorf("the devices' feed of %s has %d revoked tickets, want %d", of, got, want)
		}
	}
}

// deliveriesInJobs counts the deliveries that are queued. A job contains several deliveries of one webhook.
const deliveriesInJobs = `SELECT count(DISTINCT delivery) FROM ` + jobstest.Jobs + `,
	jsonb_array_elements_text(jsonb_build_array(args -> 'delivery_id') || coalesce(args -> 'more', '[]')) delivery`

func TestImportDeliversEachEventToItsSubscribers(t *testing.T) {
	w := newFixture(t)
	for id, types := range map[string]string{
		"w1": "{ticket.created}", "w2": "{ticket.created,ticket.updated}", "w3": "{scan.created}",
	} {
		w.webhook(id, types)
	}
	w.imported(seller, ticket.Imported{Created: 2}, small("a"), small("b"))
	w.imported(seller, ticket.Imported{Created: 1, Updated: 1, Unchanged: 1}, small("a", `"seat":"1"`), small("b"), small("c"))
	for query, want := range map[string]int{
		"SELECT count(*) FROM events": 4,
		"SELECT count(*) FROM deliveries WHERE webhook_id = 'w1' AND type = 'ticket.created'":                                    3,
		"SELECT count(*) FROM deliveries WHERE webhook_id = 'w2' AND type = 'ticket.updated'":                                    1,
		"SELECT count(*) FROM deliveries d JOIN events e ON e.id = d.event_id AND e.type = d.type AND e.seller_id = d.seller_id": 7,
		deliveriesInJobs: 7,
	} {
		if got := w.Count(query); got != want {
			t.Errorf("%s: %d, want %d", query, got, want)
		}
	}
}

func TestImportTakesThousands(t *testing.T) {
	w := newFixture(t)
	w.webhook("w", "{ticket.created,ticket.updated}")
	const many = 5000
	list := func(seat int) []ecmajson.Value {
		values := make([]ecmajson.Value, many)
		for i := range values {
			values[i] = domaintest.JSON(small(fmt.Sprint("t", i), fmt.Sprintf(`"seat":"%d"`, seat), `"excludedEventIds":["x","y \"z\""]`))
		}
		return values
	}
	for _, row := range []struct {
		what string
		list []ecmajson.Value
		want ticket.Imported
	}{
		{"new", list(1), ticket.Imported{Created: many}},
		{"unchanged", list(1), ticket.Imported{Unchanged: many}},
		{"changed", list(2), ticket.Imported{Updated: many}},
	} {
		got, err := w.tickets.Import(w.As(seller), ticket.Import{Tickets: row.list})
		w.Must(err)
		domaintest.Equal(t, row.what, got, row.want)
	}
	if got := w.Count(`SELECT count(*) FROM tickets WHERE excluded_event_ids = ARRAY['x', 'y "z"']`); got != many {
		t.Errorf("%d tickets have both excluded events in their column", got)
	}
	if got := w.Count(deliveriesInJobs); got != 2*many {
		t.Errorf("%d deliveries have a job, want %d", got, 2*many)
	}
}

func TestImportRefusesMoreThanItsLimit(t *testing.T) {
	w := newFixture(t)
	_, err := w.tickets.Import(w.As(seller), ticket.Import{Tickets: make([]ecmajson.Value, intake.Max+1)})
	if got := domaintest.Paths(err); got != "tickets" {
		t.Errorf("got %q (%v)", got, err)
	}
	w.imported(seller, ticket.Imported{})
}
