package scan_test

import (
	"fmt"
	"strings"
	"testing"

	"ticketgate/domain"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/optional"
	"ticketgate/domain/scan"
)

// A device reads its events and tickets, and those of the events above.
func TestADeviceReadsEventsAboveItsOwn(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.chain()
	group := w.group(nil)
	door, all := w.gateOf(group), w.device("All", group, scan.Restricted)
	for _, event := range []string{"R1", "G1", "G2", "E1", "E2", "D1"} {
		w.ticket(event, func(d map[string]any) { d["eventId"] = event })
	}
	named := func(events []scan.EventName, err error) string {
		ids := make([]string, len(events))
		for i, event := range events {
			ids[i] = event.ID
		}
		return strings.TrimSpace(strings.Join(ids, " ") + " " + fmt.Sprint(err))
	}
	for _, row := range []struct {
		device  scan.Device
		include bool
		want    string
	}{
		{door, false, "E1 <nil>"},
		{door, true, "E1 G2 R1 G1 <nil>"},
		{all, false, "E1 E2 D1 <nil>"},
		{all, true, "E1 G2 E2 R1 D1 G1 <nil>"},
	} {
		if got := named(w.gate.Events(w.from(row.device), row.include)); got != row.want {
			t.Errorf("%s, include %t: got %s, want %s", row.device.Name, row.include, got, row.want)
		}
	}
	for include, want := range map[bool]int{false: 1, true: 4} {
		list, err := w.gate.EventTickets(w.from(door), scan.TicketSpan{EventID: "E1", IncludeRootEvents: include}, domain.Page{Limit: 10})
		if err != nil || len(list.Items) != want {
			t.Errorf("include %t: got %d tickets, %v", include, len(list.Items), err)
		}
	}
	_, err := w.gate.EventTickets(w.from(door), scan.TicketSpan{EventID: "nowhere"}, domain.Page{Limit: 10})
	domaintest.HasCode(t, "the call", err, domain.CodeNotFound)
	_, err = w.gate.EventTickets(w.from(door), scan.TicketSpan{EventID: "E2"}, domain.Page{Limit: 10})
	domaintest.HasCode(t, "the call", err, domain.CodeForbidden)
	for _, row := range []struct {
		barcode, event string
		want           domain.Code
	}{
		{"B-E1", "", ""},
		{"B-R1", "", ""},
		{"B-R1", "E1", ""},
		{"B-E2", "", domain.CodeNotFound},
		{"B-E2", "E1", domain.CodeNotFound},
		{"B-E1", "E2", domain.CodeForbidden},
		{"B-E1", "nowhere", domain.CodeNotFound},
		{"B-E1", "G1", domain.CodeNotFound},
		{"b-e1", "", domain.CodeNotFound},
		{strings.Repeat("x", 300), "", domain.CodeNotFound},
		{"", "", domain.CodeValidationFailed},
	} {
		found, err := w.gate.Ticket(w.from(door), row.barcode, row.event)
		if row.want != "" {
			domaintest.HasCode(t, "the call", err, row.want)
		} else if err != nil || found.Barcode != row.barcode || found.Email == nil {
			t.Errorf("%s at %s: got %+v, %v", row.barcode, row.event, found, err)
		}
	}
	if found, err := w.gate.Ticket(w.from(all), "B-E1", ""); err != nil || found.Email != nil {
		t.Errorf("a restricted device gets %+v, %v", found, err)
	}
	if of, err := w.gate.Seller(w.from(door)); err != nil || printed(t, of) != `{"sellerId":"`+string(seller)+`","_id":"`+string(seller)+`","name":"The Seller"}` {
		t.Errorf("got seller %+v, %v", of, err)
	}
}

// Only a device that may exchange codes of access lists is told of them (GATE-9).
func TestTheFeedShowsCodesOnlyWithPermission(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.Exec(`INSERT INTO access_lists (id, seller_id, type, name, name_folded, created_at, updated_at)
		VALUES ('L1', $1, 'static', 'L', 'l', now(), now())`, string(seller))
	w.Exec(`INSERT INTO access_entries (id, list_id, seller_id, external_code, created_at, updated_at)
		VALUES ('N1', 'L1', $1, 'card', now(), now())`, string(seller))
	for _, row := range []struct {
		name   string
		tap    *scan.TapAndGo
		events []string // nil means all
		told   bool
	}{
		{"absent", nil, nil, false},
		{"disabled", &scan.TapAndGo{EventIDs: []string{"E1"}}, nil, false},
		{"on", &scan.TapAndGo{Enabled: true}, nil, true},
		{"enabled for no event", &scan.TapAndGo{Enabled: true, EventIDs: []string{}}, nil, false},
		{"enabled for an event", &scan.TapAndGo{Enabled: true, EventIDs: []string{"E2"}}, nil, true},
		{"enabled for an event of the device", &scan.TapAndGo{Enabled: true, EventIDs: []string{"E1", "E2"}}, []string{"E2"}, true},
		{"enabled for another event", &scan.TapAndGo{Enabled: true, EventIDs: []string{"E1"}}, []string{"E2"}, false},
		{"enabled, device without events", &scan.TapAndGo{Enabled: true}, []string{}, false},
	} {
		device := w.device(row.name, w.group(func(c *scan.Config) { c.TapAndGo = row.tap }), scan.Restricted)
		if row.events != nil {
			if _, err := w.devices.Update(w.As(seller), device.ID, scan.DeviceChange{
				AccessAllEvents: optional.Some(false), Events: optional.Some(row.events),
			}); err != nil {
				t.Fatal(err)
			}
		}
		page, err := w.feed.After(w.from(device), nil, nil)
		if told := strings.Contains(printed(t, page), "card"); err != nil || told != row.told {
			t.Errorf("tap and go %s: told is %t, %v", row.name, told, err)
		}
	}
	lone, err := w.devices.Create(w.As(seller), scan.NewDevice{Name: "Lone", AccessAllEvents: optional.Some(true)})
	if err != nil {
		t.Fatal(err)
	}
	if page, err := w.feed.After(w.from(lone), nil, nil); err != nil || strings.Contains(printed(t, page), "card") {
		t.Errorf("a device without a scan group: %+v, %v", page, err)
	}
}

// isIntegration is stored and can be changed. Settings that are the same for all devices are ignored.
func TestADeviceIsMarkedAsIntegration(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	for _, sent := range []optional.Value[bool]{{}, optional.Some(false), optional.Some(true), optional.Null[bool]()} {
		made, err := w.devices.Create(w.As(seller), scan.NewDevice{Name: "Turnstile", IsIntegration: sent})
		if err != nil {
			t.Fatal(err)
		}
		read, err := w.devices.Get(w.As(seller), made.ID)
		if err != nil || read.IsIntegration != sent.Or(false) || made.IsIntegration != read.IsIntegration ||
			!strings.Contains(printed(t, read), `"accessControlSettings":{"includeDetailsRequiredTickets":false}`) {
			t.Errorf("%+v: %s, %v", sent, printed(t, read), err)
		}
		changed, err := w.devices.Update(w.As(seller), made.ID, scan.DeviceChange{IsIntegration: optional.Some(!read.IsIntegration)})
		if read, _ = w.devices.Get(w.As(seller), made.ID); err != nil || read.IsIntegration != changed.IsIntegration || read.IsIntegration == made.IsIntegration {
			t.Errorf("changed to %+v, %v", read, err)
		}
	}
}
