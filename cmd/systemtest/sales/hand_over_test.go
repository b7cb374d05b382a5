package sales

import (
	"net/http"
	"testing"
	"time"

	"ticketgate/cmd/systemtest"
)

// An invoice whose hand-over dies with its process is handed over again, with the same bytes.
func TestKillDuringHandOverRepeatsIt(t *testing.T) {
	t.Parallel()
	s := openTill(t)
	hang := make(chan struct{})
	url, calls := systemtest.NewListener(t, func(call int) int {
		if call == 1 {
			<-hang
		}
		return http.StatusOK
	})
	t.Cleanup(func() { close(hang) }) // before the listener closes, which waits for its calls
	systemtest.GraphQL(t, s.running.URL, systemtest.SystemToken, `mutation($input: UpdateSellerInput!) { updateSeller(input: $input) { _id } }`, object{
		"input": object{"sellerId": s.seller.SellerID, "invoicing": object{"url": url, "hmacKey": tillKey}},
	})
	s.completeAll(s.fill(1))
	before := systemtest.Await(t, calls, time.Minute)
	s.running.Kill()

	s.running = systemtest.Serve(t, s.settings)
	after := systemtest.Await(t, calls, systemtest.DeliveredWithin)
	if after.Body != before.Body || systemtest.Field(t, after.Body, "_id") == "" {
		t.Errorf("the invoice changed:\n%s\n%s", before.Body, after.Body)
	}
	if a, b := before.Header.Get("X-Service-Signature"), after.Header.Get("X-Service-Signature"); a == "" || a != b {
		t.Errorf("signatures: %q and %q", a, b)
	}
	s.until("the hand-over is recorded once", `SELECT state = 'delivered' AND attempts = 1
		AND (SELECT count(*) FROM hand_over_attempts) = $1 FROM hand_overs`, 1)
}
