package main

import (
	"testing"
)

// TestGateRulesThroughBothDoors tries the rules of docs/internals/rules.md, Gate, from outside.
func TestGateRulesThroughBothDoors(t *testing.T) {
	t.Parallel()
	tryThroughBothDoors(t, map[string]func(*passage, *testing.T){
		"a person who is inside may leave":   (*passage).leavesWhateverTheTicketIs,
		"an expired ticket does not come in": (*passage).expires,
	})
}

// leavesWhateverTheTicketIs is GATE-1: the exit is granted, occupancy empties, and the next exit is declined.
func (p *passage) leavesWhateverTheTicketIs(t *testing.T) {
	device, _ := p.opens(t, nil, nil)
	for _, row := range []struct {
		name string
		then object
		want string // of the next exit
	}{
		{"canceled", object{"status": "INVALID"}, "TICKET_INVALID"},
		{"details required", object{"status": "DETAILSREQUIRED"}, "DETAILS_REQUIRED"},
		{"reserved", object{"status": "RESERVED"}, "TICKET_INVALID"},
		{"expired", object{"expiresAt": "2026-01-01T00:00:00Z"}, "TICKET_EXPIRED"},
		{"blocked", object{"excludedEventIds": []any{p.event}}, "BLOCKED_FOR_EVENT"},
		{"moved", object{"eventId": p.seller.EventID}, "WRONG_EVENT"},
	} {
		code := p.sells(t, serial("code "), nil)
		p.scans(t, device, code, "IN", "GRANTED")
		p.sells(t, code, row.then)
		has(t, p.inside(t), object{"all": "1"})
		t.Run(row.name, func(t *testing.T) {
			p.scans(t, device, code, "OUT", "GRANTED")
			has(t, p.inside(t), object{"all": "0"})
			p.scans(t, device, code, "OUT", row.want)
		})
	}
}

// expires is GATE-2.
func (p *passage) expires(t *testing.T) {
	device, _ := p.opens(t, nil, nil)
	p.scans(t, device, p.sells(t, serial("code "), object{"expiresAt": "2026-01-01T00:00:00Z"}), "IN", "TICKET_EXPIRED")
	p.scans(t, device, p.sells(t, serial("code "), object{"expiresAt": "2099-01-01T00:00:00Z"}), "IN", "GRANTED")
	both := object{"expiresAt": "2026-01-01T00:00:00Z", "status": "INVALID"}
	p.scans(t, device, p.sells(t, serial("code "), both), "IN", "TICKET_INVALID")
}
