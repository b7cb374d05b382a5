package access_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/access"
	"ticketgate/domain/catalog"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/moment"
	"ticketgate/domain/optional"
	"ticketgate/domain/scan"
)

func TestLookUpFindsTheHoldersTicketWithoutUsingIt(t *testing.T) {
	w := newGateFixture(t)
	device := w.device(seller, nil)
	w.ticket(seller, "t1", "e1", `"customerId":"anna"`, `"email":"anna@example.org"`)
	w.ticket(seller, "t2", "e1", `"email":"Bert@Example.org"`)
	list := w.list("Cards")
	w.entryOf(list, "A", "anna")
	w.entry(list, access.NewEntry{ExternalCode: "B", Email: optional.Some("bERT@example.ORG")})
	w.entry(list, access.NewEntry{ExternalCode: "C", CustomerID: optional.Some("nobody"), Email: optional.Some("anna@example.org")})
	w.entry(list, access.NewEntry{ExternalCode: "D"})

	w.gets(device, "A", "e1", "t1")
	w.gets(device, "A", "e1", "t1") // a lookup uses nothing up
	w.gets(device, "B", "e1", "t2")
	// The email address is used only if there is no customer.
	w.failsWith(device, "C", "e1", domain.CodeNoTicketForEvent)
	w.failsWith(device, "D", "e1", domain.CodeNoTicketForEvent)
	w.failsWith(device, "A", "e2", domain.CodeNoTicketForEvent)
	w.failsWith(device, "a", "e1", domain.CodeUnknownCode)
}

func TestLookUpSearchesStaticListsOfSeller(t *testing.T) {
	w := newGateFixture(t)
	ours, theirs := w.device(seller, nil), w.device(other, nil)
	w.ticket(seller, "t1", "e1", `"customerId":"anna"`)
	w.ticket(other, "t2", "e1", `"customerId":"anna"`)
	w.ticket(other, "t3", "e9", `"customerId":"anna"`)
	w.entryOf(w.list("One"), "A", "without tickets")
	w.entryOf(w.list("Two"), "A", "anna")

	w.gets(ours, "A", "e1", "t1")
	w.failsWith(ours, "A", "e9", domain.CodeNoTicketForEvent) // the event of another seller
	w.failsWith(theirs, "A", "e1", domain.CodeUnknownCode)
}

func TestLookUpPrefersAdmittedTickets(t *testing.T) {
	w := newGateFixture(t)
	device := w.device(seller, nil)
	w.entryOf(w.list("Cards"), "A", "anna")
	const anna = `"customerId":"anna"`
	w.ticket(seller, "invalid", "e1", anna, `"status":"INVALID"`, `"createdAt":"2026-01-01T00:00:00Z"`)
	w.gets(device, "A", "e1", "invalid")
	w.ticket(seller, "reserved", "e1", anna, `"status":"RESERVED"`, `"createdAt":"2026-01-02T00:00:00Z"`)
	w.gets(device, "A", "e1", "invalid") // none is VALID, so the oldest wins
	w.ticket(seller, "younger", "e1", anna, `"createdAt":"2026-03-02T00:00:00Z"`)
	w.gets(device, "A", "e1", "younger")
	w.ticket(seller, "older", "e1", anna, `"createdAt":"2026-03-01T00:00:00Z"`)
	w.gets(device, "A", "e1", "older")
	w.Exec(`INSERT INTO scan_places (seller_id, ticket_id, event_id, zone_id, checkins, inside) VALUES ($1, 'older', 'e1', '', 1, 0),
		($1, 'younger', 'e1', '', 0, 0), ($2, 'younger', 'e1', '', 1, 1)`, string(seller), string(other))
	w.gets(device, "A", "e1", "younger")
	w.Exec("UPDATE scan_places SET checkins = 1 WHERE ticket_id = 'younger'")
	w.gets(device, "A", "e1", "older")
	w.ticket(seller, "older", "e1", anna, `"createdAt":"2026-03-01T00:00:00Z"`, `"excludedEventIds":["e0","e1"]`)
	w.gets(device, "A", "e1", "younger")
}

func TestLookUpForRootEventFindsChildTickets(t *testing.T) {
	w := newGateFixture(t)
	device := w.device(seller, nil)
	root := "root"
	w.event(root, func(e *catalog.NewEvent) { e.Type = catalog.Root })
	w.event("day1", func(e *catalog.NewEvent) { e.Type, e.RootEventID = catalog.Recurrence, &root })
	list := w.list("Cards")
	w.entryOf(list, "A", "anna")
	w.entryOf(list, "B", "bert")
	w.ticket(seller, "by the catalogue", "day1", `"customerId":"anna"`)
	w.ticket(seller, "by itself", "elsewhere", `"customerId":"bert"`, `"rootEventId":"root"`)

	w.gets(device, "A", root, "by the catalogue")
	w.gets(device, "A", "day1", "by the catalogue")
	w.gets(device, "B", root, "by itself")
	w.failsWith(device, "B", "day1", domain.CodeNoTicketForEvent)

	w.ticket(seller, "by the catalogue", "day1", `"customerId":"anna"`, `"excludedEventIds":["root"]`)
	w.failsWith(device, "A", root, domain.CodeNoTicketForEvent)
}

// A ticket that a scan admits is found by a lookup before it, and its entry does not match the filter for entries
// without a ticket.
func TestLookUpFindsTicketsOfParentEvents(t *testing.T) {
	w := newGateFixture(t)
	device := w.device(seller, nil)
	root, group := "root", "group"
	w.event(root, func(e *catalog.NewEvent) { e.Type = catalog.Root })
	w.event(group, func(e *catalog.NewEvent) { e.Type = catalog.Group })
	w.event("day1", func(e *catalog.NewEvent) { e.Type, e.RootEventID = catalog.Recurrence, &root })
	w.event("show", func(e *catalog.NewEvent) { e.ParentEventID = &group })
	list := w.list("Cards")
	for _, name := range []string{"season", "festival", "day", "other"} {
		w.entryOf(list, name, name)
	}
	w.ticket(seller, "of the series", root, `"customerId":"season"`)
	w.ticket(seller, "of the group", group, `"customerId":"festival"`)
	w.ticket(seller, "of the date", "day1", `"customerId":"day"`)
	w.ticket(seller, "of the show", "show", `"customerId":"other"`)

	w.gets(device, "season", "day1", "of the series")
	w.gets(device, "festival", "show", "of the group")
	w.failsWith(device, "season", "show", domain.CodeNoTicketForEvent)
	w.failsWith(device, "day", "show", domain.CodeNoTicketForEvent)
	for event, want := range map[string][]string{
		"day1": {"festival", "other"}, root: {"festival", "other"}, "show": {"season", "day"},
	} {
		expect(t, w.codes(list, access.EntryFilter{WithoutTicketFor: event}), want)
	}

	w.ticket(seller, "of the series", root, `"customerId":"season"`, `"excludedEventIds":["day1"]`)
	w.failsWith(device, "season", "day1", domain.CodeNoTicketForEvent)
}

func TestLookUpReturnsCodeDisplay(t *testing.T) {
	w := newGateFixture(t)
	device := w.device(seller, nil)
	reveal := moment.New(w.now.Add(time.Hour))
	w.event("e1", func(e *catalog.NewEvent) { e.CodeDisplay, e.BarcodeRevealDate = catalog.Barcode, &reveal })
	list := w.list("Cards")
	w.entryOf(list, "A", "anna")
	w.ticket(seller, "t1", "e1", `"customerId":"anna"`)
	w.ticket(seller, "t2", "not in the catalogue", `"customerId":"anna"`)
	end := func(eventID string) string {
		t.Helper()
		text := string(domaintest.Must(json.Marshal(domaintest.Must(w.lookups.LookUp(device, "A", eventID))(t)))(t))
		if !strings.HasPrefix(text, `{"_id":"t`) {
			t.Errorf("got %s", text)
		}
		_, rest, _ := strings.Cut(text, `,"codeDisplay"`)
		return `,"codeDisplay"` + rest
	}
	hidden := `,"codeDisplay":"BARCODE","barcodeRevealed":false,"barcodeRevealDate":"2026-11-27T13:00:00.000Z"}`
	for _, when := range []struct {
		after time.Duration
		want  string
	}{{0, hidden}, {time.Hour - time.Millisecond, hidden}, {time.Hour, strings.Replace(hidden, "false", "true", 1)}} {
		w.now = reveal.Add(when.after - time.Hour)
		if got := end("e1"); got != when.want {
			t.Errorf("after %s: got %s, want %s", when.after, got, when.want)
		}
	}
	if got, want := end("not in the catalogue"), `,"codeDisplay":"QR","barcodeRevealed":true}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestLookUpHidesContactDetailsFromRestrictedDevices(t *testing.T) {
	w := newGateFixture(t)
	w.ticket(seller, "t1", "e1", `"customerId":"anna","email":"anna@example.org","street":"Rue 1","city":"Paris","firstname":"Anna"`)
	w.entryOf(w.list("Cards"), "A", "anna")
	full := string(domaintest.Must(json.Marshal(domaintest.Must(w.lookups.LookUp(w.device(seller, nil), "A", "e1"))(t)))(t))
	if !strings.Contains(full, `"email":"anna@example.org"`) || !strings.Contains(full, `"street":"Rue 1"`) {
		t.Errorf("in full mode: %s", full)
	}
	found := domaintest.Must(w.lookups.LookUp(w.device(seller, restricted), "A", "e1"))(t)
	text := string(domaintest.Must(json.Marshal(found))(t))
	for _, hidden := range []string{"email", "anna@", "street", "Rue 1", "phone"} {
		if strings.Contains(text, hidden) {
			t.Errorf("in restricted mode the ticket contains %q: %s", hidden, text)
		}
	}
	if domaintest.Must(found.Ticket())(t).Email != nil || !strings.Contains(text, `"city":"Paris"`) || !strings.Contains(text, `"firstname":"Anna"`) {
		t.Errorf("in restricted mode: %s", text)
	}
}

func TestLookUpRefusesDevicesWithoutPermission(t *testing.T) {
	w := newGateFixture(t)
	w.event("e1", nil)
	w.event("e2", nil)
	w.ticket(seller, "t1", "e1", `"customerId":"anna"`)
	w.ticket(seller, "t2", "e2", `"customerId":"anna"`)
	w.entryOf(w.list("Cards"), "A", "anna")
	tapAndGo := func(tapAndGo *scan.TapAndGo) func(*scan.Config, *scan.NewDevice) {
		return func(config *scan.Config, _ *scan.NewDevice) { config.TapAndGo = tapAndGo }
	}
	for name, row := range map[string]struct {
		change  func(*scan.Config, *scan.NewDevice)
		allowed string
	}{
		"without a scan group": {func(_ *scan.Config, d *scan.NewDevice) {
			d.DeviceSettings = optional.Null[scan.AccessSettings]()
		}, ""},
		"without tap and go":          {tapAndGo(nil), ""},
		"with tap and go off":         {tapAndGo(&scan.TapAndGo{EventIDs: []string{"e1", "e2"}}), ""},
		"with tap and go for e1":      {tapAndGo(&scan.TapAndGo{Enabled: true, EventIDs: []string{"e1"}}), "e1"},
		"with tap and go for nothing": {tapAndGo(&scan.TapAndGo{Enabled: true, EventIDs: []string{}}), ""},
		"with access to e2": {func(_ *scan.Config, d *scan.NewDevice) {
			d.AccessAllEvents, d.Events = optional.Some(false), optional.Some([]string{"e2"})
		}, "e2"},
		"with everything": {nil, "e1 e2"},
	} {
		device := w.device(seller, row.change)
		for _, event := range []string{"e1", "e2"} {
			_, err := w.lookups.LookUp(device, "A", event)
			if strings.Contains(row.allowed, event) {
				if err != nil {
					t.Errorf("%s at %s: %v", name, event, err)
				}
				continue
			}
			if !domain.HasCode(err, domain.CodeForbidden) {
				t.Errorf("%s at %s: got %v", name, event, err)
			}
		}
	}
}

func TestLookUpIsOnlyForDevices(t *testing.T) {
	w := newGateFixture(t)
	_, err := w.lookups.LookUp(t.Context(), "A", "e1")
	refused(t, err, domain.CodeUnauthenticated)
	_, err = w.lookups.LookUp(w.As(seller), "A", "e1")
	refused(t, err, domain.CodeForbidden)
	_, err = w.lookups.LookUp(w.device(seller, nil), "A\x00", "")
	refused(t, err, domain.CodeValidationFailed, "externalCode", "eventId")
}

func TestLookUpComparesCodesExactly(t *testing.T) {
	w := newGateFixture(t)
	device := w.device(seller, nil)
	w.ticket(seller, "t1", "e1", `"customerId":"anna"`)
	list := w.list("Cards")
	codes := []string{
		"/", "%", "+", ";", "?", "#", "&", "=", " ", "é", "e\u0301", "日本", "🎫", "..", ".", "%2F", "%252F", "007", "7", "A", "a", "'", `\`,
		strings.Repeat("x", access.MaxCodeLength), strings.Repeat("🎫", access.MaxCodeLength),
	}
	for i, code := range codes {
		w.ticket(seller, fmt.Sprint("t", i), "e1", fmt.Sprintf(`"customerId":"c%d"`, i))
		w.entryOf(list, code, fmt.Sprint("c", i))
	}
	for i, code := range codes {
		w.gets(device, code, "e1", fmt.Sprint("t", i))
	}
	for _, code := range []string{"", "É", strings.Repeat("x", access.MaxCodeLength+1), "%25", "0007", " A"} {
		w.failsWith(device, code, "e1", domain.CodeUnknownCode)
	}
}

func TestLookUpRecordsUnknownCodes(t *testing.T) {
	w := newGateFixture(t)
	device := w.device(seller, nil)
	w.entryOf(w.list("Cards"), "A", "anna")
	w.failsWith(device, "A", "e1", domain.CodeNoTicketForEvent)
	first := w.now
	w.failsWith(device, "raw ✗", "e1", domain.CodeUnknownCode)
	w.now = w.now.Add(time.Minute)
	w.failsWith(device, "raw ✗", "e1", domain.CodeUnknownCode)
	w.failsWith(device, "raw ✗", "e2", domain.CodeUnknownCode)
	w.failsWith(w.device(other, nil), "raw ✗", "e1", domain.CodeUnknownCode)

	list := domaintest.Must(w.lookups.Unknown(w.As(seller, "scans:list"), access.UnknownCodeFilter{EventID: "e1"}, domain.Page{Limit: 10}))(t)
	if len(list.Items) != 1 {
		t.Fatalf("got %+v, want one row", list.Items)
	}
	got, id := list.Items[0], domain.ActorOf(device).ID
	if got.ExternalCode != "raw ✗" || got.DeviceID != id || got.Times != 2 || !got.FirstAt.Equal(first) || !got.LastAt.Equal(w.now) {
		t.Errorf("got %+v", got)
	}
	all := domaintest.Must(w.lookups.Unknown(w.As(seller), access.UnknownCodeFilter{}, domain.Page{Limit: 10}))(t)
	if len(all.Items) != 2 {
		t.Errorf("got %+v, want the two rows of the seller", all.Items)
	}
	_, err := w.lookups.Unknown(w.As(seller, "accessLists:list"), access.UnknownCodeFilter{}, domain.Page{Limit: 10})
	refused(t, err, domain.CodeMissingPermission)
}
