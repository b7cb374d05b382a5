package main

import (
	"maps"
	"net/http"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/access"
	"ticketgate/domain/apikey"
)

// TestAskingIsNoUseOfAPermission calls what shows more to keys with another permission (ASK-1): the key's usage counts
// the permissions of the calls alone, and no refusal.
func TestAskingIsNoUseOfAPermission(t *testing.T) {
	t.Parallel()
	h := openHouse(t)
	seller := h.world.Sellers[0]
	remote := access.NewListener{URL: "https://lists.example.org/", HMACKey: domain.Some("secret")}
	_, err := h.do.AccessLists.Create(h.actingOn(t, seller), access.NewList{Name: "Remote", HTTP: domain.Some(remote)})
	must(t, err)
	permissions := []domain.Permission{"accessLists:list", "scans:create", "webhooks:create", "webhooks:update"}
	made, err := h.do.Keys.Create(h.actingOn(t, seller), apikey.NewKey{Name: "Gate", Permissions: domain.Some(permissions)})
	must(t, err)
	client := h.rest.In(t).With("Authorization", "Bearer "+made.Secret)

	client.Get("/api/access-lists").Want(http.StatusOK)
	code := h.code(t, seller, "asked")
	client.Post("/api/accessusers/tickets/"+code+"/scan?eventId="+seller.EventID+"&deviceId="+seller.DeviceID, nil).Want(http.StatusOK)
	webhook := object{"name": "W", "url": "https://hooks.example.org/"}
	id := client.Post("/api/webhooks", webhook).Want(http.StatusCreated).Text("_id")
	client.Put("/api/webhook/"+id, webhook).Want(http.StatusCreated)
	trial := call{domain.TestAccessCode, object{"code": code, "eventId": seller.EventID}}
	if o := h.throughGraphQL(t, bearer(made.Secret), trial); o.refusal.Code != "" {
		t.Fatal(o)
	}

	want := map[domain.Permission]int{permissions[0]: 2, permissions[1]: 1, permissions[2]: 1, permissions[3]: 1}
	var usage apikey.Usage
	used := map[domain.Permission]int{}
	for deadline := time.Now().Add(30 * time.Second); !maps.Equal(used, want) && time.Now().Before(deadline); {
		usage, err = h.do.Keys.Usage(h.actingOn(t, seller), made.ID) // calls are written a while after their responses
		must(t, err)
		for _, need := range usage.Used {
			used[need.Permission] = need.Calls
		}
	}
	if !maps.Equal(used, want) {
		t.Errorf("used %v, want %v", used, want)
	}
	if len(usage.Refused) > 0 {
		t.Errorf("refused: %v", usage.Refused)
	}
}
