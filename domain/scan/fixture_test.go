package scan_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"ticketgate/db/dbtest"
	"ticketgate/domain"
	"ticketgate/domain/apikey"
	"ticketgate/domain/ids"
	"ticketgate/domain/optional"
	"ticketgate/domain/scan"
	"ticketgate/domain/tenant"
	"ticketgate/domain/ticket"
)

const (
	seller = dbtest.Seller
	other  = dbtest.Other
	org    = dbtest.Org
)

// fixture is an installation with two sellers. The first has the events E1 and E2, the series R1 with its date D1, the
// group G1, the ticket types T1 and T2, and the zones Z1 and Z2. The second has the event X1.
type fixture struct {
	*dbtest.Installation

	now     time.Time
	groups  scan.Groups
	devices scan.Devices
	gate    scan.AtGate
	scans   scan.Scans
	feed    scan.Feed
	tickets ticket.Tickets
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	w := &fixture{now: time.Now().UTC().Truncate(time.Second)}
	clock := func() time.Time { return w.now }
	w.Installation = dbtest.Install(t, clock)
	gates := w.Store.Credentials()
	w.groups = scan.Groups{Store: w.Store.ScanGroups(), Now: clock}
	w.devices = scan.Devices{Store: w.Store.Devices(), Now: clock}
	w.gate = scan.AtGate{Gates: gates, Store: w.Store.Devices(), Tickets: w.Store.Tickets()}
	w.scans = scan.NewScans(w.Store.Scans(), gates, clock)
	w.feed = scan.Feed{Store: w.Store.DeviceFeed(), Gates: gates}
	w.tickets = ticket.Tickets{Store: w.Store.Tickets(), Now: clock, Seller: tenant.LookUp(w.Store.Tenants())}
	w.fill()
	return w
}

// newGateDevice returns a fixture with the ticket 1, and a device for E1.
func newGateDevice(t *testing.T) (*fixture, scan.Device) {
	t.Helper()
	w := newFixture(t)
	device := w.device("Door", w.group(nil), scan.Full)
	w.ticket("1", nil)
	return w, device
}

func (w *fixture) fill() {
	w.T.Helper()
	w.Exec("UPDATE sellers SET name = 'The Seller'")
	for i, event := range []struct {
		of             ids.Seller
		id, kind, root string
	}{
		{seller, "E1", "SINGLE", ""},
		{seller, "E2", "SINGLE", ""},
		{seller, "R1", "ROOT", ""},
		{seller, "D1", "RECURRENCE", "R1"},
		{seller, "G1", "GROUP", ""},
		{other, "X1", "SINGLE", ""},
	} {
		w.Exec(`INSERT INTO catalog_events (seller_id, id, name, name_folded, type, root_event_id, starts_at, time_zone,
				skip_address_info, code_display, created_at, updated_at)
			VALUES ($1, $2, 'Event ' || $2, lower('event ' || $2), $3, NULLIF($4, ''), $5, 'UTC', false, 'QR', $6, $6)`,
			string(event.of), event.id, event.kind, event.root, w.now, w.now.Add(time.Duration(i)*time.Second))
	}
	for _, id := range []string{"T1", "T2"} {
		w.Exec(`INSERT INTO ticket_types (seller_id, id, event_id, name, name_folded, price, currency, active, created_at, updated_at)
			VALUES ($1, $2, 'E1', $2, lower($2), 1, 'EUR', true, now(), now())`, string(seller), id)
	}
	for _, id := range []string{"Z1", "Z2"} {
		w.Exec(`INSERT INTO scan_zones (seller_id, id, name, name_folded, created_at, updated_at)
			VALUES ($1, $2, 'Zone ' || $2, lower($2), now(), now())`, string(seller), id)
	}
}

// manager returns the context of a manager.
func (w *fixture) manager() context.Context {
	return domain.WithActor(w.T.Context(), &domain.Actor{
		Kind: domain.UserActor, ID: "user", SellerID: seller, OrgID: org,
		Memberships: []domain.Membership{{SellerID: seller, Role: domain.Manager}},
	})
}

// calling authenticates a device's token and returns the context. Each token is sent in its own header.
func (w *fixture) calling(tokens ...string) (context.Context, error) {
	authenticator := apikey.Authenticator{Store: w.Store.Credentials(), Now: func() time.Time { return w.now }}
	actor, err := authenticator.Authenticate(w.T.Context(), apikey.Credentials{DeviceTokens: tokens})
	return domain.WithActor(w.T.Context(), actor), err
}

// from returns the context of a device.
func (w *fixture) from(device scan.Device) context.Context {
	w.T.Helper()
	ctx, err := w.calling(device.Token)
	if err != nil {
		w.T.Fatal(err)
	}
	return ctx
}

// group creates a scan group for E1 in both directions, with the changes of set.
func (w *fixture) group(set func(*scan.Config)) scan.Group {
	w.T.Helper()
	all := true
	config := scan.Config{
		Mode: "default", ScanTypes: &scan.Types{Checkin: true, Checkout: true},
		Events: []scan.EventSettings{{EventID: "E1", AllowAllTicketTypes: &all}},
	}
	if set != nil {
		set(&config)
	}
	group, err := w.groups.Create(w.As(seller), scan.NewGroup{Name: "Gate", ScanConfig: config})
	if err != nil {
		w.T.Fatal(err)
	}
	return group
}

// device creates a device with access to all events.
func (w *fixture) device(name string, group scan.Group, mode scan.AccessMode) scan.Device {
	w.T.Helper()
	device, err := w.devices.Create(w.As(seller), scan.NewDevice{
		Name: name, AccessAllEvents: optional.Some(true),
		DeviceSettings: optional.Some(scan.AccessSettings{AccessMode: &mode, ScanGroupID: &group.ID}),
	})
	if err != nil {
		w.T.Fatal(err)
	}
	return device
}

// ticket imports a ticket of E1, with the changes of set.
func (w *fixture) ticket(id string, set func(map[string]any)) {
	w.T.Helper()
	document := map[string]any{
		"_id": id, "sellerId": string(seller), "eventId": "E1", "ticketTypeId": "T1", "ticketName": "Day", "status": "VALID",
		"secret": "s", "barcode": "B-" + id, "email": "ann@example.com", "street": "Main 1", "name": "Ann Other", "realPrice": 10.5,
	}
	if set != nil {
		set(document)
	}
	raw, err := json.Marshal(document)
	if err != nil {
		w.T.Fatal(err)
	}
	if _, err := w.tickets.Import(w.As(seller), importOf(w.T, raw)); err != nil {
		w.T.Fatal(err)
	}
}

// scan makes one scan by a device.
func (w *fixture) scan(device scan.Device, barcode string, direction scan.Direction) scan.Answer {
	w.T.Helper()
	answer, err := w.scans.Scan(w.from(device), scan.Attempt{Barcode: barcode, EventID: "E1", Direction: direction})
	if err != nil {
		w.T.Fatal(err)
	}
	return answer
}

func (w *fixture) inside() string {
	w.T.Helper()
	found, err := w.scans.Occupancy(w.As(seller), "E1")
	if err != nil {
		w.T.Fatal(err)
	}
	words := []string{strconv.Itoa(found.Inside)}
	for _, zone := range found.Zones {
		name := "-"
		if zone.ScanZoneID != nil {
			name = *zone.ScanZoneID
		}
		words = append(words, fmt.Sprintf("%s=%d", name, zone.Inside))
	}
	return strings.Join(words, " ")
}

// printed returns the JSON form of an answer.
func printed(t *testing.T, answer any) string {
	t.Helper()
	text, err := json.Marshal(answer)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func wants(t *testing.T, answer scan.Answer, want string) {
	t.Helper()
	got := string(answer.Access)
	if answer.Reason != nil {
		got = string(*answer.Reason)
	}
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
