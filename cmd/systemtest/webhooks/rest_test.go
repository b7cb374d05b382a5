package webhooks

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/cmd/ticketgate/demo"
	"ticketgate/domain"
	"ticketgate/domain/apikey"
	"ticketgate/domain/optional"
	"ticketgate/rest/resttest"
)

// TestWebhooksOverREST tests all operations of webhooks over REST.
func TestWebhooksOverREST(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t)
	w := &webhooksOverREST{Server: h, seller: h.Demo.Sellers[0], key: h.As(t, apitest.Bearer(h.Demo.Sellers[0].APIKey))}
	apitest.Run(t, apitest.Steps{
		{"creates one under either path", w.makes},
		{"keeps omitted fields and clears null ones", w.changes},
		{"accepts a whole object that was read", w.takesBack},
		{"names all faults at once", w.refuses},
		{"shows the signing key to callers that may list", w.hidesTheKey},
		{"lists and deletes", w.deletes},
		{"requires the feature", w.needsTheFeature},
	})
}

type webhooksOverREST struct {
	*apitest.Server
	seller demo.Seller
	key    *resttest.Client
}

// hook is a webhook in a response.
type hook struct {
	ID        string          `json:"_id"`
	Name      string          `json:"name"`
	URL       string          `json:"url"`
	Enabled   bool            `json:"enabled"`
	Events    map[string]bool `json:"events"`
	HMACKey   *string         `json:"hmacKey"`
	UpdatedAt string          `json:"updatedAt"`
}

func hookOf(answer resttest.Answer) hook {
	var shown hook
	answer.Into(&shown)
	return shown
}

// wanted returns the event types that are true.
func (s hook) wanted() []string {
	maps.DeleteFunc(s.Events, func(_ string, wants bool) bool { return !wants })
	return slices.Sorted(maps.Keys(s.Events))
}

func (w *webhooksOverREST) makes(t *testing.T) {
	client := w.key.In(t)
	client.Post("/api/webhooks", object{
		"name": "Shop", "url": apitest.ListenerURL, "hmacKey": "ключ & <key>", "events": object{"ticket.created": true, "scan.created": false},
	}).Want(http.StatusCreated).Golden("webhooks_created")
	client.Post("/api/webhook", object{"name": "Least", "url": apitest.ListenerURL}).Want(http.StatusCreated).Golden("webhooks_least")
	all := hookOf(client.Get("/api/webhook/none")) // there is no path to read a single one
	if all.ID != "" {
		t.Errorf("GET of one webhook: %+v", all)
	}
}

// changes tests omitted, null and set values of every optional field.
func (w *webhooksOverREST) changes(t *testing.T) {
	client := w.key.In(t)
	created := hookOf(client.Post("/api/webhooks", object{
		"name": "Shop", "url": apitest.ListenerURL, "enabled": false, "hmacKey": "k", "events": object{"ticket.created": true},
	}))
	at := "/api/webhook/" + created.ID
	least := object{"name": "Shop", "url": apitest.ListenerURL}
	put := func(changes object) hook {
		t.Helper()
		body := maps.Clone(least)
		maps.Copy(body, changes)
		return hookOf(client.Put(at, body).Want(http.StatusCreated))
	}
	kept := put(nil)
	if kept.Enabled || kept.HMACKey == nil || *kept.HMACKey != "k" || !slices.Equal(kept.wanted(), []string{"ticket.created"}) {
		t.Errorf("omitted fields: %+v", kept)
	}
	if got := put(nil); got.UpdatedAt != created.UpdatedAt {
		t.Errorf("an empty update moved updatedAt from %s to %s", created.UpdatedAt, got.UpdatedAt)
	}
	got := put(object{"events": object{"scan.created": true, "ticket.updated": false}})
	if len(got.Events) != 45 || !slices.Equal(got.wanted(), []string{"scan.created"}) {
		t.Errorf("events are replaced whole, and every type is named: %+v", got)
	}
	if got := put(object{"hmacKey": ""}); got.HMACKey != nil {
		t.Errorf("an empty key: %+v", got)
	}
	put(object{"hmacKey": "again"})
	if got := put(object{"hmacKey": nil, "enabled": nil, "events": nil}); got.HMACKey != nil || !got.Enabled || len(got.wanted()) != 0 {
		t.Errorf("null fields: %+v", got)
	}
	for _, missing := range []string{"name", "url"} {
		for _, value := range []any{nil, "absent"} {
			body := maps.Clone(least)
			if body[missing] = value; value == "absent" {
				delete(body, missing)
			}
			refusal := client.Put(at, body).Refused(http.StatusBadRequest, "VALIDATION_FAILED")
			if len(refusal.Details) != 1 || refusal.Details[0].Path != missing {
				t.Errorf("without %s: %+v", missing, refusal)
			}
		}
	}
}

// takesBack reads a webhook, changes a field and sends the whole, as generated clients do.
func (w *webhooksOverREST) takesBack(t *testing.T) {
	client := w.key.In(t)
	created := client.Post("/api/webhooks", object{"name": "Whole", "url": apitest.ListenerURL, "hmacKey": "k"}).Want(http.StatusCreated)
	var whole map[string]any
	created.Into(&whole)
	whole["enabled"], whole["sellerId"], whole["createdAt"] = false, "another", "2020-01-01T00:00:00.000Z"
	answer := client.Put("/api/webhook/"+created.Text("_id"), whole).Want(http.StatusCreated)
	written := answer.Text("sellerId") != string(w.seller.SellerID) || answer.Text("createdAt") != created.Text("createdAt")
	if written || hookOf(answer).Enabled {
		t.Errorf("read-only fields were written: %s", answer.Body)
	}
}

func (w *webhooksOverREST) refuses(t *testing.T) {
	client := w.key.In(t)
	before := w.Count(t, "SELECT count(*) FROM webhooks")
	client.Post("/api/webhooks", object{
		"name": " ", "url": "http://localhost/", "events": object{"ticket.craeted": true}, "enabled": "yes", "hmackey": "k",
	}).Golden("webhooks_wrong_types").Refused(http.StatusBadRequest, "VALIDATION_FAILED")
	client.Post("/api/webhooks", object{
		"name": strings.Repeat("n", 201), "url": "ftp://example.com", "events": object{"ticket.craeted": true, "nothing": true},
	}).Golden("webhooks_wrong_values").Refused(http.StatusBadRequest, "VALIDATION_FAILED")
	client.Post("/api/webhooks", nil).Golden("webhooks_empty").Refused(http.StatusBadRequest, "VALIDATION_FAILED")
	// A seller's key with another seller's id in the body: the body does not choose the seller.
	answer := client.Post("/api/webhooks", object{"name": "x", "url": apitest.ListenerURL, "sellerId": w.Demo.Sellers[2].SellerID})
	if answer.Want(http.StatusCreated).Text("sellerId") != string(w.seller.SellerID) {
		t.Errorf("sellerId was taken from the body: %s", answer.Body)
	}
	if after := w.Count(t, "SELECT count(*) FROM webhooks"); after != before+1 {
		t.Errorf("%d webhooks became %d", before, after)
	}
}

// hidesTheKey tests that the right to change a webhook does not include reading its key.
func (w *webhooksOverREST) hidesTheKey(t *testing.T) {
	updater, err := w.Do.Keys.Create(w.ActingOn(t, w.seller), apikey.NewKey{
		Name: "Updater", Permissions: optional.Some([]domain.Permission{"webhooks:update"}),
	})
	systemtest.Must(t, err)
	created := hookOf(w.key.In(t).Post("/api/webhooks", object{"name": "Secret", "url": apitest.ListenerURL, "hmacKey": "shh"}))
	client := w.As(t, apitest.Bearer(updater.Secret))
	renamed := client.Put("/api/webhook/"+created.ID, object{"name": "Renamed", "url": apitest.ListenerURL}).Want(http.StatusCreated)
	if hookOf(renamed).HMACKey != nil {
		t.Errorf("the key is shown: %s", renamed.Body)
	}
	client.Get("/api/webhooks").Refused(http.StatusForbidden, "MISSING_PERMISSION")
	if got := hookOf(client.Delete("/api/webhook/" + created.ID).Want(http.StatusOK)); got.HMACKey != nil || got.Name != "Renamed" {
		t.Errorf("the key is shown, or the name is not: %+v", got)
	}
}

func (w *webhooksOverREST) deletes(t *testing.T) {
	seller := w.Demo.Sellers[1]
	client := w.As(t, apitest.Bearer(seller.APIKey))
	client.Get("/api/webhooks").Want(http.StatusOK).Golden("webhooks_none")
	id := client.Post("/api/webhooks", object{"name": "Short", "url": apitest.ListenerURL, "hmacKey": "k"}).Text("_id")
	client.Get("/api/webhooks").Want(http.StatusOK).Golden("webhooks_list")
	client.Delete("/api/webhook/" + id).Want(http.StatusOK).Golden("webhooks_deleted")
	client.Delete("/api/webhook/"+id).Golden("webhooks_not_found").Refused(http.StatusNotFound, "NOT_FOUND")
	client.Put("/api/webhook/"+id, object{"name": "x", "url": apitest.ListenerURL}).Refused(http.StatusNotFound, "NOT_FOUND")
}

func (w *webhooksOverREST) needsTheFeature(t *testing.T) {
	seller := w.Demo.Sellers[3]
	refusal := w.As(t, apitest.Bearer(seller.APIKey)).Get("/api/webhooks").Golden("webhooks_without_feature").
		Refused(http.StatusForbidden, "FEATURE_NOT_ENABLED")
	if refusal.Message != "The Webhooks feature is not enabled for this seller" {
		t.Errorf("message: %s", refusal.Message)
	}
	w.As(t, w.Session(t, seller.AdminEmail, seller.AdminPassword)).Post("/api/webhooks", json.RawMessage(`{`)).
		Refused(http.StatusForbidden, "FEATURE_NOT_ENABLED")
}
