package gate

import (
	"cmp"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/domain"
	"ticketgate/domain/catalog"
)

// TestScanGroupsInBothAPIs tests each rule of a scan group's configuration through both APIs.
func TestScanGroupsInBothAPIs(t *testing.T) {
	t.Parallel()
	tryThroughBothDoors(t, map[string]func(*passage, *testing.T){
		"a valid configuration is returned as it was sent":  (*passage).keepsGroups,
		"an invalid configuration is refused with its path": (*passage).refusesGroups,
		"an update replaces whole objects":                  (*passage).changesGroups,
	})
}

// groupWith returns the input of a scan group with a value at a path.
func (p *passage) groupWith(path string, value any) object {
	return apitest.With(object{
		"name":           "Gate",
		"scanConfig":     object{"mode": "default", "events": []any{object{"eventId": p.event}}},
		"deviceSettings": object{"enableSoundFeedback": false},
	}, path, value)
}

func (p *passage) keepsGroups(t *testing.T) {
	root, zone := p.happens(t, catalog.Root), p.zone(t, "North")
	const event, settings = "scanConfig.events.0.", "deviceSettings."
	for _, row := range []struct {
		path   string
		values []any
	}{
		{"scanConfig.mode", []any{"lock", "default"}},
		{"scanConfig.scanZoneId", []any{zone}},
		{"scanConfig.events", []any{[]any{}}},
		{"scanConfig.scanTypes", []any{
			object{"checkin": true, "checkout": false}, object{"checkin": true, "checkout": true}, object{"checkin": false, "checkout": true},
		}},
		{"scanConfig.enableMultiCheckin", []any{true, false}},
		{"scanConfig.checkTimeslots", []any{true, false}},
		{"scanConfig.tapAndGo", []any{
			object{"enabled": false}, object{"enabled": true, "eventIds": []any{}}, object{"enabled": true, "eventIds": []any{root, p.event}},
		}},
		{event + "allowAllTicketTypes", []any{true, false}},
		{event + "allowedTicketTypeIds", []any{[]any{}, []any{p.Seller.TicketTypeID}}},
		{event + "timeslotSettings", []any{
			object{}, object{"beforeMinutes": 0}, object{"afterMinutes": 525_600}, object{"beforeMinutes": 0.5, "afterMinutes": 10},
		}},
		{event + "eventTimeSettings", []any{object{"active": false}, object{"active": true, "beforeHours": 0.25, "afterHours": 8760}}},
		{settings + "colorSettings.success", []any{"green"}},
		{settings + "colorSettings.declined", []any{"red"}},
		{settings + "colorSettings.repeated", []any{"green", "orange", "red", "blue", "pink"}},
		{settings + "colorSettings.highlighted", []any{"green", "orange", "red", "blue", "pink"}},
		{settings + "colorSettings.actionRequired", []any{"green", "orange", "red", "blue", "pink"}},
		{settings + "enableSoundFeedback", []any{true, false}},
		{settings + "enableHapticFeedback", []any{true, false}},
		{settings + "scanRevealInterval", []any{1, 3, 5, 10, 15, 30}},
		{settings + "ticketSyncInterval", []any{5, 15, 30, 60, 300, 600, 900}},
	} {
		for _, value := range row.values {
			input := p.groupWith(row.path, value)
			created := p.Does(t, p.key, domain.CreateScanGroup, object{"input": input})
			for _, member := range []string{"scanConfig", "deviceSettings"} {
				if got, want := systemtest.Printed(t, created[member]), systemtest.Printed(t, input[member]); got != want {
					t.Errorf("%s: got %s, want %s", row.path, got, want)
				}
			}
		}
	}
}

func (p *passage) refusesGroups(t *testing.T) {
	const event, settings = "scanConfig.events.0.", "deviceSettings."
	theirs, before := p.Demo.Sellers[1], p.Count(t, "SELECT count(*) FROM scan_groups")
	for _, row := range []struct {
		path   string
		values []any
		wrong  string // the expected path, if it differs
	}{
		{"name", []any{"", " ", strings.Repeat("x", 201)}, ""},
		{"scanConfig.scanTypes", []any{object{"checkin": false, "checkout": false}}, ""},
		{"scanConfig.scanZoneId", []any{"none", theirs.EventID, strings.Repeat("x", 65)}, ""},
		{event + "eventId", []any{"none", theirs.EventID, p.happens(t, catalog.Root), p.happens(t, catalog.Group), ""}, ""},
		{"scanConfig.events", []any{[]any{object{"eventId": p.event}, object{"eventId": p.event}}}, "scanConfig.events[1].eventId"},
		{event + "allowedTicketTypeIds", []any{[]any{"none"}, []any{theirs.TicketTypeID}}, "scanConfig.events[0].allowedTicketTypeIds[0]"},
		{event + "timeslotSettings.beforeMinutes", []any{-5, 1e9, 525_600.5, -0.001}, ""},
		{event + "timeslotSettings.afterMinutes", []any{-5, 525_601}, ""},
		{event + "eventTimeSettings", []any{object{"active": true, "beforeHours": -1}}, "scanConfig.events[0].eventTimeSettings.beforeHours"},
		{event + "eventTimeSettings", []any{object{"active": false, "afterHours": 8760.5}}, "scanConfig.events[0].eventTimeSettings.afterHours"},
		{"scanConfig.tapAndGo", []any{
			object{"enabled": true, "eventIds": []any{"none"}}, object{"enabled": true, "eventIds": []any{p.happens(t, catalog.Group)}},
		}, "scanConfig.tapAndGo.eventIds[0]"},
		{settings + "colorSettings.success", []any{"red", "pink"}, ""},
		{settings + "colorSettings.declined", []any{"green", "orange"}, ""},
		{settings + "scanRevealInterval", []any{0, 2, 4, 31, -1}, ""},
		{settings + "ticketSyncInterval", []any{0, 10, 61, 901}, ""},
	} {
		wrong := strings.Replace(cmp.Or(row.wrong, row.path), "events.0", "events[0]", 1)
		for _, value := range row.values {
			input := p.groupWith(row.path, value)
			p.Refuses(t, p.key, domain.CreateScanGroup, object{"input": input}, domain.CodeValidationFailed, wrong)
		}
	}
	if n := p.Count(t, "SELECT count(*) FROM scan_groups"); n != before {
		t.Errorf("%d groups were created", n-before)
	}
}

func (p *passage) changesGroups(t *testing.T) {
	made := p.Does(t, p.key, domain.CreateScanGroup, object{"input": p.groupWith("scanConfig.checkTimeslots", true)})
	changing := func(input object) object { return object{"id": made["_id"], "input": input} }
	same := p.Does(t, p.key, domain.UpdateScanGroup, changing(object{"name": "Gate"}))
	if systemtest.Printed(t, same) != systemtest.Printed(t, made) {
		t.Errorf("an empty update changed %v to %v", same, made)
	}
	name := systemtest.Serial("New gate ")
	changed := p.Does(t, p.key, domain.UpdateScanGroup, changing(object{
		"name": name, "scanConfig": object{"mode": "lock"}, "deviceSettings": nil,
	}))
	has(t, changed, object{
		"name": name, "scanConfig": object{"mode": "lock"}, "deviceSettings": nil, "sellerId": string(p.Seller.SellerID),
		"createdAt": made["createdAt"],
	})
	if read := p.Does(t, p.key, domain.GetScanGroup, object{"id": made["_id"]}); systemtest.Printed(t, read) != systemtest.Printed(t, changed) {
		t.Errorf("read %v, changed %v", read, changed)
	}
	listed := p.Does(t, p.key, domain.ListScanGroups, object{"filter": object{"name": strings.ToUpper(name[2:])}})
	if got, want := systemtest.Printed(t, listed["docs"]), systemtest.Printed(t, []any{changed}); got != want {
		t.Errorf("listed %s, want %s", got, want)
	}
	p.Refuses(t, p.key, domain.UpdateScanGroup, changing(object{"name": ""}), domain.CodeValidationFailed, "name")
	p.clearsTheConfig(t)
	if gone := p.Does(t, p.key, domain.DeleteScanGroup, object{"id": made["_id"]}); systemtest.Printed(t, gone) != systemtest.Printed(t, changed) {
		t.Errorf("deleted %v, want %v", gone, changed)
	}
	p.Refuses(t, p.key, domain.GetScanGroup, object{"id": made["_id"]}, domain.CodeNotFound)
}

// clearsTheConfig sets a group's configuration to null. No event is assigned from then on.
func (p *passage) clearsTheConfig(t *testing.T) {
	device, id := p.opens(t, nil, nil)
	code := p.sells(t, systemtest.Serial("code "), nil)
	p.scans(t, device, code, "IN", "GRANTED")
	settings, _ := p.Does(t, p.key, domain.GetDevice, object{"id": id})["deviceSettings"].(object)
	cleared := p.Does(t, p.key, domain.UpdateScanGroup, object{
		"id": settings["scanGroupId"], "input": object{"name": "Gate", "scanConfig": nil},
	})
	has(t, cleared, object{"scanConfig": nil})
	p.scans(t, device, code, "OUT", "EVENT_NOT_ASSIGNED")
}

// TestScanGroupsOfWrongTypes tests wrong JSON types, which GraphQL's own rules refuse as well.
func TestScanGroupsOfWrongTypes(t *testing.T) {
	t.Parallel()
	g := apitest.OpenGate(t)
	key := g.REST.In(t).As(g.Seller.APIKey)
	config := func(members string) string { return `{"name":"G","scanConfig":{"mode":"default",` + members + `}}` }
	settings := func(members string) string {
		return `{"name":"G","scanConfig":{"mode":"default"},"deviceSettings":{` + members + `}}`
	}
	const event = "scanConfig.events[0]."
	// GraphQL accepts a number for an ID, and a single value for a list. The coerced value is refused.
	coerced := map[string]string{
		"scanConfig.events": "variables.input.scanConfig.events[0]",
		event + "eventId":   event + "eventId",
		event + "allowedTicketTypeIds " + event + "eventId": event + "eventId " + event + "allowedTicketTypeIds[0]",
	}
	for _, row := range []struct{ body, wrong string }{
		{`{"name":"G"}`, "scanConfig"},
		{`{"scanConfig":{"mode":"default"}}`, "name"},
		{`{"name":"G","scanConfig":{}}`, "scanConfig.mode"},
		{`{"name":"G","scanConfig":{"mode":"LOCK"}}`, "scanConfig.mode"},
		{config(`"events":"e"`), "scanConfig.events"},
		{config(`"events":["e"]`), "scanConfig.events[0]"},
		{config(`"events":[{"eventId":7}]`), event + "eventId"},
		{config(`"events":[{"eventId":"e","allowAllTicketTypes":"yes"}]`), event + "allowAllTicketTypes " + event + "eventId"},
		{config(`"events":[{"eventId":"e","allowedTicketTypeIds":"tt"}]`), event + "allowedTicketTypeIds " + event + "eventId"},
		{config(`"events":[{"eventId":"e","timeslotSettings":{"beforeMinutes":"10"}}]`), event + "timeslotSettings.beforeMinutes " + event + "eventId"},
		{config(`"events":[{"eventId":"e","eventTimeSettings":{"beforeHours":1}}]`), event + "eventTimeSettings.active " + event + "eventId"},
		{config(`"scanTypes":{"checkin":true}`), "scanConfig.scanTypes.checkout"},
		{config(`"scanTypes":{"checkin":"true","checkout":false}`), "scanConfig.scanTypes.checkin"},
		{config(`"enableMultiCheckin":1`), "scanConfig.enableMultiCheckin"},
		{config(`"checkTimeslots":"no"`), "scanConfig.checkTimeslots"},
		{config(`"tapAndGo":{"eventIds":[]}`), "scanConfig.tapAndGo.enabled"},
		{settings(`"colorSettings":{"repeated":"black"}`), "deviceSettings.colorSettings.repeated"},
		{settings(`"colorSettings":{"repeted":"pink"}`), "deviceSettings.colorSettings.repeted"},
		{settings(`"enableSoundFeedback":0`), "deviceSettings.enableSoundFeedback"},
		{settings(`"enableHapticFeedback":"on"`), "deviceSettings.enableHapticFeedback"},
		{settings(`"scanRevealInterval":"5"`), "deviceSettings.scanRevealInterval"},
		{settings(`"ticketSyncInterval":5.5`), "deviceSettings.ticketSyncInterval"},
	} {
		refused := key.Post("/api/scan-groups", json.RawMessage(row.body)).Refused(http.StatusBadRequest, "VALIDATION_FAILED")
		if apitest.PathsOf(refused) != row.wrong {
			t.Errorf("%s: got %+v, want %s", row.body, refused.Details, row.wrong)
		}
		o := g.Execute(t, apitest.Bearer(g.Seller.APIKey), `mutation($input: CreateScanGroupInput!) { createScanGroup(input: $input) { _id } }`,
			map[string]json.RawMessage{"input": json.RawMessage(row.body)})
		first, _, _ := strings.Cut(row.wrong, " ")
		code, want := "INVALID_REQUEST", "variables.input."+first
		if came, is := coerced[row.wrong]; is {
			want = came
		}
		if !strings.HasPrefix(want, "variables") {
			code = "VALIDATION_FAILED"
		}
		if o.Refusal.Code != code || o.Result != nil || apitest.PathsOf(o.Refusal) != want {
			t.Errorf("%s: GraphQL returned %v, want %s at %s", row.body, o, code, want)
		}
	}
	key.Post("/api/scan-groups", json.RawMessage(config(`"events":[{"eventId":"e","timeslotSettings":{"beforeMinutes":NaN}}]`))).
		Refused(http.StatusBadRequest, "INVALID_REQUEST")
}
