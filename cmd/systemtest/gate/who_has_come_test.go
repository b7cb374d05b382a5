package gate

import (
	"fmt"
	"strings"
	"testing"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/domain"
	"ticketgate/domain/catalog"
)

// Attendance is counted from scans that count: a ticket that left has attended, an annulled check-in does not count, and only
// VALID tickets are sold.
func TestAttendance(t *testing.T) {
	t.Parallel()
	g := apitest.OpenGate(t)
	p := &passage{Gate: g, API: g.APIs()["GraphQL"], key: apitest.Bearer(g.Seller.APIKey)}
	p.event = p.happens(t, catalog.Single)
	kind, err := g.Do.TicketTypes.Create(g.ActingOn(t, g.Seller), catalog.NewTicketType{EventID: p.event, Name: "Day", Price: "1"})
	systemtest.Must(t, err)
	of := object{"ticketTypeId": kind.ID}
	api, _ := p.opens(t, nil, nil)
	lounge, _ := p.opens(t, object{"scanZoneId": p.zone(t, "Lounge")}, nil)
	absent, inside, left, annulled, invalid := p.sells(t, systemtest.Serial("absent"), of), p.sells(t, systemtest.Serial("inside"), of), p.sells(t, systemtest.Serial("left"), of),
		p.sells(t, systemtest.Serial("annulled"), of), p.sells(t, systemtest.Serial("invalid"), of)
	for _, item := range []string{inside, left, invalid} {
		p.scans(t, api, item, "IN", "GRANTED")
	}
	first := p.Does(t, p.key, domain.ListScans, object{"filter": object{"ticketId": inside}})["docs"].([]any)[0].(object)["time"]
	p.scans(t, lounge, inside, "IN", "GRANTED")
	p.scans(t, api, left, "OUT", "GRANTED")
	p.Does(t, api, domain.AnnulScan, object{"id": p.scans(t, api, annulled, "IN", "GRANTED")["scanId"]})
	p.sells(t, invalid, object{"ticketTypeId": kind.ID, "status": "INVALID"})

	for query, want := range map[string]string{
		`{ ticketType(id: "<type>") { sold checkedIn inside } }`: `{"ticketType":{"sold":4,"checkedIn":2,"inside":1}}`,
		`{ event(id: "<event>") { tickets(filter: {checkedIn: false, status: VALID}) { totalCount nodes { _id } } } }`://
		`{"event":{"tickets":{"totalCount":2,"nodes":[{"_id":"<absent>"},{"_id":"<annulled>"}]}}}`,
		`{ event(id: "<event>") { tickets(filter: {checkedIn: true}, order: NEWEST_FIRST) { nodes { _id } } } }`://
		`{"event":{"tickets":{"nodes":[{"_id":"<invalid>"},{"_id":"<left>"},{"_id":"<inside>"}]}}}`,
		`{ tickets(filter: {ticketTypeId: "<type>", checkedIn: true, status: VALID}) { totalCount } }`: `{"tickets":{"totalCount":2}}`,
		`{ event(id: "<event>") { tickets(filter: {inside: true}) { totalCount nodes { _id } } } }`://
		`{"event":{"tickets":{"totalCount":2,"nodes":[{"_id":"<inside>"},{"_id":"<invalid>"}]}}}`,
		`{ tickets(filter: {ticketTypeId: "<type>", inside: true, status: VALID}) { nodes { _id } } }`: `{"tickets":{"nodes":[{"_id":"<inside>"}]}}`,
		`{ event(id: "<event>") { tickets(filter: {inside: false}) { totalCount nodes { _id } } } }`://
		`{"event":{"tickets":{"totalCount":3,"nodes":[{"_id":"<absent>"},{"_id":"<left>"},{"_id":"<annulled>"}]}}}`,
		`{ tickets(filter: {ticketTypeId: "<type>", checkedIn: true, inside: false}) { nodes { _id } } }`: `{"tickets":{"nodes":[{"_id":"<left>"}]}}`,
		`{ ticket(id: "<inside>") { presence { inside since firstCheckinAt } scans { totalCount } } }`://
		`{"ticket":{"presence":{"inside":true,"since":"<first>","firstCheckinAt":"<first>"},"scans":{"totalCount":2}}}`,
		`{ ticket(id: "<left>") { presence { inside since } } }`:                            `{"ticket":{"presence":{"inside":false,"since":null}}}`,
		`{ ticket(id: "<annulled>") { presence { inside firstCheckinAt } entry { _id } } }`: `{"ticket":{"presence":{"inside":false,"firstCheckinAt":null},"entry":null}}`,
		`{ ticket(id: "<absent>") { presence { inside } scans { nodes { _id } totalCount } customer { _id } } }`://
		`{"ticket":{"presence":{"inside":false},"scans":{"nodes":[],"totalCount":0},"customer":null}}`,
	} {
		names := strings.NewReplacer("<type>", kind.ID, "<event>", p.event, "<absent>", absent, "<inside>", inside, "<left>", left,
			"<annulled>", annulled, "<invalid>", invalid, "<first>", fmt.Sprint(first))
		g.Finds(t, p.key, names.Replace(query), names.Replace(want))
	}
	onlyTickets := p.only(t, "tickets:list", "events:list")
	for _, query := range []string{
		`{ tickets(filter: {checkedIn: true}) { totalCount } }`, `{ tickets(filter: {inside: false}) { totalCount } }`,
		`{ event(id: "` + p.event + `") { tickets(filter: {checkedIn: true}) { totalCount } } }`,
	} {
		if o := g.Execute(t, onlyTickets, query, nil); o.Refusal.Message != `Missing permission "scans:list"` {
			t.Errorf("%s with tickets:list alone: %v", query, o)
		}
	}
}
