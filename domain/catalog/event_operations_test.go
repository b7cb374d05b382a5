package catalog_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/catalog"
	"ticketgate/domain/document"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/moment"
	"ticketgate/domain/money"
	"ticketgate/domain/optional"
)

func ptr[T any](value T) *T { return new(value) }

func TestEventsAreStoredAndPublished(t *testing.T) {
	w := newFixture(t)
	event := w.event("Gala", func(n *catalog.NewEvent) {
		n.ID, n.TimeZone, n.CodeDisplay = new("ours/1"), new("Europe/Paris"), catalog.Barcode
		n.End, n.BarcodeRevealDate = new(at("2026-11-28T01:00:00.5+01:00")), new(at("2026-11-20T00:00:00Z"))
		n.SkipAddressInfo, n.Meta = true, domaintest.JSON(`{"price":10.50,"<é>":"it's \\ 'x'","big":1e21}`)
	})

	t.Run("an event is returned as it was created", func(t *testing.T) {
		got := domaintest.Must(w.events.Get(w.As(seller), "ours/1"))(t)
		if got.Name != "Gala" || !got.Start.Equal(event.Start.Time) || got.End.String() != "2026-11-28T00:00:00.500Z" ||
			got.BarcodeRevealDate.String() != "2026-11-20T00:00:00.000Z" || got.TimeZone != "Europe/Paris" || !got.SkipAddressInfo ||
			got.CodeDisplay != catalog.Barcode || got.SellerID != seller || !got.CreatedAt.Equal(event.CreatedAt.Time) {
			t.Errorf("%+v", got)
		}
		if text := string(got.Meta.Append(nil)); text != `{"price":10.5,"<é>":"it's \\ 'x'","big":1e+21}` {
			t.Errorf("meta is %s", text)
		}
	})
	t.Run("its creation is published and audited", func(t *testing.T) {
		want := `{"event":{"_id":"ours/1","sellerId":"` + string(seller) + `","name":"Gala","type":"SINGLE",` +
			`"start":"2026-11-27T20:00:00.000Z","end":"2026-11-28T00:00:00.500Z","timeZone":"Europe/Paris",` +
			`"skipAddressInfo":true,"codeDisplay":"BARCODE",` +
			`"barcodeRevealDate":"2026-11-20T00:00:00.000Z","meta":{"price":10.5,"<é>":"it's \\ 'x'","big":1e+21},` +
			`"createdAt":"` + event.CreatedAt.String() + `","updatedAt":"` + event.UpdatedAt.String() + `","tickets":[]}}`
		if got := w.published("event.created"); !slices.Equal(got, []string{want}) {
			t.Errorf("published %v", got)
		}
		if n := w.Count(`SELECT count(*) FROM audit_entries
			WHERE action = 'createEvent' AND object_id = 'ours/1' AND after ->> 'name' = 'Gala'`); n != 1 {
			t.Errorf("got %d audit entries", n)
		}
	})
	t.Run("an _id is unique within a seller", func(t *testing.T) {
		_, err := w.events.Create(w.As(seller), catalog.NewEvent{ID: new("ours/1"), Name: "Twin", Start: event.Start})
		domaintest.Refused(t, "twin", err, domain.CodeValidationFailed, "_id")
		domaintest.Must(w.events.Create(w.As(other), catalog.NewEvent{ID: new("ours/1"), Name: "Theirs", Start: event.Start}))(t)
		if got := domaintest.Must(w.events.Get(w.As(seller), "ours/1"))(t); got.Name != "Gala" {
			t.Errorf("the name is now %q", got.Name)
		}
	})
	t.Run("a change without effect is not published", func(t *testing.T) {
		got := domaintest.Must(w.events.Update(w.As(seller), event.ID, catalog.EventChange{
			Name: optional.Some(" Gala "), Start: optional.Some(event.Start),
			Meta:     optional.Some(domaintest.JSON(`{"price":10.5,"<é>":"it's \\ 'x'","big":1e21}`)),
			TimeZone: optional.Some("Europe/Paris"), SkipAddressInfo: optional.Some(true),
		}))(t)
		if !got.UpdatedAt.Equal(event.UpdatedAt.Time) || len(w.published("event.updated")) != 0 {
			t.Errorf("got %+v, %v", got, w.published("event.updated"))
		}
	})
	t.Run("omitted fields are kept and null restores the default", func(t *testing.T) {
		got := domaintest.Must(w.events.Update(w.As(seller), event.ID, catalog.EventChange{
			End: optional.Null[moment.DateTime](), TimeZone: optional.Null[string](),
			CodeDisplay: optional.Null[catalog.CodeDisplay](), SkipAddressInfo: optional.Null[bool](), Meta: optional.Null[ecmajson.Value](),
		}))(t)
		if got.Name != "Gala" || got.End != nil || got.TimeZone != "UTC" || got.CodeDisplay != catalog.QR || got.SkipAddressInfo ||
			got.Meta.Kind() != ecmajson.Null || got.BarcodeRevealDate == nil || !got.Start.Equal(event.Start.Time) {
			t.Errorf("%+v", got)
		}
		updated := w.published("event.updated")
		if len(updated) != 1 || strings.Contains(updated[0], `"meta"`) || !strings.Contains(updated[0], `"timeZone":"UTC"`) {
			t.Errorf("published %v", updated)
		}
		if n := w.Count(`SELECT count(*) FROM audit_entries WHERE action = 'updateEvent' AND before ->> 'timeZone' = 'Europe/Paris'
			AND NOT before ? 'name'`); n != 1 {
			t.Errorf("got %d audit entries", n)
		}
	})
}

// CATALOG-4: null can't clear a required field.
func TestNullIsRefusedForRequiredFields(t *testing.T) {
	w := newFixture(t)
	event := w.event("Gala", nil)
	_, err := w.events.Update(w.As(seller), event.ID, catalog.EventChange{
		Name: optional.Null[string](), Start: optional.Null[moment.DateTime](), End: optional.Null[moment.DateTime](),
	})
	domaintest.Refused(t, "an event", err, domain.CodeValidationFailed, "name", "start")
	kind := domaintest.Must(w.types.Create(w.As(seller), catalog.NewTicketType{EventID: event.ID, Name: "N", Price: "1"}))(t)
	_, err = w.types.Update(w.As(seller), kind.ID, catalog.TicketTypeChange{
		Name: optional.Null[string](), Price: optional.Null[document.Number](), Currency: optional.Null[money.Currency](),
	})
	domaintest.Refused(t, "a ticket type", err, domain.CodeValidationFailed, "name", "price")
	zone := domaintest.Must(w.zones.Create(w.As(seller), catalog.NewScanZone{Name: "Hall"}))(t)
	_, err = w.zones.Update(w.As(seller), zone.ID, catalog.ScanZoneChange{Name: optional.Null[string](), EventID: optional.Null[string]()})
	domaintest.Refused(t, "a scan zone", err, domain.CodeValidationFailed, "name")
}

func TestEventsHaveRootsAndParents(t *testing.T) {
	w := newFixture(t)
	root := w.event("Series", func(n *catalog.NewEvent) { n.Type = catalog.Root })
	group := w.event("Group", func(n *catalog.NewEvent) { n.Type = catalog.Group })
	single := w.event("Single", nil)
	lone := w.event("Lone", nil)
	date := w.event("Date", func(n *catalog.NewEvent) { n.Type, n.RootEventID = catalog.Recurrence, &root.ID })
	domaintest.Must(w.events.Create(w.As(other), catalog.NewEvent{ID: new("theirs"), Name: "T", Type: catalog.Root, Start: root.Start}))(t)

	t.Run("a root is a ROOT, a parent is a GROUP or ROOT of the same seller", func(t *testing.T) {
		for _, c := range []struct {
			name         string
			root, parent string
			wrong        []string
		}{
			{"both valid", root.ID, group.ID, nil},
			{"unknown", "nothing", "missing", []string{"rootEventId", "parentEventId"}},
			{"another seller's", "theirs", "theirs", []string{"rootEventId", "parentEventId"}},
			{"neither a root nor a parent", group.ID, lone.ID, []string{"rootEventId", "parentEventId"}},
			{"a date", date.ID, date.ID, []string{"rootEventId", "parentEventId"}},
			{"a root as parent", root.ID, root.ID, nil},
		} {
			_, create := w.events.Create(w.As(seller), catalog.NewEvent{
				Name: "N", Start: root.Start, RootEventID: &c.root, ParentEventID: &c.parent,
			})
			_, update := w.events.Update(w.As(seller), single.ID, catalog.EventChange{
				RootEventID: optional.Some(c.root), ParentEventID: optional.Some(c.parent),
			})
			for _, err := range []error{create, update} {
				if c.wrong == nil && err != nil {
					t.Errorf("%s: got %v", c.name, err)
				} else if c.wrong != nil {
					domaintest.Refused(t, c.name, err, domain.CodeValidationFailed, c.wrong...)
				}
			}
		}
	})
	t.Run("cycles are rejected", func(t *testing.T) {
		inner := w.event("Inner", func(n *catalog.NewEvent) { n.Type, n.ParentEventID = catalog.Group, &group.ID })
		innermost := w.event("Innermost", func(n *catalog.NewEvent) {
			n.Type, n.ParentEventID, n.RootEventID = catalog.Group, &inner.ID, &root.ID
		})
		for _, below := range []string{inner.ID, innermost.ID} {
			_, err := w.events.Update(w.As(seller), group.ID, catalog.EventChange{ParentEventID: optional.Some(below)})
			domaintest.Refused(t, "group", err, domain.CodeValidationFailed, "parentEventId")
		}
		_, err := w.events.Update(w.As(seller), root.ID, catalog.EventChange{ParentEventID: optional.Some(innermost.ID)})
		domaintest.Refused(t, "root", err, domain.CodeValidationFailed, "parentEventId")
	})
	t.Run("EventsBelow returns the events below", func(t *testing.T) {
		below := domaintest.Must(w.reader.EventsBelow(t.Context(), seller, root.ID))(t)
		names := make([]string, len(below))
		for i, event := range below {
			names[i] = event.Name
		}
		if !slices.Equal(names, []string{"Single", "Date", "N", "N", "Innermost"}) {
			t.Errorf("EventsBelow returned %v", names)
		}
		if foreign := domaintest.Must(w.reader.EventsBelow(t.Context(), other, root.ID))(t); len(foreign) != 0 {
			t.Errorf("another seller sees %v", foreign)
		}
	})
}

// If two groups are moved below each other concurrently, exactly one change must fail (CATALOG-3).
func TestConcurrentMovesCreateNoCycle(t *testing.T) {
	w := newFixture(t)
	for round := range 10 {
		groups := make([]catalog.Event, 2)
		for i := range groups {
			groups[i] = w.event(fmt.Sprint(round, i), func(n *catalog.NewEvent) { n.Type = catalog.Group })
		}
		var errs [2]error
		var both sync.WaitGroup
		for i := range groups {
			both.Go(func() {
				_, errs[i] = w.events.Update(w.As(seller), groups[i].ID, catalog.EventChange{ParentEventID: optional.Some(groups[1-i].ID)})
			})
		}
		both.Wait()
		if (errs[0] == nil) == (errs[1] == nil) {
			t.Fatalf("round %d: %v, %v", round, errs[0], errs[1])
		}
	}
}

func TestDeleteEvent(t *testing.T) {
	w := newFixture(t)
	group := w.event("Group", func(n *catalog.NewEvent) { n.Type = catalog.Group })
	event := w.event("Event", func(n *catalog.NewEvent) { n.ParentEventID = &group.ID })
	domaintest.Must(w.types.Create(w.As(seller), catalog.NewTicketType{EventID: event.ID, Name: "T", Price: "1"}))(t)
	domaintest.Must(w.zones.Create(w.As(seller), catalog.NewScanZone{EventID: &event.ID, Name: "Z"}))(t)
	shared := domaintest.Must(w.zones.Create(w.As(seller), catalog.NewScanZone{Name: "Shared"}))(t)

	t.Run("an event with others below it is not deleted", func(t *testing.T) {
		_, err := w.events.Delete(w.As(seller), group.ID, nil)
		domaintest.HasCode(t, "delete", err, domain.CodeInvalidState)
		if !strings.Contains(fmt.Sprint(err), "other events") {
			t.Errorf("got the error %q", err)
		}
	})
	t.Run("an event with tickets is not deleted", func(t *testing.T) {
		w.Exec(`INSERT INTO tickets (id, seller_id, event_id, ticket_type_id, status, barcode, search_folded, excluded_event_ids,
			document, created_at, updated_at)
			VALUES ('t', $1, $2, 'x', 'VALID', 'b', '', '{}', '{}', now(), now())`, string(seller), event.ID)
		_, err := w.events.Delete(w.As(seller), event.ID, nil)
		domaintest.HasCode(t, "delete", err, domain.CodeInvalidState)
		w.Exec("DELETE FROM tickets")
	})
	t.Run("an event of a scan group is not deleted", func(t *testing.T) {
		w.Exec(`INSERT INTO scan_groups (id, seller_id, name, name_folded, created_at, updated_at)
			VALUES ('g', $1, 'G', 'g', now(), now())`, string(seller))
		w.Exec("INSERT INTO scan_group_events (scan_group_id, seller_id, event_id) VALUES ('g', $1, $2)", string(seller), event.ID)
		_, err := w.events.Delete(w.As(seller), event.ID, nil)
		domaintest.HasCode(t, "delete", err, domain.CodeInvalidState)
		if !strings.Contains(fmt.Sprint(err), "scan groups") {
			t.Errorf("got the error %q", err)
		}
		w.Exec("DELETE FROM scan_groups")
	})
	t.Run("a failed deletion publishes nothing", func(t *testing.T) {
		if got := w.published("event.deleted"); len(got) != 0 {
			t.Errorf("published %v", got)
		}
	})
	t.Run("it is deleted with its ticket types and zones, returned and published", func(t *testing.T) {
		got := domaintest.Must(w.events.Delete(w.As(seller, "events:update"), event.ID, nil))(t)
		if got.Name != "Event" || *got.ParentEventID != group.ID {
			t.Errorf("%+v", got)
		}
		if n := w.Count(`SELECT (SELECT count(*) FROM ticket_types) +
			(SELECT count(*) FROM scan_zones WHERE id <> $1)`, shared.ID); n != 0 {
			t.Errorf("%d of its records are left", n)
		}
		if deleted := w.published("event.deleted"); len(deleted) != 1 || !strings.HasPrefix(deleted[0], `{"event":{"_id":"`+event.ID+`"`) {
			t.Errorf("published %v", deleted)
		}
		if n := w.Count("SELECT count(*) FROM audit_entries WHERE action = 'deleteEvent' AND before ->> 'name' = 'Event'"); n != 1 {
			t.Errorf("got %d audit entries", n)
		}
		_, err := w.events.Delete(w.As(seller), event.ID, nil)
		domaintest.HasCode(t, "again", err, domain.CodeNotFound)
	})
}

func TestEventsAreFilteredAndOrdered(t *testing.T) {
	w := newFixture(t)
	start := func(day int) moment.DateTime {
		return moment.New(time.Date(2026, 12, day, 0, 0, 0, 0, time.UTC))
	}
	// The ids are in the opposite order of creation, because imported events have ids of their own.
	root := w.event("GRÖẞE 100%", func(n *catalog.NewEvent) { n.ID, n.Type, n.Start = new("z"), catalog.Root, start(1) })
	w.event("a_b", func(n *catalog.NewEvent) { n.ID, n.RootEventID, n.Start = new("y"), &root.ID, start(2) })
	w.event("axb", func(n *catalog.NewEvent) { n.ID, n.Type, n.Start = new("x"), catalog.Group, start(3) })
	w.event(`c\d`, func(n *catalog.NewEvent) { n.ID, n.ParentEventID, n.Start = new("w"), new("x"), start(4) })
	domaintest.Must(w.events.Create(w.As(other), catalog.NewEvent{Name: "größe a_b", Start: start(2)}))(t)

	for _, c := range []struct {
		name   string
		filter catalog.EventFilter
		want   string
	}{
		{"nothing", catalog.EventFilter{}, "zyxw"},
		{"a name in another case", catalog.EventFilter{Name: "grösse 1"}, "z"},
		{"a percent sign", catalog.EventFilter{Name: "%"}, "z"},
		{"an underscore", catalog.EventFilter{Name: "A_B"}, "y"},
		{"a backslash", catalog.EventFilter{Name: `\`}, "w"},
		{"a type", catalog.EventFilter{Type: catalog.Single}, "yw"},
		{"types", catalog.EventFilter{TypeIn: []catalog.EventType{catalog.Root, catalog.Group}}, "zx"},
		{"a type and others", catalog.EventFilter{Type: catalog.Root, TypeIn: []catalog.EventType{catalog.Group}}, ""},
		{"a root", catalog.EventFilter{RootEventID: "z"}, "y"},
		{"a parent", catalog.EventFilter{ParentEventID: "x"}, "w"},
		{"times, the first inclusive", catalog.EventFilter{StartFrom: new(start(2)), StartUntil: new(start(4))}, "yx"},
		{"several at once", catalog.EventFilter{Type: catalog.Single, StartFrom: new(start(3))}, "w"},
	} {
		list, err := w.events.List(w.As(seller), c.filter, page(10))
		got := ""
		for _, event := range list.Items {
			got += event.ID
		}
		if err != nil || got != c.want {
			t.Errorf("%s: got %q, %v", c.name, got, err)
			continue
		}
		if total := domaintest.Must(list.Total(t.Context()))(t); total != len(c.want) {
			t.Errorf("%s: total %d", c.name, total)
		}
	}
	t.Run("pages neither repeat nor skip events", func(t *testing.T) {
		first := domaintest.Must(w.events.List(w.As(seller), catalog.EventFilter{}, page(3)))(t)
		if !first.HasMore {
			t.Error("the first page has no next page")
		}
		after := first.Items[1].Position()
		for _, p := range []domain.Page{{Limit: 2, Skip: 2}, {Limit: 2, After: &after}} {
			rest := domaintest.Must(w.events.List(w.As(seller), catalog.EventFilter{}, p))(t)
			if len(rest.Items) != 2 || rest.Items[0].ID != "x" || rest.Items[1].ID != "w" || rest.HasMore {
				t.Errorf("%+v: %+v", p, rest.Items)
			}
		}
		_, err := w.events.List(w.As(seller), catalog.EventFilter{}, domain.Page{Limit: 2, After: &domain.Cursor{ID: "y"}})
		domaintest.Refused(t, "a cursor of another list", err, domain.CodeValidationFailed, "after")
	})
	_, err := w.events.List(w.As(seller), catalog.EventFilter{Type: "FAIR", Name: "a\x00"}, page(1))
	domaintest.Refused(t, "filter", err, domain.CodeValidationFailed, "type", "name")
}
