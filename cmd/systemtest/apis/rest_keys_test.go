package apis

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/cmd/ticketgate/demo"
	"ticketgate/domain"
	"ticketgate/domain/apikey"
	"ticketgate/domain/optional"
	"ticketgate/domain/secrets"
	"ticketgate/rest/resttest"
)

// TestKeysOverREST tests the life of a seller's keys.
func TestKeysOverREST(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t)
	seller := h.Demo.Sellers[0]
	k := &keysOverREST{Server: h, seller: seller, admin: h.As(t, h.Session(t, seller.AdminEmail, seller.AdminPassword))}
	apitest.Run(t, apitest.Steps{
		{"shows the secret once", k.showsTheSecretOnce},
		{"keeps omitted fields and clears null ones", k.changes},
		{"refuses to let keys manage keys", k.refusesKeys},
		{"limits the expiry", k.expiry},
		{"refuses all calls of a key without permissions", k.weak},
		{"empties the permissions of a key with full access", k.fullAccess},
		{"deactivates a key at once", k.stops},
		{"refuses all inactive keys with the same message", k.dead},
		{"returns the same default key to every caller", k.defaultKey},
		{"keeps an organization's keys apart", k.organization},
		{"allows at most a hundred keys", k.limit},
	})
}

type keysOverREST struct {
	*apitest.Server
	seller demo.Seller
	admin  *resttest.Client
}

func (k *keysOverREST) showsTheSecretOnce(t *testing.T) {
	client := k.admin.In(t)
	answer := client.Post("/api/keys", object{
		"name": " Gate & <door> ", "permissions": []string{"scans:create", "webhooks:list", "scans:create"}, "expiresAt": nil,
	}).Want(http.StatusCreated).Golden("keys_created")
	id, secret := answer.Text("_id"), answer.Text("key")
	client.Get("/api/keys/" + id).Want(http.StatusOK).Golden("keys_read")
	list := client.Get("/api/keys").Want(http.StatusOK)
	if strings.Contains(string(list.Body), secret) || strings.Contains(string(list.Body), `"key"`) {
		t.Errorf("the list shows a secret: %s", list.Body)
	}
	if hint := `"hint":"` + secret[:8] + "…" + secret[len(secret)-4:] + `"`; !strings.Contains(string(list.Body), hint) {
		t.Errorf("the list has no %s: %s", hint, list.Body)
	}
	k.As(t, apitest.Bearer(secret)).Get("/api/keys/info").Want(http.StatusOK).Golden("keys_info")
	k.As(t, apitest.Bearer(secret)).Post("/api/keys", object{"name": "x"}).Refused(http.StatusForbidden, "FORBIDDEN")
}

// changes tests omitted, null and set fields of an update.
func (k *keysOverREST) changes(t *testing.T) {
	client := k.admin.In(t)
	expiry := time.Now().Add(time.Hour).UTC().Truncate(time.Millisecond)
	answer := client.Post("/api/keys", object{"name": "Door", "expiresAt": expiry}).Want(http.StatusCreated)
	at := "/api/keys/" + answer.Text("_id")
	got := client.Put(at, object{"name": "Gate"}).Want(http.StatusOK).Text("expiresAt")
	if got != expiry.Format("2006-01-02T15:04:05.000Z") {
		t.Errorf("expiresAt: got %s, want %s", got, expiry)
	}
	var whole map[string]any
	client.Get(at).Into(&whole)
	whole["name"], whole["createdBy"], whole["version"] = "Sent back", object{"type": "USER", "id": "somebody"}, 7
	sentBack := client.Put(at, whole).Want(http.StatusOK)
	var after map[string]any
	sentBack.Into(&after)
	if after["version"] != 1.0 || after["createdBy"].(map[string]any)["id"] == "somebody" || after["name"] != "Sent back" {
		t.Errorf("a whole object sent back gave %s", sentBack.Body)
	}
	client.Put(at, object{"expiresAt": expiry.Add(time.Hour).UnixMilli()}).Want(http.StatusOK)
	client.Put(at, object{"expiresAt": nil}).Want(http.StatusOK).Golden("keys_never_expires")
	for _, wrong := range []any{true, object{}, []any{}, "", "tomorrow", "2027-02-30T00:00:00Z", 1.5} {
		refusal := client.Put(at, object{"expiresAt": wrong}).Refused(http.StatusBadRequest, "VALIDATION_FAILED")
		if refusal.Details[0].Path != "expiresAt" {
			t.Errorf("%v: %+v", wrong, refusal)
		}
	}
	client.Put(at, nil).Want(http.StatusOK)
	hint := client.Put(at, object{"permissionz": []string{}, "Name": "x"}).Golden("keys_unknown_members")
	hint.Refused(http.StatusBadRequest, "VALIDATION_FAILED")
}

// refusesKeys tests that keys never manage keys, and that a session manages only its own seller's.
func (k *keysOverREST) refusesKeys(t *testing.T) {
	other := k.Key(t, k.Demo.Sellers[1], "Other")
	for _, secret := range []string{k.seller.APIKey, k.Demo.Organizations[0].Key} {
		client := k.As(t, apitest.Bearer(secret))
		client.Post("/api/keys", object{"name": "x"}).Refused(http.StatusForbidden, "FORBIDDEN")
		client.Get("/api/keys").Refused(http.StatusForbidden, "FORBIDDEN")
		client.Get("/api/keys/"+other).Refused(http.StatusForbidden, "FORBIDDEN")
		client.Put("/api/keys/"+other, object{"name": "x"}).Refused(http.StatusForbidden, "FORBIDDEN")
	}
	k.As(t, apitest.Bearer(k.seller.APIKey)).Post("/api/keys/default", object{"sellerId": k.seller.SellerID}).
		Refused(http.StatusForbidden, "FORBIDDEN")
	k.admin.In(t).Get("/api/keys/"+other).Refused(http.StatusNotFound, "NOT_FOUND")
	k.admin.In(t).Put("/api/keys/"+other, object{"name": "x"}).Refused(http.StatusNotFound, "NOT_FOUND")
	k.admin.In(t).Get("/api/keys/info").Refused(http.StatusForbidden, "FORBIDDEN")
}

// expiry tests the limits of an expiry that don't need a fixed clock.
func (k *keysOverREST) expiry(t *testing.T) {
	now := time.Now().UTC()
	for name, row := range map[string]struct {
		expiry any
		status int
	}{
		"now":                          {now, 400},
		"in a minute":                  {now.Add(time.Minute), 201},
		"in a year":                    {now.AddDate(1, 0, 0), 201},
		"in a year and an hour":        {now.AddDate(1, 0, 0).Add(time.Hour), 400},
		"on a day that does not exist": {"2027-02-30T00:00:00Z", 400},
		"a word":                       {"tomorrow", 400},
		"a number":                     {now.Add(time.Hour).UnixMilli(), 400},
		"an object":                    {object{}, 400},
	} {
		t.Run(name, func(t *testing.T) {
			k.admin.In(t).Post("/api/keys", object{"name": "Expiring", "expiresAt": row.expiry}).Want(row.status)
		})
	}
	offset := now.Add(time.Hour).In(time.FixedZone("", 14*3600))
	made := k.admin.In(t).Post("/api/keys", object{"name": "Offset", "expiresAt": offset.Format(time.RFC3339Nano)}).Want(http.StatusCreated)
	if got, want := made.Text("expiresAt"), now.Add(time.Hour).Truncate(time.Millisecond).Format("2006-01-02T15:04:05.000Z"); got != want {
		t.Errorf("an offset: got %s, want %s", got, want)
	}
}

// weak tests keys without permissions.
func (k *keysOverREST) weak(t *testing.T) {
	for name, input := range map[string]object{
		"permissions omitted": {"name": "Weak", "fullSellerAccess": false},
		"no permissions":      {"name": "Weak", "fullSellerAccess": false, "permissions": []string{}},
	} {
		t.Run(name, func(t *testing.T) {
			secret := k.admin.In(t).Post("/api/keys", input).Want(http.StatusCreated).Text("key")
			client := k.As(t, apitest.Bearer(secret))
			client.Get("/api/keys/info").Want(http.StatusOK)
			client.Get("/api/webhooks").Golden("keys_missing_permission").Refused(http.StatusForbidden, "MISSING_PERMISSION")
		})
	}
}

// fullAccess tests a key with full access, and that repeated permissions are merged.
func (k *keysOverREST) fullAccess(t *testing.T) {
	client := k.admin.In(t)
	at := "/api/keys/" + client.Post("/api/keys", object{"name": "Full", "permissions": []string{"events:list"}}).Text("_id")
	for _, full := range []bool{true, false} {
		answer := client.Put(at, object{"fullSellerAccess": full}).Want(http.StatusOK)
		var key struct {
			Permissions      []string `json:"permissions"`
			FullSellerAccess bool     `json:"fullSellerAccess"`
		}
		answer.Into(&key)
		if key.FullSellerAccess != full || key.Permissions == nil || len(key.Permissions) > 0 {
			t.Errorf("after fullSellerAccess %v: %s", full, answer.Body)
		}
	}
}

// stops tests deactivation on one process. Other tests use several.
func (k *keysOverREST) stops(t *testing.T) {
	client := k.admin.In(t)
	answer := client.Post("/api/keys", object{"name": "Stopped", "permissions": []string{"webhooks:list"}}).Want(http.StatusCreated)
	caller, at := k.As(t, apitest.Bearer(answer.Text("key"))), "/api/keys/"+answer.Text("_id")
	caller.Get("/api/webhooks").Want(http.StatusOK)
	client.Put(at, object{"permissions": []string{"webhooks:create"}}).Want(http.StatusOK)
	caller.Get("/api/webhooks").Refused(http.StatusForbidden, "MISSING_PERMISSION")
	client.Put(at, object{"active": false}).Want(http.StatusOK)
	caller.Get("/api/keys/info").Refused(http.StatusUnauthorized, "UNAUTHENTICATED")
	client.Put(at, object{"active": true}).Want(http.StatusOK)
	caller.Get("/api/keys/info").Want(http.StatusOK)
	client.Put(at, object{"expiresAt": "2020-01-01T00:00:00Z"}).Want(http.StatusOK)
	caller.Get("/api/keys/info").Refused(http.StatusUnauthorized, "UNAUTHENTICATED")
}

// dead tests inactive keys.
func (k *keysOverREST) dead(t *testing.T) {
	client := k.admin.In(t)
	inactive := client.Post("/api/keys", object{"name": "Inactive", "active": false}).Want(http.StatusCreated).Text("key")
	for name, who := range map[string]apitest.Caller{
		"inactive":         apitest.Bearer(inactive),
		"unknown":          apitest.Bearer(secrets.New(secrets.APIKey)),
		"a wrong checksum": apitest.Bearer(inactive[:len(inactive)-1] + "g"),
		"a session":        apitest.Bearer(secrets.New(secrets.Session)),
		"a device":         apitest.Bearer(secrets.New(secrets.Device)),
	} {
		t.Run(name, func(t *testing.T) {
			refusal := k.As(t, who).Get("/api/keys/info").Golden("keys_dead").Refused(http.StatusUnauthorized, "UNAUTHENTICATED")
			if refusal.Message != "API key not found or expired" {
				t.Errorf("message: %s", refusal.Message)
			}
		})
	}
}

// defaultKey tests the default key.
func (k *keysOverREST) defaultKey(t *testing.T) {
	seller := k.Demo.Sellers[3]
	organization := k.As(t, apitest.Bearer(k.Demo.Organizations[0].Key))
	secrets := make(chan string, 12)
	var calls sync.WaitGroup
	for range cap(secrets) {
		calls.Go(func() {
			secrets <- organization.Post("/api/keys/default", object{"sellerId": seller.SellerID}).Text("key")
		})
	}
	calls.Wait()
	close(secrets)
	first := <-secrets
	for secret := range secrets {
		if secret != first {
			t.Errorf("two secrets: %s and %s", first, secret)
		}
	}
	if rows := k.Count(t, "SELECT count(*) FROM api_keys WHERE seller_id = $1 AND is_default", seller.SellerID); rows != 1 {
		t.Errorf("got %d default keys, want 1", rows)
	}
	answer := organization.Post("/api/keys/default", object{"sellerId": seller.SellerID}).Want(http.StatusOK).Golden("keys_default")
	id := answer.Text("_id")
	admin := k.As(t, k.Session(t, seller.AdminEmail, seller.AdminPassword))
	admin.Put("/api/keys/"+id, object{"active": false}).Want(http.StatusOK)
	again := admin.Post("/api/keys/default", object{"sellerId": seller.SellerID}).Want(http.StatusOK)
	var key struct {
		ID     string `json:"_id"`
		Secret string `json:"key"`
		Active bool   `json:"active"`
	}
	if again.Into(&key); key.ID != id || key.Secret != first || key.Active {
		t.Errorf("an inactive default key was returned as %s", again.Body)
	}
	for _, foreign := range []any{k.Demo.Sellers[2].SellerID, "0123456789abcdef01234567", "no id"} {
		organization.Post("/api/keys/default", object{"sellerId": foreign}).Refused(http.StatusNotFound, "NOT_FOUND")
	}
	organization.Post("/api/keys/default", nil).Refused(http.StatusBadRequest, "VALIDATION_FAILED")
}

// organization tests keys that belong to an organization.
func (k *keysOverREST) organization(t *testing.T) {
	org := k.seller.OrganizationID
	admin := k.As(t, k.OrganizationMember(t, k.seller, domain.Admin))
	answer := admin.Post("/api/keys", object{"name": "Organization", "orgId": org}).Want(http.StatusCreated).Golden("keys_of_organization")
	admin.Get("/api/keys/" + answer.Text("_id")).Want(http.StatusOK)
	admin.Get("/api/keys?orgId=" + string(org)).Want(http.StatusOK)
	for _, member := range []string{"permissions", "fullSellerAccess"} {
		value := map[string]any{"permissions": []string{"events:list"}, "fullSellerAccess": true}[member]
		refusal := admin.Post("/api/keys", object{"name": "x", "orgId": org, member: value}).
			Refused(http.StatusBadRequest, "VALIDATION_FAILED")
		if refusal.Details[0].Path != member {
			t.Errorf("%s: %+v", member, refusal)
		}
	}
	k.As(t, apitest.Bearer(answer.Text("key"))).Get("/api/webhooks").Refused(http.StatusForbidden, "FORBIDDEN")
	k.As(t, apitest.Bearer(answer.Text("key"))).Get("/api/keys/info").Want(http.StatusOK)
	k.admin.In(t).Get("/api/keys/"+answer.Text("_id")).Refused(http.StatusNotFound, "NOT_FOUND")
	k.admin.In(t).Get("/api/keys?orgId="+string(org)).Refused(http.StatusNotFound, "NOT_FOUND")
}

// limit tests that inactive keys count, including with concurrent creations.
func (k *keysOverREST) limit(t *testing.T) {
	seller := k.Demo.Sellers[1]
	client := k.As(t, k.Session(t, seller.AdminEmail, seller.AdminPassword))
	query := "SELECT count(*) FROM api_keys WHERE seller_id = $1"
	for k.Count(t, query, seller.SellerID) < apikey.MaxKeys-5 {
		_, err := k.Do.Keys.Create(k.ActingOn(t, seller), apikey.NewKey{Name: "Filling", Active: optional.Some(false)})
		systemtest.Must(t, err)
	}
	statuses := make(chan int, 30)
	var calls sync.WaitGroup
	for i := range cap(statuses) {
		calls.Go(func() { statuses <- client.Post("/api/keys", object{"name": fmt.Sprint("Racing ", i)}).Status })
	}
	calls.Wait()
	close(statuses)
	got := map[int]int{}
	for status := range statuses {
		got[status]++
	}
	if got[http.StatusCreated] != 5 || got[http.StatusBadRequest] != 25 || k.Count(t, query, seller.SellerID) != apikey.MaxKeys {
		t.Errorf("statuses %v, %d keys", got, k.Count(t, query, seller.SellerID))
	}
	refusal := client.Post("/api/keys", object{"name": "One more"}).Golden("keys_limit").
		Refused(http.StatusBadRequest, "API_KEY_LIMIT_REACHED")
	if !strings.Contains(refusal.Message, "inactive") {
		t.Errorf("the message does not say that inactive keys count: %s", refusal.Message)
	}
	organization := k.As(t, apitest.Bearer(k.Demo.Organizations[0].Key))
	organization.Post("/api/keys/default", object{"sellerId": seller.SellerID}).Want(http.StatusOK)
}
