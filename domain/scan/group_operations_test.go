package scan_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"ticketgate/domain"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/optional"
	"ticketgate/domain/scan"
)

func groupOf(t *testing.T, text string) scan.NewGroup {
	t.Helper()
	var sent struct {
		Name           string               `json:"name"`
		ScanConfig     scan.Config          `json:"scanConfig"`
		DeviceSettings *scan.DeviceSettings `json:"deviceSettings"`
	}
	if err := json.Unmarshal([]byte(text), &sent); err != nil {
		t.Fatal(err)
	}
	input := scan.NewGroup{Name: sent.Name, ScanConfig: sent.ScanConfig}
	if sent.DeviceSettings != nil {
		input.DeviceSettings = optional.Some(*sent.DeviceSettings)
	}
	return input
}

const wholeGroup = `{"name":"Gate","scanConfig":{"mode":"lock","events":[{"eventId":"E1","allowAllTicketTypes":false,` +
	`"allowedTicketTypeIds":["T1","T2"],"timeslotSettings":{"beforeMinutes":0.5,"afterMinutes":525600},` +
	`"eventTimeSettings":{"active":false,"beforeHours":0,"afterHours":8760}},{"eventId":"D1","allowedTicketTypeIds":[]}],` +
	`"scanZoneId":"Z1","scanTypes":{"checkin":false,"checkout":true},"enableMultiCheckin":false,"checkTimeslots":true,` +
	`"tapAndGo":{"enabled":true,"eventIds":["R1","E1"]}},"deviceSettings":{"colorSettings":{"success":"green","declined":"red",` +
	`"repeated":"orange","highlighted":"blue","actionRequired":"pink"},"enableSoundFeedback":true,"enableHapticFeedback":false,` +
	`"scanRevealInterval":30,"ticketSyncInterval":900}}`

// Groups store what was sent, without defaults. One of them allows check-out only.
func TestGroupsStoreTheSentFields(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	for _, sent := range []string{
		wholeGroup,
		`{"name":"Gate","scanConfig":{"mode":"default"}}`,
		`{"name":"Gate","scanConfig":{"mode":"default","events":[],"tapAndGo":{"enabled":false,"eventIds":[]}},"deviceSettings":{}}`,
	} {
		created, err := w.groups.Create(w.As(seller, "scanGroups:create"), groupOf(t, sent))
		if err != nil {
			t.Fatal(err)
		}
		read, err := w.groups.Get(w.As(seller, "scanGroups:list"), created.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, group := range []scan.Group{created, read} {
			_, config, _ := strings.Cut(printed(t, group), `,"scanConfig":`)
			_, want, _ := strings.Cut(sent, `,"scanConfig":`)
			if config != want {
				t.Errorf("got  %s\nwant %s", config, want)
			}
		}
	}
	if n := w.Count("SELECT count(*) FROM audit_entries WHERE action = 'createScanGroup'"); n != 3 {
		t.Errorf("got %d audit entries, want 3", n)
	}
}

// GATE-15.
func TestGroupsRefuseInvalidInput(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	number := func(n float64) *float64 { return &n }
	slot := func(n float64) func(*scan.NewGroup) {
		return func(g *scan.NewGroup) {
			g.ScanConfig.Events[0].TimeslotSettings = &scan.TimeslotSettings{BeforeMinutes: number(n)}
		}
	}
	color := func(c scan.ColorSettings) func(*scan.NewGroup) {
		return func(g *scan.NewGroup) { g.DeviceSettings = optional.Some(scan.DeviceSettings{ColorSettings: &c}) }
	}
	first := func(set func(*scan.EventSettings)) func(*scan.NewGroup) {
		return func(g *scan.NewGroup) { set(&g.ScanConfig.Events[0]) }
	}
	tapAndGo := func(ids ...string) func(*scan.NewGroup) {
		return func(g *scan.NewGroup) { g.ScanConfig.TapAndGo = &scan.TapAndGo{EventIDs: ids} }
	}
	device := func(settings scan.DeviceSettings) func(*scan.NewGroup) {
		return func(g *scan.NewGroup) { g.DeviceSettings = optional.Some(settings) }
	}
	red, green, black, two := scan.Red, scan.Green, scan.Color("black"), 2
	zone, long := "Z9", strings.Repeat("x", 65)
	for path, set := range map[string]func(*scan.NewGroup){
		"name":            func(g *scan.NewGroup) { g.Name = " " },
		"scanConfig.mode": func(g *scan.NewGroup) { g.ScanConfig.Mode = "LOCK" },
		"scanConfig.events[0].timeslotSettings.beforeMinutes":    slot(-5),
		"scanConfig.events[0].timeslotSettings.beforeMinutes ":   slot(math.NaN()),
		"scanConfig.events[0].timeslotSettings.beforeMinutes  ":  slot(1e9),
		"scanConfig.events[0].timeslotSettings.beforeMinutes   ": slot(525_600.5),
		"scanConfig.events[0].timeslotSettings.afterMinutes": func(g *scan.NewGroup) {
			g.ScanConfig.Events[0].TimeslotSettings = &scan.TimeslotSettings{AfterMinutes: number(-1)}
		},
		"scanConfig.events[0].eventTimeSettings.beforeHours": func(g *scan.NewGroup) {
			g.ScanConfig.Events[0].EventTimeSettings = &scan.EventTimeSettings{BeforeHours: number(8761)}
		},
		"scanConfig.events[0].eventTimeSettings.afterHours": func(g *scan.NewGroup) {
			g.ScanConfig.Events[0].EventTimeSettings = &scan.EventTimeSettings{AfterHours: number(-1)}
		},
		"scanConfig.events[0].eventId":                 first(func(e *scan.EventSettings) { e.EventID = "X1" }),
		"scanConfig.events[0].eventId ":                first(func(e *scan.EventSettings) { e.EventID = "R1" }),
		"scanConfig.events[0].eventId  ":               first(func(e *scan.EventSettings) { e.EventID = "G1" }),
		"scanConfig.events[0].eventId   ":              first(func(e *scan.EventSettings) { e.EventID = long }),
		"scanConfig.events[1].eventId":                 func(g *scan.NewGroup) { g.ScanConfig.Events = append(g.ScanConfig.Events, g.ScanConfig.Events[0]) },
		"scanConfig.events[0].allowedTicketTypeIds[1]": first(func(e *scan.EventSettings) { e.AllowedTicketTypeIDs = []string{"T1", "T9"} }),
		"scanConfig.scanZoneId":                        func(g *scan.NewGroup) { g.ScanConfig.ScanZoneID = &zone },
		"scanConfig.scanTypes":                         func(g *scan.NewGroup) { g.ScanConfig.ScanTypes = &scan.Types{} },
		"scanConfig.tapAndGo.eventIds[0]":              tapAndGo("G1", "R1"),
		"scanConfig.tapAndGo.eventIds[1]":              tapAndGo("R1", "X1"),
		"deviceSettings.colorSettings.success":         color(scan.ColorSettings{Success: &red}),
		"deviceSettings.colorSettings.declined":        color(scan.ColorSettings{Declined: &green}),
		"deviceSettings.colorSettings.repeated":        color(scan.ColorSettings{Repeated: &black}),
		"deviceSettings.colorSettings.highlighted":     color(scan.ColorSettings{Highlighted: &black}),
		"deviceSettings.colorSettings.actionRequired":  color(scan.ColorSettings{ActionRequired: &black}),
		"deviceSettings.scanRevealInterval":            device(scan.DeviceSettings{ScanRevealInterval: &two}),
		"deviceSettings.ticketSyncInterval":            device(scan.DeviceSettings{TicketSyncInterval: &two}),
	} {
		input := groupOf(t, `{"name":"Gate","scanConfig":{"mode":"default","events":[{"eventId":"E1"}]}}`)
		set(&input)
		_, err := w.groups.Create(w.As(seller), input)
		fields := domain.AsError(err).Fields
		if len(fields) != 1 || fields[0].Path != strings.TrimSpace(path) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestGroupChanges(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	group, err := w.groups.Create(w.As(seller), groupOf(t, wholeGroup))
	if err != nil {
		t.Fatal(err)
	}
	same, err := w.groups.Update(w.As(seller, "scanGroups:update"), group.ID, scan.GroupChange{Name: "Gate"})
	if err != nil || same.UpdatedAt != group.UpdatedAt || same.ScanConfig == nil || same.DeviceSettings == nil {
		t.Errorf("omitted fields: %+v, %v", same, err)
	}
	changed, err := w.groups.Update(w.As(seller), group.ID, scan.GroupChange{
		Name: "New", ScanConfig: optional.Some(scan.Config{Mode: "default"}), DeviceSettings: optional.Null[scan.DeviceSettings](),
	})
	if err != nil || changed.DeviceSettings != nil || changed.ScanConfig.Events != nil || changed.ScanConfig.ScanZoneID != nil {
		t.Errorf("replaced: %+v, %v", changed, err)
	}
	if n := w.Count("SELECT count(*) FROM audit_entries WHERE action = 'updateScanGroup'"); n != 1 {
		t.Errorf("got %d audit entries for one change", n)
	}
	for _, id := range []string{group.ID, "unknown"} {
		_, err := w.groups.Get(w.As(other), id)
		domaintest.HasCode(t, "the call", err, domain.CodeNotFound)
		_, err = w.groups.Update(w.As(other), id, scan.GroupChange{Name: "x"})
		domaintest.HasCode(t, "the call", err, domain.CodeNotFound)
		_, err = w.groups.Delete(w.As(other), id, nil)
		domaintest.HasCode(t, "the call", err, domain.CodeNotFound)
	}
	device := w.device("Door", group, scan.Full)
	_, err = w.groups.Delete(w.As(seller), group.ID, nil)
	domaintest.HasCode(t, "the call", err, domain.CodeInvalidState)
	if _, err := w.devices.Delete(w.As(seller), device.ID, nil); err != nil {
		t.Fatal(err)
	}
	if deleted, err := w.groups.Delete(w.As(seller), group.ID, nil); err != nil || deleted.Name != "New" {
		t.Errorf("%+v, %v", deleted, err)
	}
	w.group(nil)
	list, err := w.groups.List(w.As(seller), scan.GroupFilter{Name: "gAT"}, domain.Page{Limit: 10})
	if err != nil || len(list.Items) != 1 {
		t.Errorf("%+v, %v", list.Items, err)
	}
	_, err = w.groups.List(w.As(seller, "scanGroups:create"), scan.GroupFilter{}, domain.Page{Limit: 10})
	domaintest.HasCode(t, "the call", err, domain.CodeMissingPermission)
}
