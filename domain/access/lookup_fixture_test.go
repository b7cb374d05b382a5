package access_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/access"
	"ticketgate/domain/catalog"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/ids"
	"ticketgate/domain/listenerurl"
	"ticketgate/domain/moment"
	"ticketgate/domain/optional"
	"ticketgate/domain/scan"
	"ticketgate/domain/ticket"
	"ticketgate/jobs"
)

// gateFixture is a fixture with a gate: events, a scan group with tap and go, and its devices.
type gateFixture struct {
	*fixture
	now     time.Time
	lookups access.Lookups
	tickets ticket.Tickets
	events  catalog.Events
	groups  scan.Groups
	devices scan.Devices
}

func newGateFixture(t *testing.T) *gateFixture {
	t.Helper()
	t.Parallel()
	w := &gateFixture{fixture: newFixture(t), now: time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)}
	clock := func() time.Time { return w.now }
	outbound := jobs.NewOutbound(listenerurl.Policy{AllowPrivateAddresses: true}, nil, nil, nil)
	t.Cleanup(outbound.CloseIdleConnections)
	w.lists.Policy = listenerurl.Policy{AllowPrivateAddresses: true}
	w.lookups = access.Lookups{
		Store: w.Store.Lookups(), Gates: w.Store.Credentials(), Now: clock,
		Listeners: jobs.NewRemoteLists(&jobs.Sender{Outbound: outbound, Version: "1"}, slog.New(slog.DiscardHandler)),
	}
	lookUp := func(context.Context, ids.Seller) (ids.Org, domain.Features, error) {
		return org, domain.Features{}, nil
	}
	w.tickets = ticket.Tickets{Store: w.Store.Tickets(), Now: clock, Seller: lookUp}
	w.events = catalog.New(w.Store.Catalog(), lookUp, clock).Events
	w.groups = scan.Groups{Store: w.Store.ScanGroups(), Now: clock}
	w.devices = scan.Devices{Store: w.Store.Devices(), Now: clock}
	return w
}

// event creates an event of the first seller.
func (w *gateFixture) event(id string, more func(*catalog.NewEvent)) {
	w.T.Helper()
	input := catalog.NewEvent{ID: &id, Name: id, Start: moment.New(w.now)}
	if more != nil {
		more(&input)
	}
	domaintest.Must(w.events.Create(w.As(seller), input))(w.T)
}

// device returns the context of a new device in a new scan group. Without changes it may look up tickets of every
// event.
func (w *gateFixture) device(of ids.Seller, more func(*scan.Config, *scan.NewDevice)) context.Context {
	w.T.Helper()
	config := scan.Config{Mode: "default", TapAndGo: &scan.TapAndGo{Enabled: true}}
	input := scan.NewDevice{Name: "Gate", AccessAllEvents: optional.Some(true)}
	var settings scan.AccessSettings
	input.DeviceSettings = optional.Some(settings)
	if more != nil {
		more(&config, &input)
	}
	if input.DeviceSettings.Value != nil {
		group := domaintest.Must(w.groups.Create(w.As(of), scan.NewGroup{Name: "Group", ScanConfig: config}))(w.T)
		settings = *input.DeviceSettings.Value
		settings.ScanGroupID = &group.ID
		input.DeviceSettings = optional.Some(settings)
	}
	device := domaintest.Must(w.devices.Create(w.As(of), input))(w.T)
	return domain.WithActor(w.T.Context(), &domain.Actor{Kind: domain.DeviceActor, ID: device.ID, SellerID: of, OrgID: org})
}

// restricted puts a device in restricted mode.
func restricted(_ *scan.Config, device *scan.NewDevice) {
	mode := scan.Restricted
	device.DeviceSettings = optional.Some(scan.AccessSettings{AccessMode: &mode})
}

// ticket imports a VALID ticket of an event for a seller. more has additional fields such as `"customerId":"c"`.
func (w *gateFixture) ticket(of ids.Seller, id, eventID string, more ...string) {
	w.T.Helper()
	fields := map[string]any{
		"_id": id, "sellerId": of, "eventId": eventID, "ticketTypeId": "tt", "ticketName": "Standard", "status": "VALID",
		"secret": "s", "barcode": "B-" + id,
	}
	if err := json.Unmarshal([]byte("{"+strings.Join(more, ",")+"}"), &fields); err != nil {
		w.T.Fatal(err)
	}
	text, err := json.Marshal(fields)
	if err != nil {
		w.T.Fatal(err)
	}
	domaintest.Must(w.tickets.Import(w.As(of), ticket.Import{Tickets: []ecmajson.Value{domaintest.JSON(string(text))}}))(w.T)
}

// entryOf adds an entry with a code for a customer.
func (w *gateFixture) entryOf(list access.List, code, customerID string) {
	w.T.Helper()
	w.entry(list, access.NewEntry{ExternalCode: code, CustomerID: optional.Some(customerID)})
}

// remote creates a remote list that asks a listener.
func (w *gateFixture) remote(url, key string) access.List {
	w.T.Helper()
	listener := access.NewListener{URL: url}
	if key != "" {
		listener.HMACKey = optional.Some(key)
	}
	return domaintest.Must(w.lists.Create(w.As(seller), access.NewList{Name: "Remote", HTTP: optional.Some(listener)}))(w.T)
}

// gets fails the test unless the lookup returns the ticket.
func (w *gateFixture) gets(device context.Context, code, eventID, ticketID string) {
	w.T.Helper()
	found, err := w.lookups.LookUp(device, code, eventID)
	if err != nil {
		w.T.Fatalf("%q at %s: %v", code, eventID, err)
	}
	if idOf(found) != ticketID {
		w.T.Errorf("%q at %s: got ticket %s, want %s", code, eventID, idOf(found), ticketID)
	}
}

// failsWith fails the test unless the lookup fails with the code.
func (w *gateFixture) failsWith(device context.Context, code, eventID string, want domain.Code) error {
	w.T.Helper()
	found, err := w.lookups.LookUp(device, code, eventID)
	if !domain.HasCode(err, want) {
		w.T.Errorf("%q at %s: got ticket %q and %v, want %s", code, eventID, idOf(found), err, want)
	}
	return err
}

// answering starts a listener that answers every call with this status and body, and counts the calls.
func answering(t *testing.T, status int, body string) (url string, calls *atomic.Int32) {
	t.Helper()
	calls = new(atomic.Int32)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		calls.Add(1)
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}))
	t.Cleanup(server.Close)
	return server.URL, calls
}

// idOf returns the id of the ticket, or "" if there is none.
func idOf(found access.GateTicket) string {
	record, _ := found.Ticket() // an empty document means no ticket
	return record.ID
}
