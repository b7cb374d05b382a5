package edges

import (
	"testing"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/cmd/ticketgate/demo"
	"ticketgate/domain/optional"
	"ticketgate/domain/webhook"
)

// develops creates a webhook with a delivery that failed at its first call.
func develops(t *testing.T, h *apitest.Server, seller demo.Seller) (webhookID, deliveryID string) {
	t.Helper()
	created, err := h.Do.Webhooks.Create(h.ActingOn(t, seller), webhook.NewWebhook{
		Name: "Hook", URL: apitest.ListenerURL, Events: optional.Some(webhook.Selection{"scan.created": true}),
	})
	systemtest.Must(t, err)
	deliveryID = h.Delivery(t, seller, created.ID, "Scanned")
	fails(t, h)
	return created.ID, deliveryID
}

// fails makes every delivery fail at its first call.
func fails(t *testing.T, h *apitest.Server) {
	t.Helper()
	_, err := h.SQL.ExecContext(t.Context(), `INSERT INTO attempts (delivery_id, number, webhook_id, by_hand, url, started_at, duration_ms,
			status, detail, response_body, body_truncated)
		SELECT id, 1, webhook_id, false, 'https://listener.example.com', now(), 5, 503, '', 'Busy', false FROM deliveries`)
	systemtest.Must(t, err)
	_, err = h.SQL.ExecContext(t.Context(), `UPDATE deliveries SET attempts = 1, scheduled = 1, state = 'failed', outcome = '503',
		failed_at = now(), next_attempt_at = NULL`)
	systemtest.Must(t, err)
}
