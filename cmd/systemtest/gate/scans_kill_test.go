package gate

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"testing"

	"ticketgate/cmd/systemtest"
)

// A process that dies while scans share transactions loses no scan whose response it sent. Every other scan is stored
// completely or not at all.
func TestAKillLosesNoConfirmedScan(t *testing.T) {
	t.Parallel()
	database, data := systemtest.Seeded(t)
	settings := systemtest.OnDatabase(database)
	running, seller := systemtest.Serve(t, settings, "--no-workers"), data.Sellers[0]
	const tickets, enough = 200, 40
	documents := make([]object, tickets)
	for i := range documents {
		code := fmt.Sprint("code-", i)
		documents[i] = object{
			"_id": code, "sellerId": seller.SellerID, "eventId": seller.EventID, "ticketTypeId": seller.TicketTypeID,
			"ticketName": "Day", "status": "VALID", "secret": "s", "barcode": code,
		}
	}
	systemtest.GraphQL(t, running.URL, seller.APIKey,
		`mutation($tickets: [JSON!]!) { importTickets(input: {tickets: $tickets}) { created } }`, object{"tickets": documents})

	codes, granted := make(chan string, 2*tickets), make(chan string, 2*tickets)
	for _, document := range documents {
		for range 2 {
			codes <- fmt.Sprint(document["barcode"])
		}
	}
	close(codes)
	scanAt := func(url, code string) (scanID string) {
		status, text, err := systemtest.TryRequest(t.Context(), http.DefaultClient, http.MethodPost,
			url+"/api/accessusers/tickets/"+code+"/scan", "", "token: "+seller.DeviceToken)
		var answer struct{ Access, ScanID string }
		if err != nil || status != http.StatusOK || json.Unmarshal([]byte(text), &answer) != nil || answer.Access != "GRANTED" {
			return ""
		}
		return answer.ScanID
	}
	var gates sync.WaitGroup
	for range 16 {
		gates.Go(func() {
			for code := range codes {
				if id := scanAt(running.URL, code); id != "" {
					granted <- id
				}
			}
		})
	}
	var answered []string
	for range enough {
		answered = append(answered, <-granted)
	}
	running.Kill()
	gates.Wait()
	close(granted)
	for id := range granted {
		answered = append(answered, id)
	}

	running = systemtest.Serve(t, settings, "--no-workers")
	for _, document := range documents {
		scanAt(running.URL, fmt.Sprint(document["barcode"]))
	}
	pool := database.Owner(t)
	var kept int
	systemtest.Must(t, pool.QueryRowContext(t.Context(),
		"SELECT count(*) FROM scans WHERE result = 'approved' AND id = ANY($1)", answered).Scan(&kept))
	if kept != len(answered) {
		t.Errorf("%d of %d confirmed scans were stored", kept, len(answered))
	}
	for query, want := range map[string]int{
		"SELECT count(*) FROM scans WHERE result = 'approved'":                  tickets,
		"SELECT count(DISTINCT ticket_id) FROM scans WHERE result = 'approved'": tickets,
		"SELECT count(*) FROM scan_passes p JOIN scans s ON s.id = p.scan_id":   tickets,
		"SELECT count(*) FROM scan_places WHERE checkins = 1 AND inside = 1":    tickets,
		"SELECT count(*) FROM scans s FULL JOIN (SELECT * FROM events WHERE type = 'scan.created') e ON e.object_id = s.id " +
			"WHERE s.id IS NULL OR e.id IS NULL": 0,
	} {
		var got int
		systemtest.Must(t, pool.QueryRowContext(t.Context(), query).Scan(&got))
		if got != want {
			t.Errorf("%s: %d, want %d", query, got, want)
		}
	}
}
