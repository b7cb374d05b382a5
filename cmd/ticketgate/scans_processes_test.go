package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"ticketgate/db/dbtest"
)

// Fifty people hold one ticket to the gates of one zone at once, and half of the gates call another process (behaviour
// A4): one comes in.
func TestOneOfFiftyComesInAcrossProcesses(t *testing.T) {
	t.Parallel()
	settings := onDatabase(dbtest.New(t))
	processes := [...]*server{serve(t, settings, "--no-workers"), serve(t, settings, "--no-workers")}
	seller := seed(t, settings).Sellers[0]
	key := seller.APIKey
	asKey := "Authorization: Bearer " + key
	for _, document := range []string{
		`mutation { createEvent(input: {_id: "e", name: "E", start: "2026-01-01T00:00:00Z"}) { _id } }`,
		`mutation { createScanZone(input: {_id: "z", name: "Z"}) { _id } }`,
	} {
		graphQL(t, processes[0].url, key, document, nil)
	}
	_, group := request(t, http.MethodPost, processes[0].url+"/api/scan-groups", `{"name":"G","scanConfig":{"mode":"default",
		"scanZoneId":"z","events":[{"eventId":"e","allowAllTicketTypes":true}]}}`, asKey)
	_, device := request(t, http.MethodPost, processes[0].url+"/api/accessusers", fmt.Sprintf(
		`{"name":"D","accessAllEvents":true,"deviceSettings":{"scanGroupId":%q}}`, member(t, group, "_id")), asKey)
	asDevice := "token: " + member(t, device, "token")

	for round := range 3 {
		code := fmt.Sprintf("code-%d", round)
		graphQL(t, processes[0].url, key, `mutation($tickets: [JSON!]!) { importTickets(input: {tickets: $tickets}) { created } }`,
			object{"tickets": []object{{
				"_id": code, "sellerId": seller.SellerID, "eventId": "e", "ticketTypeId": "tt", "ticketName": "Day",
				"status": "VALID", "secret": "s", "barcode": code,
			}}})
		var mutex sync.Mutex
		answers := map[string]int{}
		var gates sync.WaitGroup
		start := make(chan struct{})
		for i := range 50 {
			gates.Go(func() {
				<-start
				status, text, err := tryRequest(t.Context(), http.DefaultClient, http.MethodPost,
					processes[i%2].url+"/api/accessusers/tickets/"+code+"/scan", "", asDevice)
				var answer struct{ Access, Reason string }
				if err == nil {
					err = json.Unmarshal([]byte(text), &answer)
				}
				mutex.Lock()
				defer mutex.Unlock()
				answers[fmt.Sprint(status, err, answer.Access, answer.Reason)]++
			})
		}
		close(start)
		gates.Wait()
		approved, declined := fmt.Sprint(200, nil, "GRANTED", ""), fmt.Sprint(200, nil, "DENIED", "ALREADY_CHECKED_IN")
		if answers[approved] != 1 || answers[declined] != 49 {
			t.Errorf("round %d: %v", round, answers)
		}
	}
	occupancy := graphQL(t, processes[1].url, key, `{ occupancy(eventId: "e") { inside checkedIn } }`, nil)
	if !strings.HasPrefix(occupancy, `{"data":{"occupancy":{"inside":3,"checkedIn":3}}`) {
		t.Errorf("inside are %s", occupancy)
	}
}
