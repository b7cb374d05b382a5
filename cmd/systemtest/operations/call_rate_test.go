package operations

import (
	"net/http"
	"testing"

	"ticketgate/cmd/systemtest"
)

// TestAFloodingKeyGetsRetryAfter checks that a device of the same seller and readiness are not affected.
func TestAFloodingKeyGetsRetryAfter(t *testing.T) {
	t.Parallel()
	database, data := systemtest.Seeded(t)
	settings := systemtest.OnDatabase(database, "TICKETGATE_CALL_RATE=1", "TICKETGATE_SELLER_CALL_RATE=1")
	s := systemtest.Serve(t, settings, "--no-workers")
	seller := data.Sellers[0]
	ask := func(method, path, body string, header ...string) *http.Response {
		t.Helper()
		answer, err := systemtest.Call(t.Context(), http.DefaultClient, method, s.URL+path, body, header...)
		systemtest.Must(t, err)
		systemtest.Must(t, answer.Body.Close())
		return answer
	}
	key, device := "Authorization: Bearer "+seller.APIKey, "Token: "+seller.DeviceToken
	first := ask(http.MethodGet, "/api/keys/info", "", key) //nolint:bodyclose // ask has closed it
	if first.StatusCode != http.StatusOK || first.Header.Get("RateLimit-Limit") != "2" || first.Header.Get("RateLimit-Remaining") != "1" {
		t.Errorf("the first call: %d, %v", first.StatusCode, first.Header)
	}
	refused := 0
	for range 10 {
		for _, answer := range []*http.Response{
			ask(http.MethodGet, "/api/keys/info", "", key),                     //nolint:bodyclose // ask has closed it
			ask(http.MethodPost, "/graphql", `{"query":"{permissions}"}`, key), //nolint:bodyclose // ask has closed it
		} {
			if answer.StatusCode == http.StatusTooManyRequests {
				refused++
				if answer.Header.Get("Retry-After") != "1" || answer.Header.Get("RateLimit-Remaining") != "0" {
					t.Errorf("got %v", answer.Header)
				}
			}
		}
	}
	if refused == 0 {
		t.Error("none of 20 concurrent calls was refused")
	}
	gate := ask(http.MethodPost, "/graphql", `{"query":"{accessUserEvents{_id}}"}`, device) //nolint:bodyclose // ask has closed it
	if gate.StatusCode != http.StatusOK {
		t.Errorf("a device of the seller: %d", gate.StatusCode)
	}
	ready := ask(http.MethodGet, "/readyz", "") //nolint:bodyclose // ask has closed it
	if ready.StatusCode != http.StatusOK {
		t.Errorf("readiness: %d", ready.StatusCode)
	}
}
