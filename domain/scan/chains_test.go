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

// chain puts E1 below the group G2, that below G1, and that below the series R1. E2 stands below G1 alone.
func (w *world) chain() {
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

// doorOf is a device that has access to E1 alone.
func (w *world) doorOf(group scan.Group) scan.Device {
	w.T.Helper()
	device := w.device("Door", group, scan.Full)
	if _, err := w.devices.Update(w.As(seller), device.ID, scan.DeviceChange{
		AccessAllEvents: optional.Some(false), Events: optional.Some([]string{"E1"}),
	}); err != nil {
		w.T.Fatal(err)
	}
	return device
}

// Whoever decides, decides alike: the scan, the simulation, the upload and the feed; at whatever distance above the
// ticket's event and those that it is excluded from stand.
func TestATicketOpensWhatStandsBelowItsEvent(t *testing.T) {
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
			w := newWorld(t)
			w.chain()
			device := w.doorOf(w.group(nil))
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
				t.Errorf("a refusal of the device: %+v, %v", uploaded, err)
			}
			wants(t, w.scan(device, barcode, scan.In), row.want)
		})
	}
}

// What is said of the event names what stands above it, and nothing where nothing does.
func TestTheReasonNamesWhatTheEventStandsBelow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	group := w.group(nil)
	w.ticket("1", func(d map[string]any) { d["eventId"] = "R1" })
	barcode := "B-1"
	for _, row := range []struct{ event, want string }{
		{"E1", "the ticket is for event R1, scanned is event E1"},
		{"D1", "the ticket is for event R1, scanned is event D1, which stands below R1"},
	} {
		event, want := row.event, row.want
		simulated, err := w.scans.Simulate(w.As(seller), scan.Simulation{Barcode: &barcode, ScanGroupID: &group.ID, EventID: &event})
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(simulated.Rules, func(r scan.Rule) bool { return r.Reason == scan.WrongEvent })
		if got := simulated.Rules[at].Detail; got != want {
			t.Errorf("%s: %q, want %q", event, got, want)
		}
	}
}

// A ticket is revoked in the feed when it opens none of the device's events: blocked for its own event, be it by the name of
// one above, or for all of the device's (GATE-9).
func TestTheFeedRevokesWhatIsBlockedAbove(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.chain()
	ctx := w.from(w.doorOf(w.group(nil)))
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
			t.Errorf("of %s but %s: told %q last, want %q", row.of, row.excluded, last, row.want)
		}
	}
}

// A device hears of what changes anywhere above its events, be it a ticket or the place of an event.
func TestADeviceHearsOfTheWholeChainAboveItsEvents(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.chain()
	device := w.doorOf(w.group(nil))
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
				t.Errorf("of %s: %d tickets, %v, told %q", event, len(list.Items), err, heard)
			}
		default:
			domaintest.HasCode(t, "the call", err, domain.CodeForbidden)
			if heard != "" {
				t.Errorf("of %s: told %q", event, heard)
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
			t.Errorf("of an event between that was moved: told %q", heard)
		}
		wants(t, w.scan(device, "B-R1", scan.In), step.scan)
	}
}
