package apis

import (
	"maps"
	"net/http"
	"testing"
	"time"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/domain"
	"ticketgate/domain/access"
	"ticketgate/domain/apikey"
	"ticketgate/domain/optional"
)

// TestAskingForAPermissionIsNotUse makes calls that return more with another permission, with keys that lack it
// (ASK-1). A key's usage counts only the permissions of its calls, and no refusal.
func TestAskingForAPermissionIsNotUse(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t)
	seller := h.Demo.Sellers[0]
	remote := access.NewListener{URL: "https://lists.example.org/", HMACKey: optional.Some("secret")}
	_, err := h.Do.AccessLists.Create(h.ActingOn(t, seller), access.NewList{Name: "Remote", HTTP: optional.Some(remote)})
	systemtest.Must(t, err)
	permissions := []domain.Permission{"accessLists:list", "scans:create", "webhooks:create", "webhooks:update"}
	key, err := h.Do.Keys.Create(h.ActingOn(t, seller), apikey.NewKey{Name: "Gate", Permissions: optional.Some(permissions)})
	systemtest.Must(t, err)
	client := h.REST.In(t).With("Authorization", "Bearer "+key.Secret)

	client.Get("/api/access-lists").Want(http.StatusOK)
	code := h.Code(t, seller, "asked")
	client.Post("/api/accessusers/tickets/"+code+"/scan?eventId="+seller.EventID+"&deviceId="+seller.DeviceID, nil).Want(http.StatusOK)
	webhook := object{"name": "W", "url": "https://hooks.example.org/"}
	id := client.Post("/api/webhooks", webhook).Want(http.StatusCreated).Text("_id")
	client.Put("/api/webhook/"+id, webhook).Want(http.StatusCreated)
	trial := apitest.To(domain.TestAccessCode, object{"code": code, "eventId": seller.EventID})
	if o := h.ThroughGraphQL(t, apitest.Bearer(key.Secret), trial); o.Refusal.Code != "" {
		t.Fatal(o)
	}

	want := map[domain.Permission]int{permissions[0]: 2, permissions[1]: 1, permissions[2]: 1, permissions[3]: 1}
	var usage apikey.Usage
	used := map[domain.Permission]int{}
	for deadline := time.Now().Add(30 * time.Second); !maps.Equal(used, want) && time.Now().Before(deadline); {
		usage, err = h.Do.Keys.Usage(h.ActingOn(t, seller), key.ID) // calls are recorded some time after their responses
		systemtest.Must(t, err)
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
