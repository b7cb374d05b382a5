package webhooks

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/domain/webhook"
)

// TestSellerHasAtMostFiveHundredWebhooks creates the last webhook of a seller by two concurrent calls (LIMIT-25).
func TestSellerHasAtMostFiveHundredWebhooks(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t)
	seller := h.Demo.Sellers[0]
	rest := h.REST.In(t).As(seller.APIKey)
	made := rest.Post("/api/webhook", object{"name": "Hook", "url": "https://listener.ticketgate.dev/hook"}).Want(http.StatusCreated).Text("_id")
	const last = webhook.MaxWebhooks - 1
	_, err := h.SQL.ExecContext(t.Context(), `INSERT INTO webhooks
		SELECT (jsonb_populate_record(w, jsonb_build_object('id', lpad(to_hex(n), 24, '0')))).*
		FROM webhooks w, generate_series(1, $1 - (SELECT count(*) FROM webhooks WHERE seller_id = $2)) AS n WHERE w.id = $3`,
		last, seller.SellerID, made)
	systemtest.Must(t, err)
	statuses := make(chan apitest.Response, 2)
	var calls sync.WaitGroup
	for range 2 {
		calls.Go(func() {
			statuses <- h.SendJSON(t, http.MethodPost, "/api/webhook", object{"name": "Hook", "url": "https://listener.ticketgate.dev/hook"},
				"Authorization: Bearer "+seller.APIKey)
		})
	}
	calls.Wait()
	created, refused := <-statuses, <-statuses
	if created.Status != http.StatusCreated {
		created, refused = refused, created
	}
	if created.Status != http.StatusCreated || refused.Status != http.StatusConflict || !strings.Contains(refused.Text, "already has 500 webhooks") {
		t.Errorf("got %+v and %+v", created, refused)
	}
	neighbor := h.REST.In(t).As(h.Demo.Sellers[1].APIKey)
	neighbor.Post("/api/webhook", object{"name": "Hook", "url": "https://listener.ticketgate.dev/hook"}).Want(http.StatusCreated)
}
