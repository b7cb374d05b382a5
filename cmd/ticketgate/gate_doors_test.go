package main

import (
	"encoding/json"
	"maps"
	"reflect"
	"strings"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/apikey"
	"ticketgate/domain/catalog"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/ticket"
)

// door makes a call in one of the two ways, and answers in the shape that both share.
type door func(t *testing.T, who caller, operation domain.Operation, args object) outcome

// doors are both of them.
func (h *house) doors() map[string]door {
	return map[string]door{
		"REST": func(t *testing.T, who caller, operation domain.Operation, args object) outcome {
			t.Helper()
			return h.throughREST(t, who, routesOf(operation)[0], call{operation, args})
		},
		"GraphQL": func(t *testing.T, who caller, operation domain.Operation, args object) outcome {
			t.Helper()
			return h.throughGraphQL(t, who, call{operation, args})
		},
	}
}

// does makes a call that must succeed.
func (d door) does(t *testing.T, who caller, operation domain.Operation, args object) object {
	t.Helper()
	o := d(t, who, operation, args)
	result, ok := o.result.(object)
	if !ok || o.refusal.Code != "" {
		t.Fatalf("%s %v: %v", operation, args, o)
	}
	return result
}

// refuses makes a call that must be refused at these paths.
func (d door) refuses(t *testing.T, who caller, operation domain.Operation, args object, code domain.Code, paths ...string) outcome {
	t.Helper()
	o := d(t, who, operation, args)
	named := make([]string, 0, len(o.refusal.Details))
	for _, detail := range o.refusal.Details {
		named = append(named, detail.Path)
	}
	if o.refusal.Code != string(code) || strings.Join(named, " ") != strings.Join(paths, " ") || o.result != nil {
		t.Errorf("%s %v: got %v, want %s at %v", operation, args, o, code, paths)
	}
	return o
}

// passage is one behaviour through one door. It has an event of its own, so that nobody else's scans count there.
type passage struct {
	*gate
	door

	key   caller
	event string
}

// tryThroughBothDoors tries each behaviour through both doors of one house.
func tryThroughBothDoors(t *testing.T, rows map[string]func(*passage, *testing.T)) {
	t.Helper()
	g := openGate(t)
	for through, door := range g.doors() {
		for name, try := range rows {
			t.Run(name+", through "+through, func(t *testing.T) {
				p := &passage{gate: g, door: door, key: bearer(g.seller.APIKey)}
				p.event = p.happens(t, catalog.Single)
				try(p, t)
			})
		}
	}
}

func (p *passage) happens(t *testing.T, kind catalog.EventType) string {
	t.Helper()
	made, err := p.do.CatalogEvents.Create(p.actingOn(t, p.seller), catalog.NewEvent{
		Name: "Match", Type: kind, Start: domain.NewDateTime(time.Now()),
	})
	must(t, err)
	return made.ID
}

// zone is a new scan zone.
func (p *passage) zone(t *testing.T, name string) string {
	t.Helper()
	made, err := p.do.ScanZones.Create(p.actingOn(t, p.seller), catalog.NewScanZone{Name: name})
	must(t, err)
	return made.ID
}

// only is a key with these permissions and no others.
func (p *passage) only(t *testing.T, permissions ...domain.Permission) caller {
	t.Helper()
	made, err := p.do.Keys.Create(p.actingOn(t, p.seller), apikey.NewKey{Name: "Only", Permissions: domain.Some(permissions)})
	must(t, err)
	return bearer(made.Secret)
}

// opens is a new device in a new scan group, which scans all tickets of the event both ways but for what config changes.
func (p *passage) opens(t *testing.T, config, settings object) (device caller, id string) {
	t.Helper()
	whole := object{
		"mode": "default", "scanTypes": object{"checkin": true, "checkout": true},
		"events": []any{object{"eventId": p.event, "allowAllTicketTypes": true}},
	}
	maps.Copy(whole, config)
	group := p.does(t, p.key, domain.CreateScanGroup, object{"input": object{"name": "Gate", "scanConfig": whole}})
	in := object{"scanGroupId": group["_id"]}
	maps.Copy(in, settings)
	made := p.does(t, p.key, domain.CreateDevice, object{"input": object{"name": "Door", "accessAllEvents": true, "deviceSettings": in}})
	return caller{"Token": made["token"].(string)}, made["_id"].(string)
}

// sells hands a ticket of the event in, whose code is its id as well; a second time it is changed.
func (p *passage) sells(t *testing.T, code string, members object) string {
	t.Helper()
	whole := object{
		"_id": code, "sellerId": p.seller.SellerID, "eventId": p.event, "ticketTypeId": "tt", "ticketName": "Day", "status": "VALID",
		"secret": "s", "barcode": code,
	}
	maps.Copy(whole, members)
	text, err := json.Marshal(whole)
	must(t, err)
	document, err := ecmajson.Parse(text, ecmajson.Limits{})
	must(t, err)
	_, err = p.do.Tickets.Import(p.actingOn(t, p.seller), ticket.Import{Tickets: []ecmajson.Value{document}})
	must(t, err)
	return code
}

// scans holds a code to a device; the answer must be the reason that is wanted, or GRANTED.
func (p *passage) scans(t *testing.T, device caller, code, direction, want string) object {
	t.Helper()
	answer := p.does(t, device, domain.ScanTicket, object{"input": object{
		"barcode": code, "eventId": p.event, "direction": direction,
	}})
	got, declined := answer["reason"].(string)
	if !declined {
		got, _ = answer["access"].(string)
	}
	if got != want || declined != (answer["access"] == "DENIED") {
		t.Errorf("%s of %s is answered %v, want %s", direction, code, answer, want)
	}
	return answer
}

// log is what the seller sees of a device's scans, in the order in which they were written.
func (p *passage) log(t *testing.T, filter object) []object {
	t.Helper()
	o := p.throughGraphQL(t, p.key, call{domain.ListScans, object{"filter": filter}})
	list, _ := o.result.(object)["docs"].([]any)
	rows := make([]object, len(list))
	for i, row := range list {
		rows[i] = row.(object)
	}
	return rows
}

// has fails the test unless an object has these members.
func has(t *testing.T, got, want object) {
	t.Helper()
	for name, value := range want {
		if !reflect.DeepEqual(got[name], value) {
			t.Errorf("%s is %v, want %v in %v", name, got[name], value, got)
		}
	}
}

// inside is how many tickets are inside the event, and of each zone by its name.
func (p *passage) inside(t *testing.T) object {
	t.Helper()
	o := p.throughGraphQL(t, p.key, call{domain.GetOccupancy, object{"eventId": p.event}})
	found := o.result.(object)
	counts := object{"all": found["inside"].(json.Number).String()}
	for _, zone := range found["zones"].([]any) {
		name, _ := zone.(object)["name"].(string)
		counts[name] = zone.(object)["inside"].(json.Number).String()
	}
	return counts
}
