package main

import (
	"net/http"
	"testing"
	"time"
)

// An invoice whose hand-over dies with its process is handed over again, as the same bytes.
func TestAKillDuringAHandOverRepeatsIt(t *testing.T) {
	t.Parallel()
	s := openTill(t)
	hang := make(chan struct{})
	url, calls := newListener(t, func(call int) int {
		if call == 1 {
			<-hang
		}
		return http.StatusOK
	})
	t.Cleanup(func() { close(hang) }) // before the listener is closed, which waits for its calls
	graphQL(t, s.running.url, rightToken, `mutation($input: UpdateSellerInput!) { updateSeller(input: $input) { _id } }`, object{
		"input": object{"sellerId": s.seller.SellerID, "invoicing": object{"url": url, "hmacKey": tillKey}},
	})
	s.completeAll(s.fill(1))
	before := await(t, calls, time.Minute)
	s.running.kill()

	s.running = serve(t, s.settings)
	after := await(t, calls, deliveredWithin)
	if after.body != before.body || member(t, after.body, "_id") == "" {
		t.Errorf("the invoice changed:\n%s\n%s", before.body, after.body)
	}
	if a, b := before.header.Get("X-Service-Signature"), after.header.Get("X-Service-Signature"); a == "" || a != b {
		t.Errorf("signatures: %q and %q", a, b)
	}
	s.until("the hand-over is recorded once", `SELECT state = 'delivered' AND attempts = 1
		AND (SELECT count(*) FROM hand_over_attempts) = $1 FROM hand_overs`, 1)
}
