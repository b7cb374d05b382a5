package scan_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/moment"
	"ticketgate/domain/scan"
)

func multi(c *scan.Config) { on := true; c.EnableMultiCheckin = &on }

func inZone(id string) func(*scan.Config) { return func(c *scan.Config) { c.ScanZoneID = &id } }

func TestScans(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	device := w.device("Door 1", w.group(nil), scan.Full)
	w.ticket("1", nil)

	first := w.scan(device, "B-1", scan.In)
	wants(t, first, "GRANTED")
	if first.Ticket == nil || *first.Ticket.Email != "ann@example.com" ||
		!strings.Contains(string(first.Ticket.Document), `"realPrice":10.5`) {
		t.Errorf("got ticket %+v", first.Ticket)
	}
	entered := w.now
	w.now = w.now.Add(time.Minute)
	again := w.scan(device, "B-1", scan.In)
	wants(t, again, "ALREADY_CHECKED_IN")
	if again.FirstCheckinAt == nil || !again.FirstCheckinAt.Equal(entered) {
		t.Errorf("FirstCheckinAt is %v, want %v", again.FirstCheckinAt, entered)
	}
	w.now = w.now.Add(time.Minute)
	wants(t, w.scan(device, "B-1", scan.Out), "GRANTED")
	wants(t, w.scan(device, "B-1", scan.In), "ALREADY_CHECKED_IN") // an exit does not allow another entry
	wants(t, w.scan(device, "B-1", scan.Out), "NOT_CHECKED_IN")
	w.ticket("1", func(d map[string]any) { d["status"] = "INVALID" })
	wants(t, w.scan(device, "B-1", scan.In), "TICKET_INVALID")

	unknown := w.scan(device, "no such code", scan.In)
	wants(t, unknown, "UNKNOWN_CODE")
	logged, err := w.scans.Get(w.As(seller), unknown.ScanID)
	if err != nil || logged.Barcode != "no such code" || *logged.DeviceID != device.ID || *logged.DeviceName != "Door 1" ||
		logged.Result != scan.Declined || *logged.Reason != scan.UnknownCode || logged.TicketID != nil || !logged.Time.Equal(w.now) {
		t.Errorf("the log has %+v, %v", logged, err)
	}
	if n := w.Count("SELECT count(*) FROM scans"); n != 7 {
		t.Errorf("got %d stored scans, want 7", n)
	}
	if n := w.Count("SELECT count(*) FROM events WHERE type = 'scan.created'"); n != 7 {
		t.Errorf("got %d published scans, want 7", n)
	}
	want := `{"scan":{"_id":"` + first.ScanID + `","ticketId":"1","time":"` + moment.New(entered).String() +
		`","eventId":"E1","barcode":"B-1","name":"Ann Other","ticketTypeId":"T1","ticketName":"Day","deviceId":"` + device.ID +
		`","type":"checkin","scanResult":"approved","sellerId":"` + string(seller) + `","createdAt":"` +
		moment.New(entered).String() + `","updatedAt":"` + moment.New(entered).String() + `"}}`
	if n := w.Count("SELECT count(*) FROM events WHERE convert_from(data, 'UTF8') = $1", want); n != 1 {
		t.Errorf("no event has the data %s", want)
	}
	w.ticket("2", nil)
	w.ticket("3", nil)
	wants(t, w.scan(device, "B-2", scan.In), "GRANTED") // the same second, the same device, two codes
	wants(t, w.scan(device, "B-3", scan.In), "GRANTED")
}

// All scans have the same time.
func TestExtraExitsAllowNoFurtherEntry(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	device := w.device("Door", w.group(multi), scan.Full)
	w.ticket("1", nil)
	for _, step := range []struct {
		direction scan.Direction
		want      string
	}{
		{scan.In, "GRANTED"},
		{scan.Out, "GRANTED"},
		{scan.Out, "NOT_CHECKED_IN"},
		{scan.In, "GRANTED"},
		{scan.In, "ALREADY_CHECKED_IN"},
	} {
		wants(t, w.scan(device, "B-1", step.direction), step.want)
	}
	if inside := w.inside(); inside != "1 -=1" {
		t.Errorf("got %s inside", inside)
	}
}

func TestZones(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	device, two := w.device("1", w.group(inZone("Z1")), scan.Full), w.device("2", w.group(inZone("Z2")), scan.Full)
	w.ticket("1", nil)
	w.ticket("2", nil)
	if answer := w.scan(device, "B-1", scan.In); len(answer.InsideZones) != 0 {
		t.Errorf("already inside %+v", answer.InsideZones)
	}
	entered := w.now
	w.now = w.now.Add(time.Second)
	answer := w.scan(two, "B-1", scan.In)
	wants(t, answer, "GRANTED")
	if len(answer.InsideZones) != 1 || *answer.InsideZones[0].ScanZoneID != "Z1" || *answer.InsideZones[0].Name != "Zone Z1" ||
		!answer.InsideZones[0].Since.Equal(entered) {
		t.Errorf("inside %+v", answer.InsideZones)
	}
	if inside := w.inside(); inside != "1 Z1=1 Z2=1" {
		t.Errorf("got %s inside", inside)
	}
	w.scan(two, "B-2", scan.In)
	w.scan(device, "B-1", scan.Out)
	if inside := w.inside(); inside != "2 Z1=0 Z2=2" {
		t.Errorf("got %s inside", inside)
	}
}

// GATE-12.
func TestOneConcurrentCheckinIsApproved(t *testing.T) {
	t.Parallel()
	w, device := newGateDevice(t)
	ctx := w.from(device)
	results := make(chan string, 50)
	var all sync.WaitGroup
	for range cap(results) {
		all.Go(func() {
			answer, err := w.scans.Scan(ctx, scan.Attempt{Barcode: "B-1", EventID: "E1"})
			switch {
			case err != nil:
				results <- err.Error()
			case answer.Reason != nil:
				results <- string(*answer.Reason)
			default:
				results <- string(answer.Access)
			}
		})
	}
	all.Wait()
	close(results)
	counts := map[string]int{}
	for result := range results {
		counts[result]++
	}
	if counts["GRANTED"] != 1 || counts["ALREADY_CHECKED_IN"] != 49 {
		t.Errorf("got %v", counts)
	}
}

func TestAnnul(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	group := w.group(nil)
	device, second := w.device("Door", group, scan.Full), w.device("Other", group, scan.Full)
	w.ticket("1", nil)
	entry := w.scan(device, "B-1", scan.In)
	declined := w.scan(device, "B-1", scan.In)
	_, err := w.scans.Annul(w.from(second), entry.ScanID)
	domaintest.HasCode(t, "the call", err, domain.CodeNotFound)
	_, err = w.scans.Annul(w.As(seller), entry.ScanID)
	domaintest.HasCode(t, "the call", err, domain.CodeForbidden)
	_, err = w.scans.Annul(w.manager(), declined.ScanID)
	domaintest.HasCode(t, "the call", err, domain.CodeInvalidState)
	annulled, err := w.scans.Annul(w.from(device), entry.ScanID)
	if err != nil || annulled.AnnulledAt == nil || *annulled.AnnulledBy != device.ID {
		t.Fatalf("%+v, %v", annulled, err)
	}
	if inside := w.inside(); inside != "0" {
		t.Errorf("got %s inside", inside)
	}
	_, err = w.scans.Annul(w.manager(), entry.ScanID)
	domaintest.HasCode(t, "the call", err, domain.CodeInvalidState)
	wants(t, w.scan(device, "B-1", scan.In), "GRANTED")
	if n := w.Count("SELECT count(*) FROM audit_entries WHERE action = 'annulScan' AND object_id = $1", entry.ScanID); n != 1 {
		t.Errorf("got %d audit entries, want 1", n)
	}
	yes := true
	found, err := w.scans.List(w.As(seller), scan.Filter{Annulled: &yes}, domain.Page{Limit: 10})
	if err != nil || len(found.Items) != 1 || found.Items[0].ID != entry.ScanID {
		t.Errorf("the filter finds %+v, %v", found.Items, err)
	}
}

// Programs that write every field send an empty slot start for a ticket without a slot.
func TestEmptySlotIsNoSlot(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	on := true
	device := w.device("Door", w.group(func(c *scan.Config) { c.CheckTimeslots = &on }), scan.Full)
	for id, start := range map[string]string{"1": "", "2": " "} {
		w.ticket(id, func(d map[string]any) { d["slotStartTime"] = start })
		wants(t, w.scan(device, "B-"+id, scan.In), "GRANTED")
	}
}

// Before IMPORT-5, the time of a slot was stored as sent.
func TestSlotTimesOfEarlierVersions(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	on, minutes := true, 10.0
	device := w.device("Door", w.group(func(c *scan.Config) {
		c.CheckTimeslots = &on
		c.Events[0].TimeslotSettings = &scan.TimeslotSettings{BeforeMinutes: &minutes, AfterMinutes: &minutes}
	}), scan.Full)
	now := w.now.UTC()
	for start, want := range map[string]string{
		now.Format("2006-01-02T15:04Z"): "GRANTED", now.Format("2006-01-02T15:04:05+0000"): "GRANTED",
		now.Format("2006-01-02T15:04:05"): "OUTSIDE_TIMESLOT", "noon": "OUTSIDE_TIMESLOT",
	} {
		w.ticket(start, nil)
		w.Exec(`UPDATE tickets SET document = (document::jsonb || jsonb_build_object('slotStartTime', id))::json WHERE id = $1`, start)
		wants(t, w.scan(device, "B-"+start, scan.In), want)
	}
}

func TestFieldsThatADeviceSees(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	on, minutes := true, 10.0
	group := w.group(func(c *scan.Config) {
		c.CheckTimeslots = &on
		c.Events[0].TimeslotSettings = &scan.TimeslotSettings{BeforeMinutes: &minutes, AfterMinutes: &minutes}
	})
	device := w.device("Door", group, scan.Restricted)
	start := moment.New(w.now.Add(time.Hour))
	w.ticket("1", func(d map[string]any) {
		d["slotStartTime"] = start.String()
		d["extraFields"] = map[string]any{"EMAIL": "ann@example.net", "customer": map[string]any{"Street": "Main 1", "Phone": "555"}, "seat": "A"}
	})
	w.now = start.Add(-10*time.Minute - time.Millisecond)
	early := w.scan(device, "B-1", scan.In)
	wants(t, early, "OUTSIDE_TIMESLOT")
	if early.Window == nil || !early.Window.From.Equal(start.Add(-10*time.Minute)) || !early.Window.Until.Equal(start.Add(10*time.Minute)) {
		t.Errorf("got window %+v", early.Window)
	}
	w.now = w.now.Add(time.Millisecond)
	answer := w.scan(device, "B-1", scan.In)
	wants(t, answer, "GRANTED")
	if document := string(answer.Ticket.Document); answer.Ticket.Email != nil || answer.Ticket.Street != nil ||
		strings.Contains(document, "ann@") || strings.Contains(document, "Main 1") || strings.Contains(document, "555") || !strings.Contains(document, `"name":"Ann Other"`) {
		t.Errorf("a restricted device gets %s", document)
	}
	elsewhere, err := w.scans.Scan(w.from(device), scan.Attempt{Barcode: "B-1", EventID: "E2"})
	if err != nil || elsewhere.Ticket != nil {
		t.Errorf("at an unassigned event it gets %+v, %v", elsewhere.Ticket, err)
	}
	wants(t, elsewhere, "EVENT_NOT_ASSIGNED")
}

func TestKeysAndSessionsScanForADeviceOrAGroup(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	group := w.group(nil)
	device := w.device("Door", group, scan.Full)
	w.ticket("1", nil)
	w.ticket("2", nil)
	answer, err := w.scans.Scan(w.As(seller, "scans:create"), scan.Attempt{Barcode: "B-1", DeviceID: device.ID})
	if err != nil {
		t.Fatal(err)
	}
	wants(t, answer, "GRANTED")
	answer, err = w.scans.Scan(w.manager(), scan.Attempt{Barcode: "B-2", ScanGroupID: group.ID})
	if err != nil {
		t.Fatal(err)
	}
	wants(t, answer, "GRANTED")
	_, err = w.scans.Scan(w.As(seller, "scans:list"), scan.Attempt{Barcode: "B-1", DeviceID: device.ID})
	domaintest.HasCode(t, "the call", err, domain.CodeMissingPermission)
	for _, wrong := range []scan.Attempt{
		{Barcode: "B-1"},
		{Barcode: "B-1", DeviceID: "nobody"},
		{Barcode: "B-1", ScanGroupID: "none"},
		{Barcode: "", DeviceID: device.ID},
		{Barcode: "B-1", DeviceID: device.ID, Direction: "UP"},
	} {
		_, err := w.scans.Scan(w.As(seller), wrong)
		domaintest.HasCode(t, "the call", err, domain.CodeValidationFailed)
	}
	_, err = w.scans.Scan(w.As(other), scan.Attempt{Barcode: "B-1", DeviceID: device.ID})
	domaintest.HasCode(t, "the call", err, domain.CodeValidationFailed)
}

func TestSimulation(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	device := w.device("Door", w.group(multi), scan.Full)
	w.ticket("1", nil)
	w.scan(device, "B-1", scan.In)
	id, barcode := "1", "B-1"
	asIs, err := w.scans.Simulate(w.As(seller, "scans:list"), scan.Simulation{Barcode: &barcode, DeviceID: &device.ID})
	if err != nil || asIs.Access != scan.Denied || *asIs.Reason != scan.AlreadyCheckedIn || asIs.Inside != 1 || len(asIs.Rules) != 13 {
		t.Errorf("%+v, %v", asIs, err)
	}
	assumed, err := w.scans.Simulate(w.As(seller), scan.Simulation{TicketID: &id, DeviceID: &device.ID, History: []scan.AssumedPass{}})
	if err != nil || assumed.Access != scan.Granted || assumed.Reason != nil {
		t.Errorf("%+v, %v", assumed, err)
	}
	if n := w.Count("SELECT count(*) FROM scans"); n != 1 {
		t.Errorf("got %d stored scans, want 1", n)
	}
	empty, long := "", strings.Repeat("e", 65)
	for path, input := range map[string]scan.Simulation{
		"barcode":  {DeviceID: &device.ID},
		" barcode": {DeviceID: &device.ID, Barcode: &empty}, // also invalid in a scan or an upload
		"ticketId": {DeviceID: &device.ID, TicketID: &empty},
		"eventId":  {DeviceID: &device.ID, Barcode: &barcode, EventID: &long},
	} {
		_, err = w.scans.Simulate(w.As(seller), input)
		domaintest.HasCode(t, "the call", err, domain.CodeValidationFailed)
		if got := domaintest.Paths(err); got != strings.TrimSpace(path) {
			t.Errorf("got an error at %s, want %s", got, path)
		}
	}
}

// Passes after the time of a simulation don't count, real or assumed.
func TestSimulationOfPastIgnoresLaterScans(t *testing.T) {
	t.Parallel()
	w, device := newGateDevice(t)
	w.scan(device, "B-1", scan.In)
	entered, barcode := w.now, "B-1"
	w.now = w.now.Add(2 * time.Hour)
	assumed := []scan.AssumedPass{{Direction: scan.In, Time: moment.New(entered)}}
	for name, history := range map[string][]scan.AssumedPass{"real": nil, "assumed": assumed} {
		for offset, checkins := range map[time.Duration]int{-time.Millisecond: 0, 0: 1, time.Hour: 1} {
			at := moment.New(entered.Add(offset))
			got, err := w.scans.Simulate(w.As(seller), scan.Simulation{Barcode: &barcode, DeviceID: &device.ID, Time: &at, History: history})
			if err != nil || got.Checkins != checkins || got.Inside != checkins || (got.Reason == nil) != (checkins == 0) {
				t.Errorf("%s, %s later: got %+v, %v", name, offset, got, err)
			}
		}
	}
	assumed[0].Time = moment.New(w.now.Add(time.Second))
	got, err := w.scans.Simulate(w.As(seller), scan.Simulation{Barcode: &barcode, DeviceID: &device.ID, History: assumed})
	if err != nil || got.Checkins != 0 {
		t.Errorf("in the future: got %+v, %v", got, err)
	}
}

// A key that may scan but not read tickets gets an answer without the ticket (GATE-18).
func TestAResponseShowsATicketOnlyWithPermission(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	device := w.device("Door", w.group(multi), scan.Full)
	w.ticket("1", nil)
	attempt := scan.Attempt{Barcode: "B-1", EventID: "E1", DeviceID: device.ID}
	answer, err := w.scans.Scan(w.As(seller, "scans:create"), attempt)
	if err != nil || answer.Access != scan.Granted || answer.Ticket != nil {
		t.Errorf("a key without tickets:list: %+v, %v", answer, err)
	}
	answer, err = w.scans.Scan(w.As(seller, "scans:create", "tickets:list"), attempt)
	if err != nil || answer.FirstCheckinAt == nil || answer.Ticket == nil {
		t.Errorf("a key with tickets:list: %+v, %v", answer, err)
	}
	if answer := w.scan(device, "B-1", scan.In); answer.Ticket == nil {
		t.Errorf("a device: %+v", answer)
	}
}
