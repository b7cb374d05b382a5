package ticket_test

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"ticketgate/db/dbtest"
	"ticketgate/domain"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/intake"
	"ticketgate/domain/ticket"
)

// keyWith returns a call with a key of the seller that has the permissions.
func (w *fixture) keyWith(permissions ...domain.Permission) context.Context {
	actor := dbtest.KeyOf(seller, permissions...)
	return domain.WithActor(w.T.Context(), &actor)
}

func importOf(tickets ...string) (input ticket.Import) {
	for _, text := range tickets {
		input.Tickets = append(input.Tickets, domaintest.JSON(text))
	}
	return input
}

// IMPORT-4.
func TestOlderTicketChangesNothing(t *testing.T) {
	w := newFixture(t)
	at := func(day, status string) string {
		return small("a", `"updatedAt":"2026-11-`+day+`T00:00:00Z"`, `"status":"`+status+`"`)
	}
	w.imported(seller, ticket.Imported{Created: 1}, at("20", "INVALID"))
	w.imported(seller, ticket.Imported{Stale: 1}, at("10", "VALID"))
	w.imported(seller, ticket.Imported{Stale: 1}, small("a", `"updatedAt":"2026-11-19T23:59:59.999Z"`, `"status":"INVALID"`))
	if record, err := w.tickets.Get(w.As(seller), "a"); err != nil || record.Status != ticket.Invalid || record.UpdatedAt.Day() != 20 {
		t.Errorf("stored %s of %s, %v", record.Status, record.UpdatedAt, err)
	}
	w.imported(seller, ticket.Imported{Updated: 1}, at("20", "VALID"))
	w.imported(seller, ticket.Imported{Updated: 1, Created: 1}, small("a", `"status":"INVALID"`), small("b"))
	if _, err := w.tickets.Import(w.As(seller), importOf(at("20", "VALID"), at("10", "VALID"))); !domain.HasCode(err, domain.CodeValidationFailed) {
		t.Errorf("the same _id twice: %v", err)
	}
	if got := w.Count("SELECT count(*) FROM events WHERE type = 'ticket.updated'"); got != 2 {
		t.Errorf("got %d ticket.updated events, want 2", got)
	}
}

// IMPORT-8.
func TestUpdatedAtOfATicketNeverMovesBack(t *testing.T) {
	w := newFixture(t)
	w.imported(seller, ticket.Imported{Created: 1}, small("a", `"updatedAt":"2037-01-01T00:00:00Z"`, `"status":"VALID"`))
	w.imported(seller, ticket.Imported{Updated: 1}, small("a", `"status":"INVALID"`))
	w.imported(seller, ticket.Imported{Unchanged: 1}, small("a", `"status":"INVALID"`))
	w.imported(seller, ticket.Imported{Stale: 1}, small("a", `"updatedAt":"2037-01-01T00:00:00Z"`, `"status":"VALID"`))
	if record, err := w.tickets.Get(w.As(seller), "a"); err != nil || record.UpdatedAt.String() != "2037-01-01T00:00:00.001Z" {
		t.Errorf("stored %s, %v", record.UpdatedAt, err)
	}

	// Concurrent imports, with a stopped clock.
	w.imported(seller, ticket.Imported{Created: 1}, small("b"))
	var all sync.WaitGroup
	for n := range 6 {
		all.Go(func() {
			if _, err := w.tickets.Import(w.As(seller), importOf(small("b", `"name":"N`+strconv.Itoa(n)+`"`))); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	stored, times := w.document("b"), map[string]bool{}
	for _, data := range w.events() {
		if _, at, found := strings.Cut(data, `"_id":"b"`); found {
			_, at, _ = strings.Cut(at, `"updatedAt":"`)
			times[at[:len("2037-01-01T00:00:00.000Z")]] = true
		}
	}
	if newest := slices.Max(slices.Collect(maps.Keys(times))); len(times) != 7 || !strings.Contains(stored, `"updatedAt":"`+newest) {
		t.Errorf("stored %s, published at %v", stored, times)
	}
}

// IMPORT-6.
func TestCreateOnlyKeyChangesNoTicket(t *testing.T) {
	w := newFixture(t)
	w.imported(seller, ticket.Imported{Created: 2}, small("a"), small("b"))
	changed := small("b", `"status":"INVALID"`)
	got, err := w.tickets.Import(w.keyWith("tickets:create"), importOf(small("a"), changed, small("c")))
	w.Must(err)
	want := ticket.Imported{Created: 1, Unchanged: 1, Refused: []intake.RefusedRow{{
		Path: "tickets[1]", Code: "FORBIDDEN", Message: `This record already exists; changing it requires the permission "tickets:update"`,
	}}}
	domaintest.Equal(t, "imported", got, want)
	got, err = w.tickets.Import(w.keyWith("tickets:create", "tickets:update"), importOf(small("a"), changed))
	w.Must(err)
	domaintest.Equal(t, "imported with both permissions", got, ticket.Imported{Updated: 1, Unchanged: 1})
}

// IMPORT-1.
func TestDamagedBarcodes(t *testing.T) {
	w := newFixture(t)
	yes := true
	of := func(code string) ticket.Import { return importOf(small("a", `"barcode":`+strconv.Quote(code))) }
	for _, code := range []string{"1.23E+11", "4006381333931.0", "12.03.2027", " A", "A\u00a0"} {
		_, err := w.tickets.Import(w.As(seller), of(code))
		if refused := domain.AsError(err); len(refused.Fields) != 1 || refused.Fields[0].Path != "tickets[0].barcode" || refused.Fields[0].Hint == "" {
			t.Errorf("%q: %v", code, err)
		}
	}
	barcode := func() string {
		record, err := w.tickets.Get(w.As(seller), "a")
		w.Must(err)
		return record.Barcode
	}
	got, err := w.tickets.Import(w.As(seller), of(`="007"`))
	w.Must(err)
	if note := `is written ="007" and read as 007`; len(got.Notes) != 1 || got.Notes[0].Path != "tickets[0].barcode" || got.Notes[0].Message != note || barcode() != "007" {
		t.Errorf("imported %+v as %q", got, barcode())
	}
	trimmed := of("\t B ")
	trimmed.TrimCodes = &yes
	if got, err = w.tickets.Import(w.As(seller), trimmed); err != nil || got.Trimmed != 1 || barcode() != "B" {
		t.Errorf("imported %+v as %q, %v", got, barcode(), err)
	}
	for _, code := range []string{"1.23E+11", " A", `="007"`} {
		kept := of(code)
		kept.KeepSuspicious = &yes
		if _, err = w.tickets.Import(w.As(seller), kept); err != nil || barcode() != code {
			t.Errorf("kept %q, %v; want %q", barcode(), err, code)
		}
	}
	both := of("A")
	both.TrimCodes, both.KeepSuspicious = &yes, &yes
	if _, err = w.tickets.Import(w.As(seller), both); err == nil || domain.AsError(err).Fields[0].Path != "trimCodes" {
		t.Errorf("both: %v", err)
	}
}
