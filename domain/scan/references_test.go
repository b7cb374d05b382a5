package scan_test

import (
	"strings"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/catalog"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/optional"
	"ticketgate/domain/scan"
	"ticketgate/domain/tenant"
)

// An event can't be deleted while a scan group or device refers to it in any way.
func TestAReferencedEventCantBeDeleted(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.Exec("UPDATE scan_zones SET event_id = 'E2' WHERE id = 'Z2'")
	w.Exec("UPDATE ticket_types SET event_id = 'E2' WHERE id = 'T2'")
	events := catalog.New(w.Store.Catalog(), tenant.LookUp(w.Store.Tenants()), func() time.Time { return w.now }).Events
	group := w.group(nil)
	plain := *group.ScanConfig
	device := w.device("Door", group, scan.Full)
	configure := func(set func(*scan.Config)) {
		t.Helper()
		config := plain
		set(&config)
		if _, err := w.groups.Update(w.As(seller), group.ID, scan.GroupChange{Name: "Gate", ScanConfig: optional.Some(config)}); err != nil {
			t.Fatal(err)
		}
	}
	watch := func(ids ...string) {
		t.Helper()
		if _, err := w.devices.Update(w.As(seller), device.ID, scan.DeviceChange{Events: optional.Some(ids)}); err != nil {
			t.Fatal(err)
		}
	}
	for _, named := range []struct {
		as, by string
		name   func()
	}{
		{"an event to scan", "scan groups", func() {
			configure(func(c *scan.Config) { c.Events = []scan.EventSettings{{EventID: "E2"}} })
		}},
		{"an event of tap and go", "scan groups", func() {
			configure(func(c *scan.Config) { c.TapAndGo = &scan.TapAndGo{Enabled: true, EventIDs: []string{"E1", "E2"}} })
		}},
		{"the event of a ticket type", "scan groups", func() {
			configure(func(c *scan.Config) {
				c.Events = []scan.EventSettings{{EventID: "E1", AllowedTicketTypeIDs: []string{"T1", "T2"}}, {EventID: "D1", AllowedTicketTypeIDs: []string{"T2"}}}
			})
		}},
		{"the event of a zone", "scan groups", func() { configure(func(c *scan.Config) { c.ScanZoneID = new("Z2") }) }},
		{"an event of a device", "access users", func() {
			configure(func(*scan.Config) {})
			watch("E1", "E2")
		}},
	} {
		named.name()
		_, err := events.Delete(w.As(seller), "E2", nil)
		if domaintest.HasCode(t, "the call", err, domain.CodeInvalidState); err == nil || !strings.Contains(err.Error(), named.by+" refer to it") {
			t.Fatalf("%s: got %v", named.as, err)
		}
	}
	watch("E1")
	if _, err := events.Delete(w.As(seller), "E2", nil); err != nil {
		t.Errorf("an unused event: %v", err)
	}
}
