package gate

import (
	"net/http"
	"strings"
	"testing"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/domain"
)

// TestGateRulesInBothAPIs tests the gate rules of docs/internals/rules.md through both APIs.
func TestGateRulesInBothAPIs(t *testing.T) {
	t.Parallel()
	tryThroughBothDoors(t, map[string]func(*passage, *testing.T){
		"a ticket that is inside can leave":                (*passage).leavesWhateverTheTicketIs,
		"an expired ticket is not admitted":                (*passage).expires,
		"an id with different content is a different scan": (*passage).readsContents,
		"a late check-in explains a check-out":             (*passage).explainsExits,
		"a foreign event counts towards nothing":           (*passage).countsForeignEventsNowhere,
		"a call that contradicts itself is refused":        (*passage).refusesContradictions,
	})
}

// leavesWhateverTheTicketIs tests GATE-1: the exit is granted, occupancy drops, and the next exit is declined.
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
		{"moved", object{"eventId": p.Seller.EventID}, "WRONG_EVENT"},
	} {
		code := p.sells(t, systemtest.Serial("code "), nil)
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

// expires tests GATE-2.
func (p *passage) expires(t *testing.T) {
	device, _ := p.opens(t, nil, nil)
	p.scans(t, device, p.sells(t, systemtest.Serial("code "), object{"expiresAt": "2026-01-01T00:00:00Z"}), "IN", "TICKET_EXPIRED")
	p.scans(t, device, p.sells(t, systemtest.Serial("code "), object{"expiresAt": "2099-01-01T00:00:00Z"}), "IN", "GRANTED")
	both := object{"expiresAt": "2026-01-01T00:00:00Z", "status": "INVALID"}
	p.scans(t, device, p.sells(t, systemtest.Serial("code "), both), "IN", "TICKET_INVALID")
}

// readsContents tests GATE-4.
func (p *passage) readsContents(t *testing.T) {
	device, _ := p.opens(t, nil, nil)
	item, two := p.sells(t, systemtest.Serial("code "), nil), p.sells(t, systemtest.Serial("code "), nil)
	scan := func(code string) object {
		return object{"id": "1", "barcode": code, "scanned_at": "2026-01-01T10:00:00Z", "type": "OK"}
	}
	has(t, p.uploads(t, device, scan(item))[0].(object), object{"duplicate": false})
	receipts := p.uploads(t, device, scan(two), scan(item))
	has(t, receipts[0].(object), object{"id": "1", "duplicate": false, "conflict": false})
	has(t, receipts[1].(object), object{"id": "1", "duplicate": true})
	p.scans(t, device, two, "IN", "ALREADY_CHECKED_IN")
}

// explainsExits tests GATE-3.
func (p *passage) explainsExits(t *testing.T) {
	device, id := p.opens(t, nil, nil)
	code := p.sells(t, systemtest.Serial("code "), nil)
	exit := object{"id": "exit", "barcode": code, "scanned_at": "2026-01-01T10:09:00Z", "type": "OK", "direction": "OUT"}
	entry := object{"id": "entry", "barcode": code, "scanned_at": "2026-01-01T10:00:00Z", "type": "OK"}
	has(t, p.uploads(t, device, exit)[0].(object), object{"conflict": true})
	has(t, p.uploads(t, device, entry)[0].(object), object{"conflict": false})
	for _, row := range p.log(t, object{"deviceId": id}) {
		has(t, row, object{"conflict": false, "reason": nil})
	}
	has(t, p.uploads(t, device, exit)[0].(object), object{"duplicate": true, "conflict": false})
}

// countsForeignEventsNowhere tests GATE-6.
func (p *passage) countsForeignEventsNowhere(t *testing.T) {
	rightful, _ := p.opens(t, nil, nil)
	stranger, id := p.opens(t, nil, nil)
	p.Does(t, p.key, domain.UpdateDevice, object{"id": id, "input": object{"accessAllEvents": false}})
	code := p.sells(t, systemtest.Serial("code "), nil)
	receipt := p.uploads(t, stranger, object{"id": "a", "barcode": code, "scanned_at": "2026-01-01T10:00:00Z", "type": "OK"})[0]
	has(t, receipt.(object), object{"duplicate": false, "conflict": true})
	has(t, p.log(t, object{"deviceId": id})[0], object{"conflict": true, "reason": "EVENT_NOT_ASSIGNED", "offline": true})
	has(t, p.inside(t), object{"all": "0"})
	p.scans(t, rightful, code, "IN", "GRANTED")
}

// refusesContradictions tests GATE-10.
func (p *passage) refusesContradictions(t *testing.T) {
	device, id := p.opens(t, nil, nil)
	_, another := p.opens(t, nil, nil)
	group, _ := p.Does(t, p.key, domain.GetDevice, object{"id": another})["deviceSettings"].(object)["scanGroupId"].(string)
	code := p.sells(t, systemtest.Serial("code "), nil)
	for _, row := range []struct {
		who   apitest.Caller
		names object
		path  string
		said  []string
	}{
		{device, object{"scanGroupId": group}, "scanGroupId", []string{"access user " + id, "whose scan group is "}},
		{device, object{"deviceId": another}, "deviceId", []string{"header token", id}},
		{p.key, object{"deviceId": id, "scanGroupId": group}, "scanGroupId", []string{"access user " + id}},
	} {
		input := apitest.With(row.names, "barcode", code)
		refused := p.Refuses(t, row.who, domain.ScanTicket, object{"input": input}, domain.CodeValidationFailed, row.path)
		for _, part := range row.said {
			if !strings.Contains(refused.Refusal.Message, part) {
				t.Errorf("%q is not in %q", part, refused.Refusal.Message)
			}
		}
	}
	p.Does(t, p.key, domain.UpdateDevice, object{"id": id, "input": object{"active": false}})
	p.Refuses(t, p.key, domain.ScanTicket, object{"input": object{"barcode": code, "deviceId": id}}, domain.CodeValidationFailed, "deviceId")
}

// The endpoints that devices read over REST: paths, parameters and response forms.
func TestDeviceEndpoints(t *testing.T) {
	t.Parallel()
	g := apitest.OpenGate(t)
	g.Knows(t, "A")
	eventOf(t, g, "tickets")
	key, device := g.REST.In(t).As(g.Seller.APIKey), g.REST.In(t).With("token", g.Device.Token)
	of := device.Get("/api/accessusers/seller").Want(http.StatusOK)
	if want := `{"sellerId":"` + string(g.Seller.SellerID) + `","_id":"` + string(g.Seller.SellerID) + `","name":`; !strings.HasPrefix(string(of.Body), want) {
		t.Errorf("the seller is %s", of.Body)
	}
	key.Get("/api/accessusers/seller").Want(http.StatusUnauthorized)
	for _, path := range []string{"/api/accessusers/tickets/v2/tickets", "/api/accessusers/tickets/tickets", "/api/accessusers/tickets/A%2FB"} {
		want := http.StatusNotFound // the event named "tickets" has its list only under v2
		if strings.Contains(path, "v2") {
			want = http.StatusOK
		}
		device.Get(path).Want(want)
	}
	var list struct {
		Docs  []object
		Total int
	}
	device.Get("/api/accessusers/nowhere/tickets").Want(http.StatusNotFound)
	device.Get("/api/accessusers/" + g.Seller.EventID + "/tickets?top=1&includeRootEvents=true").Want(http.StatusOK).Into(&list)
	if list.Docs == nil {
		t.Error("the list has no docs")
	}
	for _, path := range []string{"/api/accessusers/events", "/api/accessusers/tickets/v2/tickets"} {
		device.Get(path + "?includeRootEvents=false").Want(http.StatusOK)
		refused := device.Get(path+"?includeRootEvents=perhaps").Refused(http.StatusBadRequest, "VALIDATION_FAILED")
		if got := apitest.PathsOf(refused); got != "includeRootEvents" {
			t.Errorf("%s: wrong is %s", path, got)
		}
	}
	answer := key.Post("/api/accessusers", object{"name": "g", "isIntegration": true}).Want(http.StatusCreated)
	if !strings.Contains(string(answer.Body), `"isIntegration":true`) ||
		!strings.Contains(string(answer.Body), `"accessControlSettings":{"includeDetailsRequiredTickets":false}`) {
		t.Errorf("created %s", answer.Body)
	}
	key.Post("/api/accessusers", object{"name": "g", "isIntegration": "no"}).Refused(http.StatusBadRequest, "VALIDATION_FAILED")
}
