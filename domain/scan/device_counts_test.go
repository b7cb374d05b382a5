package scan_test

import (
	"fmt"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/moment"
	"ticketgate/domain/scan"
)

func TestScansPerDevice(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	start, group := w.now, w.group(nil)
	busy, idle := w.device("Busy", group, scan.Full), w.device("Idle", group, scan.Full)
	w.ticket("1", nil)
	for hour := range 3 {
		w.now = start.Add(time.Duration(hour) * time.Hour)
		w.scan(busy, "B-1", scan.In)
	}
	ids := []string{idle.ID, busy.ID, "nothing"}
	since := moment.New(start.Add(time.Hour))
	got, err := w.scans.PerDevice(w.As(seller, "scans:list"), ids, since)
	if want := []scan.DeviceScans{{idle.ID, 0}, {busy.ID, 2}, {"nothing", 0}}; err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
	if got, err = w.scans.PerDevice(w.As(other), ids, since); err != nil || got[1].Scans != 0 {
		t.Errorf("another seller gets %v, %v", got, err)
	}
	if _, err = w.scans.PerDevice(w.As(seller), make([]string, 101), since); !domain.HasCode(err, domain.CodeValidationFailed) {
		t.Errorf("101 devices: %v", err)
	}
}
