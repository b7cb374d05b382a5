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

// TestWebhooksOverREST is what an integrator does with webhooks (spec 2.5, 4.4, decisions 7.1).
func TestWebhooksOverREST(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t)
	w := &webhooksOverREST{Server: h, seller: h.Demo.Sellers[0], key: h.As(t, apitest.Bearer(h.Demo.Sellers[0].APIKey))}
	apitest.Run(t, apitest.Steps{
		{"makes one under either path", w.makes},
		{"keeps what is absent and clears what is null", w.changes},
		{"takes a whole object back", w.takesBack},
		{"names what is wrong, all at once", w.refuses},
		{"shows the signing key to those who may list", w.hidesTheKey},
		{"lists and deletes", w.deletes},
		{"needs the feature", w.needsTheFeature},
	})
}

type webhooksOverREST struct {
	*apitest.Server
	seller demo.Seller
	key    *resttest.Client
}

// hook is a webhook as an answer shows it.
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

// wanted are the event types with true.
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
	all := hookOf(client.Get("/api/webhook/none")) // there is no such path to read one
	if all.ID != "" {
		t.Errorf("GET of one webhook answers: %+v", all)
	}
}

// changes is the three states of every optional member (decisions 1.4, behaviour B8).
func (w *webhooksOverREST) changes(t *testing.T) {
	client := w.key.In(t)
	made := hookOf(client.Post("/api/webhooks", object{
		"name": "Shop", "url": apitest.ListenerURL, "enabled": false, "hmacKey": "k", "events": object{"ticket.created": true},
	}))
	at := "/api/webhook/" + made.ID
	least := object{"name": "Shop", "url": apitest.ListenerURL}
	put := func(changes object) hook {
		t.Helper()
		body := maps.Clone(least)
		maps.Copy(body, changes)
		return hookOf(client.Put(at, body).Want(http.StatusCreated))
	}
	kept := put(nil)
	if kept.Enabled || kept.HMACKey == nil || *kept.HMACKey != "k" || !slices.Equal(kept.wanted(), []string{"ticket.created"}) {
		t.Errorf("absent members: %+v", kept)
	}
	if got := put(nil); got.UpdatedAt != made.UpdatedAt {
		t.Errorf("a change of nothing moved updatedAt from %s to %s", made.UpdatedAt, got.UpdatedAt)
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
		t.Errorf("null members: %+v", got)
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

// takesBack is what a generated client does: read, change a member, send the whole (decisions 1.5).
func (w *webhooksOverREST) takesBack(t *testing.T) {
	client := w.key.In(t)
	made := client.Post("/api/webhooks", object{"name": "Whole", "url": apitest.ListenerURL, "hmacKey": "k"}).Want(http.StatusCreated)
	var whole map[string]any
	made.Into(&whole)
	whole["enabled"], whole["sellerId"], whole["createdAt"] = false, "another", "2020-01-01T00:00:00.000Z"
	answer := client.Put("/api/webhook/"+made.Text("_id"), whole).Want(http.StatusCreated)
	written := answer.Text("sellerId") != string(w.seller.SellerID) || answer.Text("createdAt") != made.Text("createdAt")
	if written || hookOf(answer).Enabled {
		t.Errorf("read-only members were written: %s", answer.Body)
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
	// An own key on another's behalf: what stands in the body is not whose webhook it is.
	made := client.Post("/api/webhooks", object{"name": "x", "url": apitest.ListenerURL, "sellerId": w.Demo.Sellers[2].SellerID})
	if made.Want(http.StatusCreated).Text("sellerId") != string(w.seller.SellerID) {
		t.Errorf("sellerId was taken from the body: %s", made.Body)
	}
	if after := w.Count(t, "SELECT count(*) FROM webhooks"); after != before+1 {
		t.Errorf("%d webhooks became %d", before, after)
	}
}

// hidesTheKey: a right to change is no right to read (decisions 7.1).
func (w *webhooksOverREST) hidesTheKey(t *testing.T) {
	updater, err := w.Do.Keys.Create(w.ActingOn(t, w.seller), apikey.NewKey{
		Name: "Updater", Permissions: optional.Some([]domain.Permission{"webhooks:update"}),
	})
	systemtest.Must(t, err)
	made := hookOf(w.key.In(t).Post("/api/webhooks", object{"name": "Secret", "url": apitest.ListenerURL, "hmacKey": "shh"}))
	client := w.As(t, apitest.Bearer(updater.Secret))
	renamed := client.Put("/api/webhook/"+made.ID, object{"name": "Renamed", "url": apitest.ListenerURL}).Want(http.StatusCreated)
	if hookOf(renamed).HMACKey != nil {
		t.Errorf("the key is shown: %s", renamed.Body)
	}
	client.Get("/api/webhooks").Refused(http.StatusForbidden, "MISSING_PERMISSION")
	if got := hookOf(client.Delete("/api/webhook/" + made.ID).Want(http.StatusOK)); got.HMACKey != nil || got.Name != "Renamed" {
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
