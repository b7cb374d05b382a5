package scan_test

import (
	"fmt"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/moment"
	"ticketgate/domain/optional"
	"ticketgate/domain/scan"
	"ticketgate/domain/texts"
)

// Different content under a used id is a different scan, within an upload and after pairing again (GATE-4).
func TestSameIDWithOtherContentIsAnotherScan(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	device := w.device("Door", w.group(nil), scan.Full)
	for _, id := range []string{"1", "2", "3"} {
		w.ticket(id, nil)
	}
	at := w.now.Add(-time.Hour)
	w.upload(device, made("1", "B-1", at, scan.In))
	renewed, err := w.devices.RenewToken(w.As(seller), device.ID)
	if err != nil {
		t.Fatal(err)
	}
	named := made("1", "B-3", at, scan.In)
	named.TicketID = new("2")
	batch := []scan.Uploaded{
		made("1", "B-1", at, scan.In), made("1", "B-2", at, scan.In), made("1", "B-1", at.Add(time.Second), scan.In),
		made("1", "B-1", at, scan.Out), made("1", "B-3", at, scan.In), named, made("1", "B-2", at, scan.In),
	}
	for round := range 2 {
		got := ""
		for _, receipt := range w.upload(renewed, batch...) {
			got += fmt.Sprint(receipt.ID, " ", receipt.Duplicate, ", ")
		}
		want := "1 true, 1 false, 1 false, 1 false, 1 false, 1 false, 1 true, "
		if round > 0 {
			want = "1 true, 1 true, 1 true, 1 true, 1 true, 1 true, 1 true, "
		}
		if got != want {
			t.Errorf("round %d: got %s, want %s", round, got, want)
		}
	}
	if n := w.Count("SELECT count(*) FROM scans WHERE client_id = '1'"); n != 6 {
		t.Errorf("got %d stored scans, want 6", n)
	}
	wants(t, w.scan(renewed, "B-2", scan.In), "ALREADY_CHECKED_IN")
	other := w.device("Other", w.group(nil), scan.Full)
	if got := w.upload(other, made("1", "B-1", at, scan.In)); got[0].Duplicate {
		t.Errorf("another device's scan: %+v", got[0])
	}
	elsewhere, err := w.scans.Upload(w.from(renewed), "E2", "", []scan.Uploaded{made("1", "B-1", at, scan.In)})
	if err != nil || elsewhere.Scans[0].Duplicate {
		t.Errorf("at another event: %+v, %v", elsewhere, err)
	}
}

// A claim that an earlier version stored without a digest is compared with the logged scan.
func TestClaimsOfPreviousVersion(t *testing.T) {
	t.Parallel()
	w, device := newGateDevice(t)
	w.ticket("2", nil)
	uploaded := made("1", "B-1", w.now.Add(-time.Hour), scan.In)
	uploaded.TicketID = new("1")
	nameless := scan.Uploaded{Barcode: "B-2", ScannedAt: moment.New(w.now.Add(-time.Minute)), Type: scan.Fail}
	w.upload(device, uploaded, nameless)
	w.Exec("UPDATE scan_claims SET content = NULL")
	got := w.upload(device, uploaded, nameless, made("1", "B-2", w.now.Add(-time.Hour), scan.In))
	if !got[0].Duplicate || !got[1].Duplicate || got[2].Duplicate {
		t.Errorf("uploaded again: %+v", got)
	}
}

func (w *fixture) marked() string {
	w.T.Helper()
	list, err := w.scans.List(w.As(seller), scan.Filter{Offline: new(true)}, domain.Page{Limit: 100})
	if err != nil {
		w.T.Fatal(err)
	}
	text := ""
	for _, item := range list.Items {
		text += texts.Of(item.ClientID)
		if item.Reason != nil {
			text += "=" + string(*item.Reason)
		}
		if item.Conflict {
			text += "!"
		}
		text += " "
	}
	return text
}

// Marks are derived again when late scans arrive and when a scan is annulled, and repeated uploads get the new ones
// (GATE-3).
func TestLateScansChangeMarks(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	device := w.device("Door", w.group(multi), scan.Full)
	w.ticket("1", nil)
	ten := w.now.Add(-2 * time.Hour)
	exit, entry := made("exit", "B-1", ten.Add(9*time.Minute), scan.Out), made("entry", "B-1", ten, scan.In)
	refusal := made("refusal", "B-1", ten.Add(5*time.Minute), scan.In)
	refusal.Type = scan.Fail
	if got := w.upload(device, exit, refusal); !got[0].Conflict || !got[1].Conflict {
		t.Errorf("before the entry: %+v", got)
	}
	if got := w.upload(device, entry, exit, refusal); got[0].Conflict || got[1].Conflict || got[2].Conflict {
		t.Errorf("with the entry: %+v", got)
	}
	if got, want := w.marked(), "exit refusal=ALREADY_CHECKED_IN entry "; got != want {
		t.Errorf("got marks %s, want %s", got, want)
	}
	w.upload(device, made("second", "B-1", ten.Add(time.Minute), scan.In))
	if got, want := w.marked(), "exit refusal=ALREADY_CHECKED_IN entry second=ALREADY_CHECKED_IN! "; got != want {
		t.Errorf("with two people got marks %s, want %s", got, want)
	}
	list, err := w.scans.List(w.As(seller), scan.Filter{}, domain.Page{Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	for _, item := range list.Items {
		if *item.ClientID == "second" || *item.ClientID == "entry" {
			if _, err := w.scans.Annul(w.manager(), item.ID); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got, want := w.marked(), "exit=NOT_CHECKED_IN! refusal! entry second "; got != want {
		t.Errorf("without entries got marks %s, want %s", got, want)
	}
	if inside := w.inside(); inside != "0" {
		t.Errorf("got %s inside", inside)
	}
}

// An exit of a canceled ticket that was uploaded first is correct once the entry is known (GATE-1, GATE-3).
func TestLateEntryExplainsTheExitOfACanceledTicket(t *testing.T) {
	t.Parallel()
	w, device := newGateDevice(t)
	w.ticket("1", func(d map[string]any) { d["status"] = "INVALID" })
	at := w.now.Add(-time.Hour)
	w.upload(device, made("exit", "B-1", at.Add(time.Minute), scan.Out))
	if got, want := w.marked(), "exit=TICKET_INVALID! "; got != want {
		t.Errorf("got marks %s, want %s", got, want)
	}
	w.upload(device, made("entry", "B-1", at, scan.In))
	if got, want := w.marked(), "exit entry=TICKET_INVALID! "; got != want {
		t.Errorf("got marks %s, want %s", got, want)
	}
}

// Scans at an event that is not assigned to the device are kept but don't count (GATE-6).
func TestScansOfForeignEventsAreNotCounted(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	group := w.group(multi)
	right, stranger := w.device("Right", group, scan.Full), w.device("Stranger", group, scan.Full)
	if _, err := w.devices.Update(w.As(seller), stranger.ID, scan.DeviceChange{
		AccessAllEvents: optional.Some(false), Events: optional.Some([]string{"E2"}),
	}); err != nil {
		t.Fatal(err)
	}
	unassigned := w.device("Unassigned", w.group(func(c *scan.Config) { c.Events[0].EventID = "E2" }), scan.Full)
	at := w.now.Add(-time.Minute)
	for i, device := range []scan.Device{stranger, unassigned} {
		id := fmt.Sprint(i)
		w.ticket(id, nil)
		refused := made("f", "B-"+id, at, scan.In)
		refused.Type = scan.Fail
		for round := range 2 {
			got := w.upload(device, made("i", "B-"+id, at, scan.In), made("o", "B-"+id, at.Add(time.Second), scan.Out), refused)
			for _, receipt := range got {
				if !receipt.Conflict || receipt.Duplicate != (round > 0) {
					t.Errorf("%s, round %d: got %+v", device.Name, round, receipt)
				}
			}
		}
		if n := w.Count("SELECT count(*) FROM scans WHERE device_id = $1 AND conflict AND reason = 'EVENT_NOT_ASSIGNED'", device.ID); n != 3 {
			t.Errorf("%s: got %d stored scans, want 3", device.Name, n)
		}
		if inside := w.inside(); inside != "0" {
			t.Errorf("%s: got %s inside", device.Name, inside)
		}
		minutes, err := w.scans.PerMinute(w.As(seller))
		if err != nil || len(minutes) != 0 {
			t.Errorf("%s: got minutes %+v, %v", device.Name, minutes, err)
		}
		counts, err := w.scans.PerDevice(w.As(seller), []string{device.ID}, moment.New(w.now.Add(-time.Hour)))
		if err != nil || counts[0].Scans != 0 {
			t.Errorf("%s: got counts %+v, %v", device.Name, counts, err)
		}
	}
	wants(t, w.scan(right, "B-0", scan.In), "GRANTED")
	if w.now = w.now.Add(time.Minute); w.upload(right, made("again", "B-1", w.now, scan.In))[0].Conflict {
		t.Error("the valid scan is in conflict")
	}
}
