package systemtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"testing"
	"time"

	"ticketgate/cmd/ticketgate/demo"
)

// DeliveredWithin is the time, after a restart, within which a delivery that kill -9 interrupted must arrive.
const DeliveredWithin = 35 * time.Second

// Subscribed creates a webhook of the seller for completed transactions, and returns the seller.
func Subscribed(t *testing.T, url, listener string, seller demo.Seller) demo.Seller {
	t.Helper()
	body := fmt.Sprintf(`{"name": "W", "url": %q, "hmacKey": "a signing key & more", "events": {"transaction.complete": true}}`, listener)
	status, answer := Request(t, http.MethodPost, url+"/api/webhooks", body, "Authorization: Bearer "+seller.APIKey)
	if status != http.StatusCreated {
		t.Fatalf("create webhook: %d %s", status, answer)
	}
	return seller
}

// Publish publishes the event of docs/first-webhook.json for a seller.
func Publish(t *testing.T, url string, seller demo.Seller) {
	t.Helper()
	data, err := os.ReadFile("../../../docs/first-webhook.json")
	if err != nil {
		t.Fatal(err)
	}
	GraphQL(t, url, SystemToken, `mutation($input: PublishEventInput!) { publishEvent(input: $input) { id } }`,
		map[string]any{"input": map[string]any{
			"sellerId": seller.SellerID, "type": "transaction.complete", "data": json.RawMessage(data),
		}})
}

// CheckBody checks that the body of a call is that of the event of Publish.
func CheckBody(t *testing.T, call Received, seller demo.Seller) {
	t.Helper()
	var body struct {
		ID       string         `json:"id"`
		SellerID string         `json:"sellerId"`
		Type     string         `json:"type"`
		Mode     string         `json:"mode"`
		Data     map[string]any `json:"data"`
	}
	if err := json.Unmarshal([]byte(call.Body), &body); err != nil {
		t.Fatal(err)
	}
	if len(body.ID) != 36 || body.SellerID != string(seller.SellerID) || body.Type != "transaction.complete" || body.Mode != "dev" {
		t.Errorf("got %+v", body)
	}
	if transaction, ok := body.Data["transaction"].(map[string]any); !ok || transaction["tid"] != "T-2026-000042" {
		t.Errorf("data: %v", body.Data)
	}
}

// ScanToPublish returns a minimal scan as it is published.
func ScanToPublish(id, name string) map[string]any {
	const now = "2026-11-27T20:37:00.120Z"
	return map[string]any{
		"_id": id, "name": name, "time": now, "barcode": "TG1", "type": "checkin", "scanResult": "approved", "sellerId": "s",
		"createdAt": now, "updatedAt": now,
	}
}
