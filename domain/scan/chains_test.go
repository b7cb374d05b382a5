package scan_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/catalog"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/moment"
	"ticketgate/domain/optional"
	"ticketgate/domain/scan"
	"ticketgate/domain/tenant"
	"ticketgate/domain/texts"
)

// chain puts E1 below the group G2, G2 below G1, and G1 below the series R1. E2 is below G1.
func (w *fixture) chain() {
	w.T.Helper()
	w.Exec(`INSERT INTO catalog_events (seller_id, id, name, name_folded, type, parent_event_id, starts_at, time_zone,
			skip_address_info, code_display, created_at, updated_at)
		VALUES ($1, 'G2', 'Event G2', 'event g2', 'GROUP', 'G1', $2, 'UTC', false, 'QR', $2, $2)`, string(seller), w.now)
	for id, place := range map[string]string{
		"G1": "root_event_id = 'R1'", "E1": "parent_event_id = 'G2'", "E2": "parent_event_id = 'G1'",
	} {
		w.Exec("UPDATE catalog_events SET "+place+" WHERE seller_id = $1 AND id = $2", string(seller), id)
	}
}

// gateOf returns a device that has access to E1 only.
func (w *fixture) gateOf(group scan.Group) scan.Device {
	w.T.Helper()
	device := w.device("Door", group, scan.Full)
	if _, err := w.devices.Update(w.As(seller), device.ID, scan.DeviceChange{
		AccessAllEvents: optional.Some(false), Events: optional.Some([]string{"E1"}),
	}); err != nil {
		w.T.Fatal(err)
	}
	return device
}

// Scan, simulation, upload and feed decide alike, however far above the ticket's event and its excluded events are.
func TestATicketIsValidForEventsBelowItsOwn(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ of, excluded, want string }{
		{"R1", "", "GRANTED"},
		{"G1", "", "GRANTED"},
		{"G2", "", "GRANTED"},
		{"E1", "", "GRANTED"},
		{"E2", "", "WRONG_EVENT"},
		{"D1", "", "WRONG_EVENT"},
		{"R1", "E2", "GRANTED"},
		{"R1", "E1", "BLOCKED_FOR_EVENT"},
		{"R1", "R1", "BLOCKED_FOR_EVENT"},
		{"R1", "G1", "BLOCKED_FOR_EVENT"},
		{"G1", "R1", "BLOCKED_FOR_EVENT"},
		{"E1", "R1", "BLOCKED_FOR_EVENT"},
		{"E1", "G2", "BLOCKED_FOR_EVENT"},
	} {
		t.Run(fmt.Sprintf("of %s but %s", row.of, row.excluded), func(t *testing.T) {
			t.Parallel()
			w := newFixture(t)
			w.chain()
			device := w.gateOf(w.group(nil))
			w.ticket("1", func(d map[string]any) {
				d["eventId"] = row.of
				if row.excluded != "" {
					d["excludedEventIds"] = []string{row.excluded}
				}
			})
			barcode, event := "B-1", "E1"
			simulated, err := w.scans.Simulate(w.As(seller), scan.Simulation{Barcode: &barcode, DeviceID: &device.ID, EventID: &event})
			if err != nil {
				t.Fatal(err)
			}
			wants(t, scan.Answer{Access: simulated.Access, Reason: simulated.Reason}, row.want)
			uploaded, err := w.scans.Upload(w.from(device), event, "", []scan.Uploaded{
				{Barcode: barcode, ScannedAt: moment.New(w.now), Type: scan.Fail},
			})
			if err != nil || uploaded.Scans[0].Conflict != (row.want == "GRANTED") {
				t.Errorf("a declined scan: %+v, %v", uploaded, err)
			}
			wants(t, w.scan(device, barcode, scan.In), row.want)
		})
	}
}

// The detail names the events above, if there are any.
func TestTheReasonNamesTheEventAbove(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	group := w.group(nil)
	w.ticket("1", func(d map[string]any) { d["eventId"] = "R1" })
	barcode := "B-1"
	for _, row := range []struct{ event, want string }{
		{"E1", "the ticket is for event R1, the scan is at event E1"},
		{"D1", "the ticket is for event R1, the scan is at event D1, which is below R1"},
	} {
		event, want := row.event, row.want
		simulated, err := w.scans.Simulate(w.As(seller), scan.Simulation{Barcode: &barcode, ScanGroupID: &group.ID, EventID: &event})
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(simulated.Rules, func(r scan.Rule) bool { return r.Reason == scan.WrongEvent })
		if got := simulated.Rules[at].Detail; got != want {
			t.Errorf("%s: got %q, want %q", event, got, want)
		}
	}
}

// A ticket is revoked in the feed when it opens none of the device's events, because it excludes its own event, one
// above it, or all of the device's events (GATE-9).
func TestTheFeedRevokesTicketsBlockedByAnEventAbove(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.chain()
	ctx := w.from(w.gateOf(w.group(nil)))
	seen := w.after(ctx, 0).Next
	for _, row := range []struct{ of, excluded, want string }{
		{"R1", "R1", ""}, // it was never granted
		{"R1", "E2", "ticket.granted"},
		{"R1", "E1", "ticket.revoked"},
		{"R1", "G1", "ticket.revoked"},
		{"R1", "R1", "ticket.revoked"},
		{"G2", "E1", "ticket.revoked"},
		{"G2", "E2", "ticket.granted"},
		{"G2", "R1", "ticket.revoked"},
		{"E1", "E2", "ticket.granted"},
		{"E1", "G1", "ticket.revoked"},
	} {
		w.ticket("1", func(d map[string]any) { d["eventId"], d["excludedEventIds"] = row.of, []string{row.excluded} })
		page, last := w.after(ctx, seen), ""
		for _, change := range page.Changes {
			last = string(change.Type)
		}
		if seen = page.Next; last != row.want {
			t.Errorf("of %s but %s: last change is %q, want %q", row.of, row.excluded, last, row.want)
		}
	}
}

// A device is told of changes anywhere above its events, of tickets and of events.
func TestTheFeedCoversAllEventsAboveADevicesEvents(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.chain()
	device := w.gateOf(w.group(nil))
	ctx := w.from(device)
	seen := w.after(ctx, 0).Next
	var told []string
	hear := func() string {
		page := w.after(ctx, seen)
		told, seen = nil, page.Next
		for _, change := range page.Changes {
			told = append(told, string(change.Type)+" "+texts.Of(change.EventID))
		}
		return strings.Join(told, ", ")
	}
	for _, event := range []string{"R1", "G1", "G2", "E2", "D1"} {
		w.ticket(event, func(d map[string]any) { d["eventId"] = event })
		list, err := w.gate.EventTickets(ctx, scan.TicketSpan{EventID: event}, domain.Page{Limit: 10})
		heard := hear()
		switch event {
		case "R1", "G1", "G2":
			if err != nil || len(list.Items) != 1 || heard != "ticket.granted "+event {
				t.Errorf("%s: got %d tickets, %v, and change %q", event, len(list.Items), err, heard)
			}
		default:
			domaintest.HasCode(t, "the call", err, domain.CodeForbidden)
			if heard != "" {
				t.Errorf("%s: got change %q", event, heard)
			}
		}
	}
	events := catalog.New(w.Store.Catalog(), tenant.LookUp(w.Store.Tenants()), func() time.Time { return w.now }).Events
	for _, step := range []struct {
		change catalog.EventChange
		scan   string
	}{
		{catalog.EventChange{RootEventID: optional.Null[string]()}, "WRONG_EVENT"},
		{catalog.EventChange{ParentEventID: optional.Some("R1")}, "GRANTED"},
	} {
		if _, err := events.Update(w.As(seller), "G1", step.change); err != nil {
			t.Fatal(err)
		}
		if heard := hear(); heard != "rules.changed G1" {
			t.Errorf("after an event in between was moved: got change %q", heard)
		}
		wants(t, w.scan(device, "B-R1", scan.In), step.scan)
	}
}
