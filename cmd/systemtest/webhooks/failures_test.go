package webhooks

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/domain/texts"
)

// TestAttemptsWithoutAResponseHaveAReason reads, through both APIs, why a call got no response: no listener, or an
// untrusted certificate.
func TestAttemptsWithoutAResponseHaveAReason(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t, apitest.DeliversToTests, "TICKETGATE_RETRY_SCHEDULE=1h")
	seller := h.Demo.Sellers[0]
	key := h.As(t, apitest.Bearer(seller.APIKey))
	untrusted := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(untrusted.Close)
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	hooks := map[string]string{}
	for kind, url := range map[string]string{"tls": untrusted.URL, "connect": gone.URL} {
		hooks[kind] = key.Post("/api/webhooks", object{
			"name": kind, "url": url, "events": object{"scan.created": true},
		}).Want(http.StatusCreated).Text("_id")
	}
	h.PublishScan(t, seller, "Unheard")
	for kind, hook := range hooks {
		var list struct{ Docs []struct{ ID string } }
		key.Get("/api/webhooks/" + hook + "/deliveries").Want(http.StatusOK).Into(&list)
		if len(list.Docs) != 1 {
			t.Fatalf("%s: %d deliveries", kind, len(list.Docs))
		}
		type attempts struct {
			Attempts []struct {
				Status          *int
				Failure, Detail string
			}
		}
		var byREST attempts
		(&deliveriesOverREST{Server: h, key: key, id: list.Docs[0].ID}).attempted(t, "pending", 1).Into(&byREST)
		byGraphQL := h.Execute(t, apitest.Bearer(seller.APIKey),
			`query($id: ID!) { webhookDelivery(id: $id) { attempts { status failure detail } } }`, object{"id": list.Docs[0].ID})
		publication := byREST.Attempts[0]
		if publication.Status != nil || publication.Failure != kind || texts.Trim(publication.Detail) == "" {
			t.Errorf("%s: REST returned %+v", kind, publication)
		}
		want := systemtest.Printed(t, object{"webhookDelivery": object{"attempts": []any{
			object{"failure": publication.Failure, "detail": publication.Detail},
		}}})
		if got := systemtest.Printed(t, byGraphQL.Result); got != want {
			t.Errorf("%s: GraphQL returned %s, REST %s", kind, got, want)
		}
	}
}
