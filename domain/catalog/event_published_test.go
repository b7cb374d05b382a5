package catalog_test

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/catalog"
	"ticketgate/domain/document"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/moment"
	"ticketgate/domain/optional"
	"ticketgate/domain/tenant"
)

// ticketsOf returns the ticket types in the data of an event.
func ticketsOf(t *testing.T, data string) string {
	t.Helper()
	_, tickets, found := strings.Cut(data, `"tickets":`)
	if !found {
		t.Fatalf("no tickets in %s", data)
	}
	return strings.TrimSuffix(tickets, "}}")
}

// WEBHOOK-20.
func TestEventsArePublishedWithTheirTicketTypes(t *testing.T) {
	w := newFixture(t)
	event := w.event("Gala", nil)
	ticketType := domaintest.Must(w.types.Create(w.As(seller), catalog.NewTicketType{
		ID: new("t1"), EventID: event.ID, Name: "Stalls", Price: "25.50", TaxRate: new(document.Number("7")),
	}))(t)
	domaintest.Must(w.types.Create(w.As(seller), catalog.NewTicketType{ID: new("t2"), EventID: event.ID, Name: "Balcony", Price: "9", Active: new(false)}))(t)
	price := catalog.TicketTypeChange{Price: optional.Some(document.Number("30"))}
	domaintest.Must(w.types.Update(w.As(seller), ticketType.ID, price))(t)
	domaintest.Must(w.types.Update(w.As(seller), ticketType.ID, price))(t) // changes nothing
	domaintest.Must(w.events.Update(w.As(seller), event.ID, catalog.EventChange{Name: optional.Some("Gala 2027")}))(t)
	domaintest.Must(w.types.Delete(w.As(seller, "events:update"), "t2", nil))(t)
	domaintest.Must(w.events.Delete(w.As(seller), event.ID, nil))(t)

	if created := w.published("event.created"); len(created) != 1 || ticketsOf(t, created[0]) != "[]" {
		t.Errorf("event.created contains %v", created)
	}
	const t1, t2 = `{"_id":"t1","name":"Stalls","price":30,"currency":"EUR","taxRate":7,"active":true}`,
		`{"_id":"t2","name":"Balcony","price":9,"currency":"EUR","active":false}`
	older := strings.Replace(t1, "30", "25.5", 1)
	want := []string{"[" + older + "]", "[" + older + "," + t2 + "]", "[" + t1 + "," + t2 + "]", "[" + t1 + "," + t2 + "]", "[" + t1 + "]"}
	updated := w.published("event.updated")
	if len(updated) != len(want) {
		t.Fatalf("published %v", updated)
	}
	for i, data := range updated {
		if got := ticketsOf(t, data); got != want[i] {
			t.Errorf("update %d contains %s, want %s", i, got, want[i])
		}
	}
	if deleted := w.published("event.deleted"); len(deleted) != 1 || ticketsOf(t, deleted[0]) != "["+t1+"]" {
		t.Errorf("event.deleted contains %v", deleted)
	}
}

// WEBHOOK-20.
func TestConcurrentTicketTypeChangesAreAllPublished(t *testing.T) {
	w := newFixture(t)
	event := w.event("Gala", nil)
	var all sync.WaitGroup
	for _, name := range []string{"a", "b", "c", "d"} {
		all.Go(func() {
			if _, err := w.types.Create(w.As(seller), catalog.NewTicketType{EventID: event.ID, Name: name, Price: "1"}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	most := 0
	for _, data := range w.published("event.updated") {
		most = max(most, strings.Count(data, `"price"`))
	}
	if most != 4 {
		t.Errorf("no event contains all 4 ticket types, the largest has %d", most)
	}
}

// WEBHOOK-22, with a stopped clock.
func TestPublishedUpdatedAtIncreases(t *testing.T) {
	w := newFixture(t)
	stopped := func() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) }
	records := catalog.New(w.Store.Catalog(), tenant.LookUp(w.Store.Tenants()), stopped)
	w.events, w.types = records.Events, records.TicketTypes
	event := w.event("Gala", nil)
	var all sync.WaitGroup
	for _, name := range []string{"a", "b", "c", "d"} {
		all.Go(func() {
			if _, err := w.types.Create(w.As(seller), catalog.NewTicketType{ID: new(name), EventID: event.ID, Name: name, Price: "1"}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	domaintest.Must(w.types.Update(w.As(seller), "a", catalog.TicketTypeChange{Price: optional.Some(document.Number("2"))}))(t)
	domaintest.Must(w.types.Delete(w.As(seller), "b", nil))(t)
	updated := w.published("event.updated")
	if len(updated) != 6 {
		t.Fatalf("published %v", updated)
	}
	shown := map[string]string{}
	for _, data := range updated {
		shown[updatedAtOf(t, data)] = data
	}
	newest := slices.Max(slices.Collect(maps.Keys(shown)))
	if len(shown) != len(updated) || newest <= event.UpdatedAt.String() {
		t.Errorf("%d events have %d distinct times, the last is %s", len(updated), len(shown), newest)
	}
	if tickets := ticketsOf(t, shown[newest]); strings.Count(tickets, `"_id"`) != 3 || strings.Contains(tickets, `"b"`) || !strings.Contains(tickets, `"price":2`) {
		t.Errorf("the newest event contains %s", tickets)
	}
	last := at(newest)
	if got := domaintest.Must(w.events.Get(w.As(seller), event.ID))(t); !got.UpdatedAt.Equal(last.Time) {
		t.Errorf("stored %s, published %s", got.UpdatedAt, last)
	}
	change := catalog.EventChange{Name: optional.Some("Gala 2027"), ExpectedUpdatedAt: &last}
	renamed := domaintest.Must(w.events.Update(w.As(seller), event.ID, change))(t)
	domaintest.Must(w.events.Delete(w.As(seller), event.ID, nil))(t)
	if deleted := updatedAtOf(t, w.published("event.deleted")[0]); deleted <= renamed.UpdatedAt.String() {
		t.Errorf("deleted at %s, after %s", deleted, renamed.UpdatedAt)
	}
}

// updatedAtOf returns the updatedAt in the data of an event.
func updatedAtOf(t *testing.T, data string) string {
	t.Helper()
	_, rest, found := strings.Cut(data, `"updatedAt":"`)
	if !found {
		t.Fatalf("no updatedAt in %s", data)
	}
	return rest[:len("2026-11-20T12:00:00.000Z")]
}

func TestReferencedTicketTypeCannotBeDeleted(t *testing.T) {
	w := newFixture(t)
	event := w.event("Gala", nil)
	made := domaintest.Must(w.types.Create(w.As(seller), catalog.NewTicketType{EventID: event.ID, Name: "Stalls", Price: "1"}))(t)
	w.Exec(`INSERT INTO tickets (id, seller_id, event_id, ticket_type_id, status, barcode, search_folded, excluded_event_ids,
		document, created_at, updated_at) VALUES ('t', $1, $2, $3, 'VALID', 'b', '', '{}', '{}', now(), now())`, string(seller), event.ID, made.ID)
	_, err := w.types.Delete(w.As(seller), made.ID, nil)
	domaintest.HasCode(t, "with a ticket", err, domain.CodeInvalidState)
	if err == nil || !strings.Contains(err.Error(), "tickets refer to it") {
		t.Errorf("got the error %v", err)
	}
	w.Exec("DELETE FROM tickets")
	w.Exec(`INSERT INTO scan_groups (id, seller_id, name, name_folded, created_at, updated_at) VALUES ('g', $1, 'G', 'g', now(), now())`, string(seller))
	w.Exec("INSERT INTO scan_group_ticket_types (scan_group_id, seller_id, ticket_type_id) VALUES ('g', $1, $2)", string(seller), made.ID)
	_, err = w.types.Delete(w.As(seller), made.ID, nil)
	domaintest.HasCode(t, "in a scan group", err, domain.CodeInvalidState)
	w.Exec("DELETE FROM scan_groups")
	_, err = w.types.Delete(w.As(other), made.ID, nil)
	domaintest.HasCode(t, "by another seller", err, domain.CodeNotFound)
	_, err = w.types.Delete(w.As(seller, "events:list"), made.ID, nil)
	domaintest.HasCode(t, "without the permission", err, domain.CodeMissingPermission)
	if got := domaintest.Must(w.types.Delete(w.As(seller), made.ID, nil))(t); got.Name != "Stalls" {
		t.Errorf("%+v", got)
	}
	_, err = w.types.Delete(w.As(seller), made.ID, nil)
	domaintest.HasCode(t, "again", err, domain.CodeNotFound)
}

func TestAnEventKeepsFieldsForSalesChannels(t *testing.T) {
	w := newFixture(t)
	made := w.event("Gala", func(n *catalog.NewEvent) {
		n.SellStart, n.SellEnd = new(at("2026-10-01T08:00:00Z")), new(at("2026-11-27T18:00:00Z"))
		n.MaxAmount, n.MaxAmountPerOrder, n.Status = new(500), new(8), new(" PUBLISHED ")
	})
	const want = `"sellStart":"2026-10-01T08:00:00.000Z","sellEnd":"2026-11-27T18:00:00.000Z","maxAmount":500,"maxAmountPerOrder":8,` +
		`"status":"PUBLISHED","tickets":[]}}`
	if created := w.published("event.created"); !strings.HasSuffix(created[0], want) {
		t.Errorf("published %s", created)
	}
	if got := domaintest.Must(w.events.Get(w.As(seller), made.ID))(t); *got.MaxAmount != 500 || *got.Status != "PUBLISHED" || !got.SellEnd.Equal(made.SellEnd.Time) {
		t.Errorf("%+v", got.Sales)
	}
	changed := domaintest.Must(w.events.Update(w.As(seller), made.ID, catalog.EventChange{SalesChange: catalog.SalesChange{
		Status: optional.Null[string](), MaxAmount: optional.Some(0), SellStart: optional.Null[moment.DateTime](),
	}}))(t)
	if changed.Status != nil || *changed.MaxAmount != 0 || changed.SellStart != nil || *changed.MaxAmountPerOrder != 8 {
		t.Errorf("%+v", changed.Sales)
	}
	_, err := w.events.Update(w.As(seller), made.ID, catalog.EventChange{SalesChange: catalog.SalesChange{
		SellStart: optional.Some(at("2026-11-27T18:00:00.001Z")), MaxAmount: optional.Some(-1), MaxAmountPerOrder: optional.Some(1 << 31),
	}})
	domaintest.Refused(t, "wrong sales", err, domain.CodeValidationFailed, "sellEnd", "maxAmount", "maxAmountPerOrder")
}

// WEBHOOK-21.
func TestCustomersArePublishedWithFieldAliases(t *testing.T) {
	w := newFixture(t)
	for want, input := range map[string]catalog.NewCustomer{
		`"primaryEmail":"ada@example.org","name":"Ada Lovelace"}}`: {Email: new("ada@example.org"), Firstname: new("Ada"), Lastname: new("Lovelace")},
		`"name":"Lovelace"}}`: {Lastname: new("Lovelace"), Company: new("ACME")},
	} {
		domaintest.Must(w.customers.Create(w.As(seller), input))(t)
		if created := w.published("customer.created"); !strings.HasSuffix(created[len(created)-1], want) {
			t.Errorf("published %v", created)
		}
	}
	domaintest.Must(w.customers.Create(w.As(seller), catalog.NewCustomer{Company: new("ACME")}))(t)
	created := w.published("customer.created")
	if last := created[len(created)-1]; strings.Contains(last, `"name"`) || strings.Contains(last, "primaryEmail") {
		t.Errorf("published %s", last)
	}
}
