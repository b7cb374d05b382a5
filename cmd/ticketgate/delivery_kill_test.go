package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"testing"
	"time"

	"ticketgate/db/dbtest"
)

// deliveredWithin is how soon after a restart a delivery must be made that a kill -9 cut off.
const deliveredWithin = 35 * time.Second

// subscribed makes a world with one webhook of the first seller.
func subscribed(t *testing.T, settings []string, url, listener string) seededSeller {
	t.Helper()
	seller := seed(t, settings).Sellers[0]
	body := fmt.Sprintf(`{"name": "W", "url": %q, "hmacKey": "a signing key & more", "events": {"transaction.complete": true}}`, listener)
	status, answer := request(t, http.MethodPost, url+"/api/webhooks", body, "Authorization: Bearer "+seller.APIKey)
	if status != http.StatusCreated {
		t.Fatalf("create webhook: %d %s", status, answer)
	}
	return seller
}

// publish publishes the documented example for a seller.
func publish(t *testing.T, url string, seller seededSeller) {
	t.Helper()
	data, err := os.ReadFile("../../docs/first-webhook.json")
	if err != nil {
		t.Fatal(err)
	}
	graphQL(t, url, rightToken, `mutation($input: PublishEventInput!) { publishEvent(input: $input) { id } }`,
		map[string]any{"input": map[string]any{
			"sellerId": seller.SellerID, "type": "transaction.complete", "data": json.RawMessage(data),
		}})
}

func TestAKillBetweenCommitAndDeliveryLosesNothing(t *testing.T) {
	t.Parallel()
	settings := onDatabase(dbtest.New(t))
	listener, calls := newListener(t, func(int) int { return http.StatusOK })
	first := serve(t, settings, "--no-workers")
	seller := subscribed(t, settings, first.url, listener)
	publish(t, first.url, seller)
	first.kill()
	if len(calls) > 0 {
		t.Fatal("it was delivered without workers")
	}

	start(t, settings, "work")
	checkBody(t, await(t, calls, deliveredWithin), seller)
}

func TestAKillDuringAnAttemptDeliversTheSameBytes(t *testing.T) {
	t.Parallel()
	settings := onDatabase(dbtest.New(t))
	hang := make(chan struct{})
	listener, calls := newListener(t, func(call int) int {
		if call == 1 {
			<-hang
		}
		return http.StatusOK
	})
	t.Cleanup(func() { close(hang) }) // before the listener is closed, which waits for its calls
	first := serve(t, settings)
	seller := subscribed(t, settings, first.url, listener)
	publish(t, first.url, seller)
	before := await(t, calls, time.Minute)
	first.kill()

	restarted := serve(t, settings)
	after := await(t, calls, deliveredWithin)
	checkBody(t, before, seller)
	if after.body != before.body {
		t.Errorf("the body changed:\n%s\n%s", before.body, after.body)
	}
	if a, b := before.header.Get("X-Service-Signature"), after.header.Get("X-Service-Signature"); a == "" || a != b {
		t.Errorf("signatures: %q and %q", a, b)
	}
	if restarted.stop() != 0 {
		t.Error("the restarted server did not stop well")
	}
}

func checkBody(t *testing.T, call received, seller seededSeller) {
	t.Helper()
	var body struct {
		ID       string         `json:"id"`
		SellerID string         `json:"sellerId"`
		Type     string         `json:"type"`
		Mode     string         `json:"mode"`
		Data     map[string]any `json:"data"`
	}
	if err := json.Unmarshal([]byte(call.body), &body); err != nil {
		t.Fatal(err)
	}
	if len(body.ID) != 36 || body.SellerID != string(seller.SellerID) || body.Type != "transaction.complete" || body.Mode != "dev" {
		t.Errorf("got %+v", body)
	}
	if transaction, ok := body.Data["transaction"].(map[string]any); !ok || transaction["tid"] != "T-2026-000042" {
		t.Errorf("data: %v", body.Data)
	}
}
