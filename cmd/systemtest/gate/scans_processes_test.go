package gate

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"ticketgate/cmd/systemtest"
)

// One ticket is scanned at fifty gates of one zone at once, half of them on another process: exactly one scan is granted.
func TestOneOfFiftyScansIsGrantedAcrossProcesses(t *testing.T) {
	t.Parallel()
	database, data := systemtest.Seeded(t)
	settings := systemtest.OnDatabase(database)
	processes := [...]*systemtest.Process{systemtest.Serve(t, settings, "--no-workers"), systemtest.Serve(t, settings, "--no-workers")}
	seller := data.Sellers[0]
	key := seller.APIKey
	asKey := "Authorization: Bearer " + key
	for _, document := range []string{
		`mutation { createEvent(input: {_id: "e", name: "E", start: "2026-01-01T00:00:00Z"}) { _id } }`,
		`mutation { createScanZone(input: {_id: "z", name: "Z"}) { _id } }`,
	} {
		systemtest.GraphQL(t, processes[0].URL, key, document, nil)
	}
	_, group := systemtest.Request(t, http.MethodPost, processes[0].URL+"/api/scan-groups", `{"name":"G","scanConfig":{"mode":"default",
		"scanZoneId":"z","events":[{"eventId":"e","allowAllTicketTypes":true}]}}`, asKey)
	_, device := systemtest.Request(t, http.MethodPost, processes[0].URL+"/api/accessusers", fmt.Sprintf(
		`{"name":"D","accessAllEvents":true,"deviceSettings":{"scanGroupId":%q}}`, systemtest.Field(t, group, "_id")), asKey)
	asDevice := "token: " + systemtest.Field(t, device, "token")

	for round := range 3 {
		code := fmt.Sprintf("code-%d", round)
		systemtest.GraphQL(t, processes[0].URL, key, `mutation($tickets: [JSON!]!) { importTickets(input: {tickets: $tickets}) { created } }`,
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
				status, text, err := systemtest.TryRequest(t.Context(), http.DefaultClient, http.MethodPost,
					processes[i%2].URL+"/api/accessusers/tickets/"+code+"/scan", "", asDevice)
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
	occupancy := systemtest.GraphQL(t, processes[1].URL, key, `{ occupancy(eventId: "e") { inside checkedIn } }`, nil)
	if !strings.HasPrefix(occupancy, `{"data":{"occupancy":{"inside":3,"checkedIn":3}}`) {
		t.Errorf("occupancy: %s", occupancy)
	}
}
