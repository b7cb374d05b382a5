package gate

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/domain"
	"ticketgate/domain/moment"
)

// TestScansInBothAPIs tests scans through both APIs.
func TestScansInBothAPIs(t *testing.T) {
	t.Parallel()
	tryThroughBothDoors(t, map[string]func(*passage, *testing.T){
		"a ticket is admitted once, and validity is checked before repetition": (*passage).comesInOnce,
		"an exit without an entry has no effect":                               (*passage).straysOut,
		"zones count separately, and the event counts a ticket once":           (*passage).zonesCountApart,
		"one of fifty concurrent scans is granted":                             (*passage).oneOfFifty,
		"an unknown code is declined and logged":                               (*passage).logsUnknownCodes,
		"a device's verdict is kept, and marked if the rules differ":           (*passage).keepsVerdicts,
		"a repeated upload counts once":                                        (*passage).countsUploadsOnce,
		"a window includes both ends":                                          (*passage).includesBothEnds,
		"a permitted caller annuls a scan once":                                (*passage).annulsOnce,
		"a device that is paired again keeps its history":                      (*passage).pairsAnew,
		"a restricted device sees no contact data":                             (*passage).hidesContacts,
		"a group can be check-out only":                                        (*passage).onlyChecksOut,
		"a scan group decides which tickets are admitted":                      (*passage).letsPass,
	})
}

// comesInOnce tests repeated check-ins and their order of checks.
func (p *passage) comesInOnce(t *testing.T) {
	device, _ := p.opens(t, object{"enableMultiCheckin": false}, nil)
	code := p.sells(t, systemtest.Serial("code "), nil)
	first := p.scans(t, device, code, "IN", "GRANTED")
	again := p.scans(t, device, code, "IN", "ALREADY_CHECKED_IN")
	if again["firstCheckinAt"] == nil || again["firstCheckinAt"] != first["time"] {
		t.Errorf("first scan at %v, but the second returns %v", first["time"], again["firstCheckinAt"])
	}
	p.scans(t, device, code, "OUT", "GRANTED")
	p.scans(t, device, code, "IN", "ALREADY_CHECKED_IN")
	p.sells(t, code, object{"status": "INVALID"})
	p.scans(t, device, code, "IN", "TICKET_INVALID")
	p.scans(t, device, p.sells(t, systemtest.Serial("code "), object{"status": "DETAILSREQUIRED"}), "IN", "DETAILS_REQUIRED")
}

// straysOut tests an exit without an entry.
func (p *passage) straysOut(t *testing.T) {
	device, _ := p.opens(t, object{"enableMultiCheckin": true}, nil)
	code := p.sells(t, systemtest.Serial("code "), nil)
	for _, step := range []struct{ direction, want string }{
		{"IN", "GRANTED"},
		{"OUT", "GRANTED"},
		{"OUT", "NOT_CHECKED_IN"},
		{"IN", "GRANTED"},
		{"IN", "ALREADY_CHECKED_IN"},
	} {
		p.scans(t, device, code, step.direction, step.want)
	}
	has(t, p.inside(t), object{"all": "1"})
}

// zonesCountApart tests counts of zones and of the event.
func (p *passage) zonesCountApart(t *testing.T) {
	north, south := p.zone(t, "North"), p.zone(t, "South")
	caller, _ := p.opens(t, object{"scanZoneId": north}, nil)
	two, _ := p.opens(t, object{"scanZoneId": south}, nil)
	code := p.sells(t, systemtest.Serial("code "), nil)
	first := p.scans(t, caller, code, "IN", "GRANTED")
	if first["insideZones"] != nil {
		t.Errorf("inside %v before the check-in", first["insideZones"])
	}
	second := p.scans(t, two, code, "IN", "GRANTED")
	zones, _ := second["insideZones"].([]any)
	if len(zones) != 1 {
		t.Fatalf("inside %v", second["insideZones"])
	}
	has(t, zones[0].(object), object{"scanZoneId": north, "name": "North", "since": first["time"]})
	has(t, p.inside(t), object{"all": "1", "North": "1", "South": "1"})
}

// oneOfFifty tests concurrent scans of one ticket.
func (p *passage) oneOfFifty(t *testing.T) {
	device, _ := p.opens(t, nil, nil)
	code := p.sells(t, systemtest.Serial("code "), nil)
	var mutex sync.Mutex
	var gates sync.WaitGroup
	counts := map[string]int{}
	for range 50 {
		gates.Go(func() {
			o := p.API(t, device, domain.ScanTicket, object{"input": object{"barcode": code, "eventId": p.event}})
			answer, _ := o.Result.(object)
			mutex.Lock()
			defer mutex.Unlock()
			counts[fmt.Sprint(o.Status, answer["access"], answer["reason"])]++
		})
	}
	gates.Wait()
	if counts[fmt.Sprint(200, "GRANTED", nil)] != 1 || counts[fmt.Sprint(200, "DENIED", "ALREADY_CHECKED_IN")] != 49 {
		t.Errorf("got %v", counts)
	}
}

// logsUnknownCodes tests unknown codes at a device and in the log.
func (p *passage) logsUnknownCodes(t *testing.T) {
	device, id := p.opens(t, nil, nil)
	code := systemtest.Serial("nobody's / ")
	answer := p.scans(t, device, code, "IN", "UNKNOWN_CODE")
	rows := p.log(t, object{"deviceId": id})
	if len(rows) != 1 {
		t.Fatalf("the log has %v", rows)
	}
	has(t, rows[0], object{
		"barcode": code, "deviceId": id, "deviceName": "Door", "time": answer["time"], "scanResult": "declined", "reason": "UNKNOWN_CODE",
		"ticketId": nil, "offline": false,
	})
}

// uploads uploads scans of the event and returns the receipts.
func (p *passage) uploads(t *testing.T, device apitest.Caller, scans ...object) []any {
	t.Helper()
	list := make([]any, len(scans))
	for i, item := range scans {
		list[i] = item
	}
	answer := p.Does(t, device, domain.UploadScans, object{"eventId": p.event, "scans": list})
	receipts, _ := answer["scans"].([]any)
	if answer["status"] != "OK" || len(receipts) != len(scans) {
		t.Fatalf("got %v", answer)
	}
	return receipts
}

// keepsVerdicts tests a ticket that was canceled before an offline device admitted it.
func (p *passage) keepsVerdicts(t *testing.T) {
	device, id := p.opens(t, nil, nil)
	code := p.sells(t, systemtest.Serial("code "), object{"status": "INVALID"})
	receipts := p.uploads(t, device,
		object{"id": "a", "barcode": code, "scanned_at": "2026-01-01T10:00:00+00:00", "type": "OK"},
		object{"id": "b", "barcode": code, "scanned_at": "2026-01-01T10:00:01Z", "type": "FAIL"})
	has(t, receipts[0].(object), object{"id": "a", "duplicate": false, "conflict": true})
	has(t, receipts[1].(object), object{"id": "b", "duplicate": false, "conflict": false})
	rows := p.log(t, object{"deviceId": id, "conflict": true})
	if len(rows) != 1 {
		t.Fatalf("scans in conflict: %v", rows)
	}
	has(t, rows[0], object{
		"ticketId": code, "scanResult": "approved", "reason": "TICKET_INVALID", "offline": true, "conflict": true, "clientId": "a",
		"time": "2026-01-01T10:00:00.000Z", "type": "checkin",
	})
}

// countsUploadsOnce tests repeated uploads of scans with and without an id.
func (p *passage) countsUploadsOnce(t *testing.T) {
	device, id := p.opens(t, nil, nil)
	item, two := p.sells(t, systemtest.Serial("code "), nil), p.sells(t, systemtest.Serial("code "), nil)
	const second = "2026-01-01T10:00:00Z"
	for round := range 3 {
		for i, receipt := range p.uploads(t, device,
			object{"id": "a", "barcode": item, "scanned_at": second, "type": "OK"},
			object{"id": "b", "barcode": two, "scanned_at": second, "type": "OK"},
			object{"barcode": item, "scanned_at": second, "type": "FAIL"},
			object{"barcode": two, "scanned_at": second, "type": "FAIL"},
		) {
			if receipt.(object)["duplicate"] != (round > 0) {
				t.Errorf("round %d, scan %d: %v", round, i, receipt)
			}
		}
	}
	if rows := p.log(t, object{"deviceId": id}); len(rows) != 4 {
		t.Errorf("the log has %d rows: %v", len(rows), rows)
	}
	has(t, p.inside(t), object{"all": "2"})
}

// includesBothEnds tests both ends of a time window, with the gate's clock and with the simulator's.
func (p *passage) includesBothEnds(t *testing.T) {
	around := func(minutes float64) object {
		return object{"checkTimeslots": true, "events": []any{object{
			"eventId": p.event, "allowAllTicketTypes": true,
			"timeslotSettings": object{"beforeMinutes": minutes, "afterMinutes": minutes},
		}}}
	}
	start := moment.New(time.Now().Add(time.Hour))
	code := p.sells(t, systemtest.Serial("code "), object{"slotStartTime": start.String()})
	narrow, id := p.opens(t, around(10), nil)
	window := object{
		"from":  moment.New(start.Add(-10 * time.Minute)).String(),
		"until": moment.New(start.Add(10 * time.Minute)).String(),
	}
	has(t, p.scans(t, narrow, code, "IN", "OUTSIDE_TIMESLOT"), object{"window": window})
	for after, want := range map[time.Duration]any{
		-10*time.Minute - time.Millisecond: "OUTSIDE_TIMESLOT", -10 * time.Minute: nil,
		10 * time.Minute: nil, 10*time.Minute + time.Millisecond: "OUTSIDE_TIMESLOT",
	} {
		o := p.ThroughGraphQL(t, p.key, apitest.To(domain.SimulateScan, object{"input": object{
			"barcode": code, "deviceId": id, "eventId": p.event, "time": moment.New(start.Add(after)).String(),
		}}))
		if simulated, ok := o.Result.(object); !ok || simulated["reason"] != want {
			t.Errorf("%s after the start: %v, want %v", after, o, want)
		}
	}
	wide, _ := p.opens(t, around(90), nil)
	p.scans(t, wide, code, "IN", "GRANTED")
}

// annulsOnce tests annulling a scan.
func (p *passage) annulsOnce(t *testing.T) {
	device, id := p.opens(t, nil, nil)
	another, _ := p.opens(t, nil, nil)
	dashboard := p.Session(t, p.Seller.AdminEmail, p.Seller.AdminPassword)
	code := p.sells(t, systemtest.Serial("code "), nil)
	for _, who := range []apitest.Caller{device, dashboard} {
		scan := object{"id": p.scans(t, device, code, "IN", "GRANTED")["scanId"]}
		declined := object{"id": p.scans(t, device, code, "IN", "ALREADY_CHECKED_IN")["scanId"]}
		p.Refuses(t, another, domain.AnnulScan, scan, domain.CodeNotFound)
		p.Refuses(t, p.key, domain.AnnulScan, scan, domain.CodeForbidden)
		p.Refuses(t, who, domain.AnnulScan, declined, domain.CodeInvalidState)
		annulled := p.Does(t, who, domain.AnnulScan, scan)
		if annulled["annulledAt"] == nil {
			t.Errorf("annulled scan: %v", annulled)
		}
		p.Refuses(t, who, domain.AnnulScan, scan, domain.CodeInvalidState)
		has(t, p.inside(t), object{"all": "0"})
	}
	if rows := p.log(t, object{"deviceId": id, "annulled": true}); len(rows) != 2 {
		t.Errorf("annulled scans: %v", rows)
	}
	p.scans(t, device, code, "IN", "GRANTED")
}

// pairsAnew tests pairing a device again.
func (p *passage) pairsAnew(t *testing.T) {
	device, id := p.opens(t, nil, nil)
	code := p.sells(t, systemtest.Serial("code "), nil)
	p.scans(t, device, code, "IN", "GRANTED")
	issued := p.Does(t, p.key, domain.IssuePairingCode, object{"id": id})
	p.Refuses(t, device, domain.GetSelf, nil, domain.CodeUnauthenticated)
	typed := object{"input": object{"code": strings.ToLower(issued["code"].(string))}}
	paired := p.Does(t, apitest.Caller{}, domain.PairDevice, typed)
	has(t, paired, object{"_id": id})
	p.Refuses(t, apitest.Caller{}, domain.PairDevice, typed, domain.CodeValidationFailed, "code")
	device = apitest.Caller{"Token": paired["token"].(string)}
	p.scans(t, device, code, "IN", "ALREADY_CHECKED_IN")
	if rows := p.log(t, object{"deviceId": id}); len(rows) != 2 {
		t.Errorf("its history is %v", rows)
	}
}

// hidesContacts tests contact data in the ticket of a scan, the tickets of the event and the ticket of a code.
func (p *passage) hidesContacts(t *testing.T) {
	config := object{"enableMultiCheckin": true, "tapAndGo": object{"enabled": true}}
	holder := systemtest.Serial("holder")
	code := p.sells(t, systemtest.Serial("code "), object{
		"customerId": holder, "email": "ann@example.org", "street": "Main 1", "line2": "Floor 2", "name": "Ann Other",
	})
	card := p.enters(t, holder)
	for mode, shown := range map[string]bool{"full": true, "restricted": false} {
		device, _ := p.opens(t, config, object{"accessMode": mode})
		scanned := p.Does(t, device, domain.ScanTicket, object{"input": object{"barcode": code, "eventId": p.event}})
		listed := p.Does(t, device, domain.ListDeviceTickets, object{"filter": object{"eventId": p.event}})
		found := p.Does(t, device, domain.LookUpTicket, object{"externalCode": card, "eventId": p.event})
		for _, answer := range []object{scanned, listed, found} {
			text, err := json.Marshal(answer)
			systemtest.Must(t, err)
			for _, contact := range []string{"ann@example.org", "Main 1", "Floor 2"} {
				if strings.Contains(string(text), contact) != shown {
					t.Errorf("in %s mode, %q is returned: %t in %s", mode, contact, !shown, text)
				}
			}
			if !strings.Contains(string(text), "Ann Other") {
				t.Errorf("in %s mode, the name is missing in %s", mode, text)
			}
		}
	}
}

// onlyChecksOut tests a scan group that only checks out.
func (p *passage) onlyChecksOut(t *testing.T) {
	enter, _ := p.opens(t, nil, nil)
	leave, _ := p.opens(t, object{"scanTypes": object{"checkin": false, "checkout": true}}, nil)
	absent, _ := p.opens(t, object{"scanTypes": nil}, nil)
	code := p.sells(t, systemtest.Serial("code "), nil)
	p.scans(t, leave, code, "IN", "DIRECTION_NOT_ENABLED")
	p.scans(t, enter, code, "IN", "GRANTED")
	p.scans(t, absent, code, "OUT", "DIRECTION_NOT_ENABLED")
	p.scans(t, leave, code, "OUT", "GRANTED")
}

// letsPass tests a scan group's configuration, one field at a time. The event started when it was created, and has no end.
func (p *passage) letsPass(t *testing.T) {
	of := func(members object) object {
		event := object{"eventId": p.event, "allowAllTicketTypes": true}
		maps.Copy(event, members)
		return object{"events": []any{event}}
	}
	hours := func(active bool, after float64) object {
		return of(object{"eventTimeSettings": object{"active": active, "afterHours": after}})
	}
	stalls := of(object{"allowAllTicketTypes": false, "allowedTicketTypeIds": []any{p.Seller.TicketTypeID}})
	late := object{"slotStartTime": "2026-01-01T10:00:00Z"}
	for _, row := range []struct {
		name           string
		config, ticket object
		want           string
	}{
		{"no events", object{"events": nil}, nil, "EVENT_NOT_ASSIGNED"},
		{"another event", object{"events": []any{object{"eventId": p.Seller.EventID}}}, nil, "EVENT_NOT_ASSIGNED"},
		{"no ticket types", of(object{"allowAllTicketTypes": false}), nil, "TICKET_TYPE_NOT_ALLOWED"},
		{"neither field", of(object{"allowAllTicketTypes": nil}), nil, "TICKET_TYPE_NOT_ALLOWED"},
		{"another ticket type", stalls, nil, "TICKET_TYPE_NOT_ALLOWED"},
		{"this ticket type", stalls, object{"ticketTypeId": p.Seller.TicketTypeID}, "GRANTED"},
		{"hours that are over", hours(true, 0), nil, "OUTSIDE_EVENT_TIME"},
		{"hours that have not ended", hours(true, 1), nil, "GRANTED"},
		{"hours that are not active", hours(false, 0), nil, "GRANTED"},
		{"a slot that is over", object{"checkTimeslots": true}, late, "OUTSIDE_TIMESLOT"},
		{"a slot that is not checked", object{"checkTimeslots": false}, late, "GRANTED"},
		{"a ticket of another event", nil, object{"eventId": p.Seller.EventID}, "WRONG_EVENT"},
		{"a blocked ticket", nil, object{"excludedEventIds": []any{p.event}}, "BLOCKED_FOR_EVENT"},
		{"a reserved ticket", nil, object{"status": "RESERVED"}, "TICKET_INVALID"},
		{"a blank ticket", nil, object{"status": "BLANK"}, "TICKET_INVALID"},
	} {
		device, _ := p.opens(t, row.config, nil)
		code := p.sells(t, systemtest.Serial("code "), row.ticket)
		t.Run(row.name, func(t *testing.T) { p.scans(t, device, code, "IN", row.want) })
	}
}
