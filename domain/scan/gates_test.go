package scan_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/moment"
	"ticketgate/domain/optional"
	"ticketgate/domain/scan"
)

// A call that names two gates is rejected, since one of the two would be wrong (GATE-10).
func TestCallNamesExactlyOneGate(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	own, foreign := w.group(nil), w.group(nil)
	device, another := w.device("Door", own, scan.Full), w.device("Other door", foreign, scan.Full)
	barcode := "B-1"
	for _, row := range []struct{ device, group, byKey, byDevice string }{
		{device.ID, "", "", ""},
		{device.ID, own.ID, "", ""},
		{device.ID, foreign.ID, "scanGroupId", "scanGroupId"},
		{device.ID, "none", "scanGroupId", "scanGroupId"},
		{another.ID, "", "", "deviceId"},
		{"nobody", "", "deviceId", "deviceId"},
		{"", own.ID, "", ""},
		{"", foreign.ID, "", "scanGroupId"},
		{"", "", "deviceId", ""},
	} {
		attempt := scan.Attempt{Barcode: barcode, DeviceID: row.device, ScanGroupID: row.group}
		scans := func(by context.Context, want string) {
			if _, err := w.scans.Scan(by, attempt); (err == nil) != (want == "") || err != nil && domaintest.Paths(err) != want {
				t.Errorf("%+v: got %v at %q", row, err, domaintest.Paths(err))
			}
		}
		scans(w.As(seller), row.byKey)
		scans(w.from(device), row.byDevice)
		_, err := w.scans.Simulate(w.As(seller), scan.Simulation{Barcode: &barcode, DeviceID: &row.device, ScanGroupID: &row.group})
		if (err == nil) != (row.byKey == "") || err != nil && domaintest.Paths(err) != row.byKey {
			t.Errorf("%+v: a simulation has errors at %q", row, domaintest.Paths(err))
		}
	}
	uploaded := []scan.Uploaded{{Barcode: barcode, ScannedAt: moment.New(w.now), Type: scan.OK}}
	if _, err := w.scans.Upload(w.from(device), "E1", another.ID, uploaded); err == nil || domaintest.Paths(err) != "deviceId" {
		t.Errorf("an upload for another device: %v", err)
	}
}

// A device whose token is invalid can't scan for any caller. Its earlier offline scans can still be uploaded.
func TestNoCallerScansForAnInactiveDevice(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	group := w.group(nil)
	now := moment.New(w.now)
	for name, off := range map[string]scan.DeviceChange{
		"inactive": {Active: optional.Some(false)}, "expired": {Expires: optional.Some(now)},
	} {
		device := w.device(name, group, scan.Full)
		w.ticket(name, nil)
		if _, err := w.devices.Update(w.As(seller), device.ID, off); err != nil {
			t.Fatal(err)
		}
		barcode := "B-" + name
		_, err := w.scans.Scan(w.As(seller), scan.Attempt{Barcode: barcode, DeviceID: device.ID})
		if domaintest.HasCode(t, "the call", err, domain.CodeValidationFailed); err == nil || domaintest.Paths(err) != "deviceId" || !strings.Contains(err.Error(), "inactive or expired") {
			t.Errorf("%s: %v", name, err)
		}
		simulated, err := w.scans.Simulate(w.As(seller), scan.Simulation{Barcode: &barcode, DeviceID: &device.ID})
		if err != nil || simulated.Access != scan.Denied || *simulated.Reason != scan.EventNotAssigned ||
			!strings.Contains(simulated.Rules[0].Detail, "inactive") {
			t.Errorf("%s: simulation returned %+v, %v", name, simulated, err)
		}
		if n := w.Count("SELECT count(*) FROM scans WHERE device_id = $1", device.ID); n != 0 {
			t.Errorf("%s: %d scans are stored, want none", name, n)
		}
		before := moment.New(w.now.Add(-time.Minute))
		simulated, err = w.scans.Simulate(w.As(seller), scan.Simulation{Barcode: &barcode, DeviceID: &device.ID, Time: &before})
		if err != nil || (simulated.Access == scan.Granted) != (name == "expired") {
			t.Errorf("%s, a minute earlier: simulation returned %+v, %v", name, simulated, err)
		}
		uploaded, err := w.scans.Upload(w.As(seller), "E1", device.ID, []scan.Uploaded{{Barcode: barcode, ScannedAt: before, Type: scan.OK}})
		if err != nil || uploaded.Scans[0].Conflict {
			t.Errorf("%s: upload returned %+v, %v", name, uploaded, err)
		}
	}
}
