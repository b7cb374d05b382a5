package apis

import (
	"bytes"
	"net/http"
	"strings"
	"sync"
	"testing"

	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/domain"
)

// TestARepeatedPostReturnsTheFirstResponse sends Idempotency-Key with every POST that creates something.
func TestARepeatedPostReturnsTheFirstResponse(t *testing.T) { //nolint:tparallel // the callers share counted rows
	t.Parallel()
	h := apitest.Open(t)
	seller := h.Demo.Sellers[0]
	delivery := h.Delivery(t, seller, h.Webhook(t, seller, "Repeated").ID, "Repeated")
	admin, key := h.Session(t, seller.AdminEmail, seller.AdminPassword), apitest.Bearer(seller.APIKey)
	hooks, keys := "SELECT count(*) FROM webhooks", "SELECT count(*) FROM api_keys"
	once := object{"name": "Once", "url": apitest.ListenerURL, "hmacKey": "k"}
	for _, row := range []struct {
		path        string
		who         apitest.Caller
		body, other any
		status      int
		rows        string
		made        int
	}{
		{"/api/webhooks", key, once, object{"name": "Twice", "url": apitest.ListenerURL}, 201, hooks, 1},
		{"/api/webhook", key, once, object{"name": "Twice", "url": apitest.ListenerURL}, 201, hooks, 1},
		{"/api/keys", admin, object{"name": "Once & <for all>"}, object{"name": "Twice"}, 201, keys, 1},
		{"/api/webhook-deliveries/" + delivery + "/retry", key, nil, object{}, 202, hooks, 0},
	} {
		t.Run(row.path, func(t *testing.T) {
			client := h.As(t, row.who).With("Idempotency-Key", "order 1")
			before := h.Count(t, row.rows)
			first := client.Post(row.path, row.body).Want(row.status)
			second := client.Post(row.path, row.body).Want(row.status)
			if !bytes.Equal(first.Body, second.Body) {
				t.Errorf("the responses differ:\n%s\n%s", first.Body, second.Body)
			}
			client.Post(row.path, row.other).Refused(http.StatusUnprocessableEntity, "IDEMPOTENCY_KEY_REUSED")
			if created := h.Count(t, row.rows) - before; created != row.made {
				t.Errorf("%d rows were created, want %d", created, row.made)
			}
			if row.made > 0 {
				client.With("Idempotency-Key", "order 2").Post(row.path, row.other).Want(row.status)
			}
		})
	}
	t.Run("belongs to one caller", func(t *testing.T) {
		body := object{"name": "Once", "url": apitest.ListenerURL}
		own := h.As(t, key).With("Idempotency-Key", "shared").Post("/api/webhooks", body).Want(http.StatusCreated)
		stranger := h.As(t, apitest.Bearer(h.Demo.Sellers[1].APIKey)).With("Idempotency-Key", "shared")
		other := stranger.Post("/api/webhooks", body).Want(http.StatusCreated)
		if own.Text("_id") == other.Text("_id") {
			t.Error("another seller's key got the response")
		}
	})
	t.Run("creates one of many concurrent requests", func(t *testing.T) {
		client := h.As(t, key).With("Idempotency-Key", "race")
		before := h.Count(t, hooks)
		ids := make(chan string, 16)
		var calls sync.WaitGroup
		for range cap(ids) {
			calls.Go(func() {
				ids <- client.Post("/api/webhooks", object{"name": "Race", "url": apitest.ListenerURL}).Want(http.StatusCreated).Text("_id")
			})
		}
		calls.Wait()
		close(ids)
		first := <-ids
		for id := range ids {
			if id != first {
				t.Errorf("%s and %s were created", first, id)
			}
		}
		if created := h.Count(t, hooks) - before; created != 1 {
			t.Errorf("%d rows were created", created)
		}
	})
	t.Run("can be reused after an error", func(t *testing.T) {
		client := h.As(t, key).With("Idempotency-Key", "refused")
		client.Post("/api/webhooks", object{"name": "x", "url": "http://localhost/"}).Refused(http.StatusBadRequest, "VALIDATION_FAILED")
		client.Post("/api/webhooks", object{"name": "x", "url": apitest.ListenerURL}).Want(http.StatusCreated)
	})
	t.Run("must be printable and without spaces", func(t *testing.T) {
		for _, wrong := range []string{strings.Repeat("k", 256), "ключ", "tab\tbed"} {
			h.As(t, key).With("Idempotency-Key", wrong).Post("/api/webhooks", object{"name": "x", "url": apitest.ListenerURL}).
				Refused(http.StatusBadRequest, string(domain.CodeInvalidRequest))
		}
	})
}
