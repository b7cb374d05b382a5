package webhooks

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/cmd/ticketgate/demo"
	"ticketgate/domain"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/ecmajson"
)

// TestListenerURLsInBothAPIs sends every URL of the table of package listenerurl as a webhook's URL, on create and on
// update and through both APIs. A refused URL is named by its path and not stored.
func TestListenerURLsInBothAPIs(t *testing.T) { //nolint:tparallel // the rows share a webhook
	t.Parallel()
	h := apitest.Open(t)
	seller := h.Demo.Sellers[0]
	u := &listenerURLs{Server: h, seller: seller, who: apitest.Bearer(seller.APIKey), hook: h.Webhook(t, seller, "Kept").ID}
	rows := urlRows(t)
	if len(rows) < 600 {
		t.Fatalf("read only %d rows", len(rows))
	}
	t.Run("refuses URLs that are not public", func(t *testing.T) {
		before := u.stored(t)
		for _, row := range rows {
			if !row.accept {
				u.refuses(t, row.url)
			}
		}
		if after := u.stored(t); after != before {
			t.Errorf("something was stored:\n%s\n%s", before, after)
		}
	})
	t.Run("accepts public URLs", func(t *testing.T) {
		for _, row := range rows {
			if row.accept {
				u.accepts(t, row.url)
			}
		}
	})
}

type listenerURLs struct {
	*apitest.Server
	seller demo.Seller
	who    apitest.Caller
	hook   string
}

type urlRow struct {
	accept bool
	url    string
}

// urlRows reads the table of package listenerurl. A URL in double quotes is a Go string.
func urlRows(t *testing.T) []urlRow {
	t.Helper()
	text, err := os.ReadFile("../../../domain/listenerurl/testdata/urls.tsv")
	systemtest.Must(t, err)
	var rows []urlRow
	for line := range strings.SplitSeq(strings.TrimSuffix(string(text), "\n"), "\n") {
		if strings.HasPrefix(line, "# ") {
			continue
		}
		columns := append(strings.Split(line, "\t"), "")
		row := urlRow{accept: columns[0] == "accept", url: columns[1]}
		if strings.HasPrefix(row.url, `"`) {
			row.url, err = strconv.Unquote(row.url)
			systemtest.Must(t, err)
		}
		rows = append(rows, row)
	}
	return rows
}

// stored returns every webhook of the seller from the database.
func (u *listenerURLs) stored(t *testing.T) string {
	t.Helper()
	var text string
	systemtest.Must(t, u.SQL.QueryRowContext(t.Context(), "SELECT jsonb_agg(w ORDER BY id)::text FROM webhooks w WHERE seller_id = $1",
		u.seller.SellerID).Scan(&text))
	return text
}

// calls returns the two operations with the URL in them.
func (u *listenerURLs) calls(address string) []apitest.Call {
	input := map[string]any{"name": "Hook", "url": address}
	return []apitest.Call{
		apitest.To(domain.CreateWebhook, map[string]any{"input": input}),
		apitest.To(domain.UpdateWebhook, map[string]any{"id": u.hook, "input": input}),
	}
}

func (u *listenerURLs) refuses(t *testing.T, address string) {
	t.Helper()
	if !utf8.ValidString(address) || strings.ContainsRune(address, 0) {
		u.refusesText(t, address)
		return
	}
	for _, c := range u.calls(address) {
		through, graph := u.ThroughREST(t, u.who, apitest.RoutesOf(c.Operation)[0], c), u.ThroughGraphQL(t, u.who, c)
		for _, o := range []apitest.Outcome{through, graph} {
			if o.Refusal.Code != string(domain.CodeValidationFailed) || len(o.Refusal.Details) != 1 || o.Refusal.Details[0].Path != "url" {
				t.Errorf("%s accepted %q, or refused it for another reason: %v", c.Operation, address, o)
			}
		}
		domaintest.Equal(t, fmt.Sprintf("REST's message for %q, compared with GraphQL's", address), through.Refusal.Message, graph.Refusal.Message)
		domaintest.Equal(t, fmt.Sprintf("REST's details for %q, compared with GraphQL's", address), through.Refusal.Details, graph.Refusal.Details)
	}
}

// refusesText sends invalid UTF-8. The readers of both APIs refuse it, each with its own path.
func (u *listenerURLs) refusesText(t *testing.T, address string) {
	t.Helper()
	body := ecmajson.AppendString([]byte(`{"name":"Hook","url":`), address)
	if !utf8.ValidString(address) {
		body = append([]byte(`{"name":"Hook","url":"`+address), '"')
	}
	body = append(body, '}')
	through := u.As(t, u.who).Post("/api/webhooks", json.RawMessage(body))
	const head = `{"query":"mutation($i: CreateWebhookInput!) { createWebhook(input: $i) { _id } }","variables":{"i":`
	graph := u.ExecuteBody(t, u.who, append(append([]byte(head), body...), "}}"...))
	if through.Status != http.StatusBadRequest || graph.Status != http.StatusBadRequest {
		t.Errorf("%q: REST %d %s, GraphQL %v", address, through.Status, through.Body, graph)
	}
}

func (u *listenerURLs) accepts(t *testing.T, address string) {
	t.Helper()
	for _, c := range u.calls(address) {
		through, graph := u.ThroughREST(t, u.who, apitest.RoutesOf(c.Operation)[0], c), u.ThroughGraphQL(t, u.who, c)
		for _, o := range []apitest.Outcome{through, graph} {
			created, _ := o.Result.(map[string]any)
			if o.Refusal.Code != "" || created["url"] != address {
				t.Errorf("%s of %q: %v", c.Operation, address, o)
			}
		}
	}
}

// A remote list calls a listener too, so the same rule applies. An existing list keeps its URL.
func TestAListAcceptsOnlyPublicListeners(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t)
	key := apitest.Bearer(h.Demo.Sellers[0].APIKey)
	for name, door := range h.APIs() {
		made := door.Does(t, key, domain.CreateAccessList, object{"input": object{"name": "Remote", "http": object{"url": apitest.ListenerURL}}})
		item := object{"id": made["_id"]}
		for _, url := range []string{
			"http://127.0.0.1/", "https://[::1]/", "http://169.254.169.254/latest", "http://localhost/", "http://gate.local/", "https://a@b.com/", "https:///", "lists", "",
		} {
			input := object{"name": "Remote", "http": object{"url": url}}
			door.Refuses(t, key, domain.UpdateAccessList, apitest.With(item, "input", input), domain.CodeValidationFailed, "http.url")
			door.Refuses(t, key, domain.CreateAccessList, object{"input": input}, domain.CodeValidationFailed, "http.url")
		}
		domaintest.Equal(t, name+" after refused changes", door.Does(t, key, domain.GetAccessList, item), made)
	}
}

// TestAccessListsOfWrongTypes tests wrong JSON types.
func TestAccessListsOfWrongTypes(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t)
	seller := h.Demo.Sellers[0]
	entries := "/api/access-lists/" + seller.AccessListID + "/entries"
	for _, row := range []struct{ path, body, wrong string }{
		{"/api/access-lists", `{}`, "name"},
		{"/api/access-lists", `{"name":null}`, "name"},
		{"/api/access-lists", `{"name":"L","type":"dynamic"}`, "type"},
		{"/api/access-lists", `{"name":"L","http":"https://demo.ticketgate.example"}`, "http"},
		{entries, `{}`, "externalCode"},
		{entries, `{"externalCode":7}`, "externalCode"},
		{entries, `{"externalCode":"A","meta":[]}`, "meta"},
	} {
		refused := h.REST.In(t).As(seller.APIKey).Post(row.path, json.RawMessage(row.body)).Refused(http.StatusBadRequest, "VALIDATION_FAILED")
		if apitest.PathsOf(refused) != row.wrong {
			t.Errorf("%s: got %+v, want %s", row.body, refused.Details, row.wrong)
		}
	}
}
