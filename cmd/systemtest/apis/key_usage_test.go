package apis

import (
	"net/http"
	"testing"
	"time"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/domain"
	"ticketgate/domain/apikey"
	"ticketgate/domain/optional"
)

// Calls with a key to either API are counted within seconds, with the permissions that the key lacked.
func TestTheUsageOfAKeyCountsItsCalls(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t)
	seller := h.Demo.Sellers[0]
	key, err := h.Do.Keys.Create(h.ActingOn(t, seller), apikey.NewKey{
		Name: "Gate", Permissions: optional.Some([]domain.Permission{"accessLists:list"}),
	})
	systemtest.Must(t, err)
	client := h.REST.In(t).With("Authorization", "Bearer "+key.Secret)
	for path, status := range map[string]int{
		"/api/access-lists": http.StatusOK, "/api/access-lists?top=0": http.StatusBadRequest, "/api/scan-groups": http.StatusForbidden,
	} {
		if answer := client.Do(http.MethodGet, path, nil); answer.Status != status {
			t.Fatalf("%s: %d", path, answer.Status)
		}
	}
	refusal := h.ThroughGraphQL(t, apitest.Bearer(key.Secret), apitest.Call{Operation: domain.ListEvents})
	if refusal.Refusal.Code != "MISSING_PERMISSION" {
		t.Fatalf("through GraphQL: %v", refusal)
	}

	var usage apikey.Usage
	for deadline := time.Now().Add(30 * time.Second); len(usage.Refused) < 2 && time.Now().Before(deadline); {
		usage, err = h.Do.Keys.Usage(h.ActingOn(t, seller), key.ID)
		systemtest.Must(t, err)
	}
	calls := map[int]int{}
	for _, of := range usage.Calls {
		calls[of.Status] += of.Calls
	}
	if len(calls) != 3 || calls[200] != 2 || calls[400] != 1 || calls[403] != 1 {
		t.Errorf("calls by status: %v", calls)
	}
	if len(usage.Used) != 1 || usage.Used[0].Permission != "accessLists:list" || usage.Used[0].Calls != 2 {
		t.Errorf("used: %+v", usage.Used)
	}
	refused := map[domain.Permission]int{}
	for _, need := range usage.Refused {
		refused[need.Permission] = need.Calls
	}
	if len(refused) != 2 || refused["scanGroups:list"] != 1 || refused["events:list"] != 1 {
		t.Errorf("refused: %v", refused)
	}
}
