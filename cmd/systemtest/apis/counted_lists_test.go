package apis

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"ticketgate/cmd/systemtest"
)

// TestTooManyEntriesAreRefusedByTheirNumber sends bodies with tens of thousands of entries, and names of hundreds of
// kilobytes. Each is refused by its number of entries, or with a short message (LIMIT-11).
func TestTooManyEntriesAreRefusedByTheirNumber(t *testing.T) {
	t.Parallel()
	database, data := systemtest.Seeded(t)
	s := systemtest.Serve(t, systemtest.OnDatabase(database), "--no-workers")
	seller := data.Sellers[0]
	const many = 30_000
	names := func(item string) []string {
		list := make([]string, many)
		for i := range list {
			list[i] = fmt.Sprintf("%s%05d", item, i)
		}
		return list
	}
	chosen, unknown := map[string]bool{}, map[string]any{"name": "x"}
	for _, name := range names("scan.creatd") {
		chosen[name], unknown[name] = true, true
	}
	long := strings.Repeat("x", 900_000)
	events := func(of any) object { return object{"name": "x", "url": "https://example.org/", "events": of} }
	group := func(config object) object { return object{"name": "x", "scanConfig": config} }
	manyTypes := group(object{"events": []object{{"eventId": "e", "allowedTicketTypeIds": names("t")}}})
	entries := fmt.Sprintf("must have at most 1000 entries, not %d", many)
	for name, row := range map[string]struct {
		method, path string
		body         any
		says         string
	}{
		"event types of a webhook":     {http.MethodPost, "/api/webhooks", events(chosen), "events " + entries},
		"an event type of 900 kB":      {http.MethodPost, "/api/webhooks", events(map[string]bool{long: true}), "is not an event type"},
		"unknown fields":               {http.MethodPost, "/api/webhooks", unknown, "and"},
		"a field name of 900 kB":       {http.MethodPost, "/api/webhooks", map[string]any{long: 1}, "is not a known field"},
		"events of a scan group":       {http.MethodPost, "/api/scan-groups", group(object{"events": objects(names("e"))}), entries},
		"ticket types of a scan group": {http.MethodPost, "/api/scan-groups", manyTypes, "must name at most 10000"},
		"events of tap and go":         {http.MethodPost, "/api/scan-groups", group(object{"tapAndGo": object{"eventIds": names("e")}}), entries},
		"a type of list of 900 kB":     {http.MethodPost, "/api/access-lists", object{"name": "x", "type": long}, "type"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			body, err := json.Marshal(row.body)
			systemtest.Must(t, err)
			status, answer := systemtest.Request(t, row.method, s.URL+row.path, string(body), "Authorization: Bearer "+seller.APIKey)
			if status != http.StatusBadRequest || !strings.Contains(answer, row.says) || len(answer) > 64<<10 {
				t.Errorf("got %d, %d bytes: %.300s", status, len(answer), answer)
			}
		})
	}
	for name, row := range map[string]struct {
		query string
		input object
		says  string
	}{
		"events of a device": {
			`mutation($input: CreateAccessUserInput!) { createAccessUser(input: $input) { _id } }`,
			object{"name": "x", "events": names("e")},
			entries,
		},
		"event types of a webhook": {
			`mutation($input: CreateWebhookInput!) { createWebhook(input: $input) { _id } }`, events(chosen), entries,
		},
	} {
		t.Run("GraphQL: "+name, func(t *testing.T) {
			t.Parallel()
			body, err := json.Marshal(object{"query": row.query, "variables": object{"input": row.input}})
			systemtest.Must(t, err)
			_, answer := systemtest.Request(t, http.MethodPost, s.URL+"/graphql", string(body), "Authorization: Bearer "+seller.APIKey)
			if !strings.Contains(answer, row.says) || len(answer) > 64<<10 || strings.Contains(answer, "does not exist") {
				t.Errorf("got %d bytes: %.300s", len(answer), answer)
			}
		})
	}
	t.Run("columns of a file", func(t *testing.T) {
		t.Parallel()
		list := createList(t, s.URL, seller.APIKey)
		_, answer := systemtest.Request(t, http.MethodPost, s.URL+"/api/access-lists/"+list+"/entries/imports",
			strings.Join(names("c")[:5000], ",")+"\n", "Authorization: Bearer "+seller.APIKey, "Content-Type: text/csv")
		if !strings.Contains(answer, "must have at most 1000 entries") || len(answer) > 64<<10 {
			t.Errorf("got %.300s", answer)
		}
	})
}

// objects returns events for a scan group's configuration.
func objects(ids []string) []object {
	list := make([]object, len(ids))
	for i, id := range ids {
		list[i] = object{"eventId": id}
	}
	return list
}

func createList(t *testing.T, url, key string) string {
	t.Helper()
	status, answer := systemtest.Request(t, http.MethodPost, url+"/api/access-lists", `{"name":"x","type":"static"}`, "Authorization: Bearer "+key)
	if status != http.StatusCreated && status != http.StatusOK {
		t.Fatalf("%d %s", status, answer)
	}
	return systemtest.Field(t, answer, "_id")
}
