package scan_test

import (
	"fmt"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/moment"
	"ticketgate/domain/scan"
)

func TestScansPerMinute(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	start := w.now.Truncate(time.Minute)
	device := w.device("Door 1", w.group(nil), scan.Full)
	w.ticket("1", nil)
	for _, when := range []time.Duration{0, time.Second, 61 * time.Minute, 61*time.Minute + 59*time.Second, 62 * time.Minute} {
		w.now = start.Add(when)
		w.scan(device, "B-1", scan.In)
	}
	got, err := w.scans.PerMinute(w.As(seller, "scans:list"))
	if err != nil {
		t.Fatal(err)
	}
	// The ticket can enter once. A scan more than an hour old is not counted.
	want := []scan.Minute{
		{At: moment.New(start.Add(61 * time.Minute)), Declined: 2},
		{At: moment.New(start.Add(62 * time.Minute)), Declined: 1},
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", got, want)
	}
	w.now = start.Add(30 * time.Second)
	if got, err = w.scans.PerMinute(w.As(seller)); err != nil || len(got) == 0 || got[0].Approved != 1 || got[0].Declined != 1 {
		t.Errorf("in the first minute: %v, %v", got, err)
	}
	if got, err = w.scans.PerMinute(w.As(other)); err != nil || len(got) != 0 {
		t.Errorf("another seller gets %v, %v", got, err)
	}
	if _, err = w.scans.PerMinute(w.As(seller, "events:list")); !domain.HasCode(err, domain.CodeMissingPermission) {
		t.Errorf("without the permission: %v", err)
	}
}

func TestSilentDevicesAreFound(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	group := w.group(nil)
	never, long, lately := w.device("Never", group, scan.Full), w.device("Long ago", group, scan.Full), w.device("Lately", group, scan.Full)
	w.Exec("DELETE FROM device_uses")
	w.Exec("INSERT INTO device_uses VALUES ($1, $2), ($3, $4)", long.ID, w.now.Add(-25*time.Hour), lately.ID, w.now.Add(-23*time.Hour))
	since := moment.New(w.now.Add(-24 * time.Hour))
	list, err := w.devices.List(w.As(seller), scan.DeviceFilter{UnusedSince: &since}, domain.Page{Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, device := range list.Items {
		names = append(names, device.Name)
	}
	if fmt.Sprint(names) != fmt.Sprint([]string{never.Name, long.Name}) {
		t.Errorf("got %v", names)
	}
	if total, err := list.Total(t.Context()); err != nil || total != 2 {
		t.Errorf("total is %d, %v", total, err)
	}
}
