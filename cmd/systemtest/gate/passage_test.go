package gate

import (
	"encoding/json"
	"maps"
	"testing"
	"time"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/domain"
	"ticketgate/domain/apikey"
	"ticketgate/domain/catalog"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/moment"
	"ticketgate/domain/optional"
	"ticketgate/domain/ticket"
)

// passage tests one behavior through one API. It has its own event, so that other tests' scans don't count there.
type passage struct {
	*apitest.Gate
	apitest.API

	key   apitest.Caller
	event string
}

// tryThroughBothDoors tests each behavior through both APIs of one server.
func tryThroughBothDoors(t *testing.T, rows map[string]func(*passage, *testing.T)) {
	t.Helper()
	g := apitest.OpenGate(t)
	for through, api := range g.APIs() {
		for name, try := range rows {
			t.Run(name+", through "+through, func(t *testing.T) {
				p := &passage{Gate: g, API: api, key: apitest.Bearer(g.Seller.APIKey)}
				p.event = p.happens(t, catalog.Single)
				try(p, t)
			})
		}
	}
}

func (p *passage) happens(t *testing.T, kind catalog.EventType) string {
	t.Helper()
	event, err := p.Do.CatalogEvents.Create(p.ActingOn(t, p.Seller), catalog.NewEvent{
		Name: "Match", Type: kind, Start: moment.New(time.Now()),
	})
	systemtest.Must(t, err)
	return event.ID
}

// zone creates a scan zone.
func (p *passage) zone(t *testing.T, name string) string {
	t.Helper()
	scanZone, err := p.Do.ScanZones.Create(p.ActingOn(t, p.Seller), catalog.NewScanZone{Name: name})
	systemtest.Must(t, err)
	return scanZone.ID
}

// only creates a key with only these permissions.
func (p *passage) only(t *testing.T, permissions ...domain.Permission) apitest.Caller {
	t.Helper()
	key, err := p.Do.Keys.Create(p.ActingOn(t, p.Seller), apikey.NewKey{Name: "Only", Permissions: optional.Some(permissions)})
	systemtest.Must(t, err)
	return apitest.Bearer(key.Secret)
}

// opens creates a device in a new scan group, which scans all tickets of the event in both directions unless config changes
// that.
func (p *passage) opens(t *testing.T, config, settings object) (device apitest.Caller, id string) {
	t.Helper()
	whole := object{
		"mode": "default", "scanTypes": object{"checkin": true, "checkout": true},
		"events": []any{object{"eventId": p.event, "allowAllTicketTypes": true}},
	}
	maps.Copy(whole, config)
	group := p.Does(t, p.key, domain.CreateScanGroup, object{"input": object{"name": "Gate", "scanConfig": whole}})
	in := object{"scanGroupId": group["_id"]}
	maps.Copy(in, settings)
	created := p.Does(t, p.key, domain.CreateDevice, object{"input": object{"name": "Door", "accessAllEvents": true, "deviceSettings": in}})
	return apitest.Caller{"Token": created["token"].(string)}, created["_id"].(string)
}

// sells imports a ticket of the event whose code is also its id. The second time, it changes the ticket.
func (p *passage) sells(t *testing.T, code string, members object) string {
	t.Helper()
	whole := object{
		"_id": code, "sellerId": p.Seller.SellerID, "eventId": p.event, "ticketTypeId": "tt", "ticketName": "Day", "status": "VALID",
		"secret": "s", "barcode": code,
	}
	maps.Copy(whole, members)
	text, err := json.Marshal(whole)
	systemtest.Must(t, err)
	document, err := ecmajson.Parse(text, ecmajson.Limits{})
	systemtest.Must(t, err)
	_, err = p.Do.Tickets.Import(p.ActingOn(t, p.Seller), ticket.Import{Tickets: []ecmajson.Value{document}})
	systemtest.Must(t, err)
	return code
}

// scans scans a code at a device. The result must be the wanted reason, or GRANTED.
func (p *passage) scans(t *testing.T, device apitest.Caller, code, direction, want string) object {
	t.Helper()
	answer := p.Does(t, device, domain.ScanTicket, object{"input": object{
		"barcode": code, "eventId": p.event, "direction": direction,
	}})
	got, declined := answer["reason"].(string)
	if !declined {
		got, _ = answer["access"].(string)
	}
	if got != want || declined != (answer["access"] == "DENIED") {
		t.Errorf("%s of %s: got %v, want %s", direction, code, answer, want)
	}
	return answer
}

// log returns the scans of a device that the seller sees, in the order in which they were stored.
func (p *passage) log(t *testing.T, filter object) []object {
	t.Helper()
	o := p.ThroughGraphQL(t, p.key, apitest.To(domain.ListScans, object{"filter": filter}))
	list, _ := o.Result.(object)["docs"].([]any)
	rows := make([]object, len(list))
	for i, row := range list {
		rows[i] = row.(object)
	}
	return rows
}

// has fails the test unless an object has these fields.
func has(t *testing.T, got, want object) {
	t.Helper()
	for name, value := range want {
		domaintest.Equal(t, name, got[name], value)
	}
}

// inside returns the number of tickets inside the event, and inside each zone by its name.
func (p *passage) inside(t *testing.T) object {
	t.Helper()
	o := p.ThroughGraphQL(t, p.key, apitest.To(domain.GetOccupancy, object{"eventId": p.event}))
	found := o.Result.(object)
	counts := object{"all": found["inside"].(json.Number).String()}
	for _, zone := range found["zones"].([]any) {
		name, _ := zone.(object)["name"].(string)
		counts[name] = zone.(object)["inside"].(json.Number).String()
	}
	return counts
}
