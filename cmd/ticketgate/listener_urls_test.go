package main

import (
	"encoding/json"
	"net/http"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
)

// TestListenerURLsThroughBothDoors sends every URL of the rule's own table as that of a webhook, on create and on update
// and through both doors: what is refused is refused with its path and stored nowhere (decisions 7.8, behaviour D14).
func TestListenerURLsThroughBothDoors(t *testing.T) { //nolint:tparallel // the rows share a webhook
	t.Parallel()
	h := openHouse(t)
	seller := h.world.Sellers[0]
	u := &listenerURLs{house: h, seller: seller, who: bearer(seller.APIKey), hook: h.webhook(t, seller, "Kept").ID}
	rows := urlRows(t)
	if len(rows) < 600 {
		t.Fatalf("only %d rows were read", len(rows))
	}
	t.Run("refuses what is not public", func(t *testing.T) {
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
	t.Run("accepts what is", func(t *testing.T) {
		for _, row := range rows {
			if row.accept {
				u.accepts(t, row.url)
			}
		}
	})
}

type listenerURLs struct {
	*house
	seller seededSeller
	who    caller
	hook   string
}

type urlRow struct {
	accept bool
	url    string
}

// urlRows reads the table of package listenerurl; a URL in double quotes is a Go string.
func urlRows(t *testing.T) []urlRow {
	t.Helper()
	text, err := os.ReadFile("../../domain/listenerurl/testdata/urls.tsv")
	must(t, err)
	var rows []urlRow
	for line := range strings.SplitSeq(strings.TrimSuffix(string(text), "\n"), "\n") {
		if strings.HasPrefix(line, "# ") {
			continue
		}
		columns := append(strings.Split(line, "\t"), "")
		row := urlRow{accept: columns[0] == "accept", url: columns[1]}
		if strings.HasPrefix(row.url, `"`) {
			row.url, err = strconv.Unquote(row.url)
			must(t, err)
		}
		rows = append(rows, row)
	}
	return rows
}

// stored is every webhook of the seller, as the database has it.
func (u *listenerURLs) stored(t *testing.T) string {
	t.Helper()
	var text string
	must(t, u.sql.QueryRowContext(t.Context(), "SELECT jsonb_agg(w ORDER BY id)::text FROM webhooks w WHERE seller_id = $1",
		u.seller.SellerID).Scan(&text))
	return text
}

// calls are the two operations with the URL in them.
func (u *listenerURLs) calls(address string) []call {
	input := map[string]any{"name": "Hook", "url": address}
	return []call{
		{domain.CreateWebhook, map[string]any{"input": input}},
		{domain.UpdateWebhook, map[string]any{"id": u.hook, "input": input}},
	}
}

func (u *listenerURLs) refuses(t *testing.T, address string) {
	t.Helper()
	if !utf8.ValidString(address) || strings.ContainsRune(address, 0) {
		u.refusesText(t, address)
		return
	}
	for _, c := range u.calls(address) {
		through, graph := u.throughREST(t, u.who, routesOf(c.operation)[0], c), u.throughGraphQL(t, u.who, c)
		for _, o := range []outcome{through, graph} {
			if o.refusal.Code != string(domain.CodeValidationFailed) || len(o.refusal.Details) != 1 || o.refusal.Details[0].Path != "url" {
				t.Errorf("%s accepted or refused otherwise %q: %v", c.operation, address, o)
			}
		}
		if through.refusal.Message != graph.refusal.Message || !reflect.DeepEqual(through.refusal.Details, graph.refusal.Details) {
			t.Errorf("%q: REST %v, GraphQL %v", address, through, graph)
		}
	}
}

// refusesText sends bytes that are no text: the readers of both doors refuse them, each with its own path.
func (u *listenerURLs) refusesText(t *testing.T, address string) {
	t.Helper()
	body := ecmajson.AppendString([]byte(`{"name":"Hook","url":`), address)
	if !utf8.ValidString(address) {
		body = append([]byte(`{"name":"Hook","url":"`+address), '"')
	}
	body = append(body, '}')
	through := u.as(t, u.who).Post("/api/webhooks", json.RawMessage(body))
	const head = `{"query":"mutation($i: CreateWebhookInput!) { createWebhook(input: $i) { _id } }","variables":{"i":`
	graph := u.executeBody(t, u.who, append(append([]byte(head), body...), "}}"...))
	if through.Status != http.StatusBadRequest || graph.status != http.StatusBadRequest {
		t.Errorf("%q: REST %d %s, GraphQL %v", address, through.Status, through.Body, graph)
	}
}

func (u *listenerURLs) accepts(t *testing.T, address string) {
	t.Helper()
	for _, c := range u.calls(address) {
		through, graph := u.throughREST(t, u.who, routesOf(c.operation)[0], c), u.throughGraphQL(t, u.who, c)
		for _, o := range []outcome{through, graph} {
			made, _ := o.result.(map[string]any)
			if o.refusal.Code != "" || made["url"] != address {
				t.Errorf("%s of %q: %v", c.operation, address, o)
			}
		}
	}
}

// A remote list asks a listener, to which the same holds: a list that is there keeps its URL (decisions 5.5, 7.8).
func TestAListKeepsToPublicListeners(t *testing.T) {
	t.Parallel()
	h := openHouse(t)
	key := bearer(h.world.Sellers[0].APIKey)
	for name, door := range h.doors() {
		made := door.does(t, key, domain.CreateAccessList, object{"input": object{"name": "Remote", "http": object{"url": listenerURL}}})
		one := object{"id": made["_id"]}
		for _, url := range []string{
			"http://127.0.0.1/", "https://[::1]/", "http://169.254.169.254/latest", "http://localhost/", "http://gate.local/", "https://a@b.com/", "https:///", "lists", "",
		} {
			input := object{"name": "Remote", "http": object{"url": url}}
			door.refuses(t, key, domain.UpdateAccessList, with(one, "input", input), domain.CodeValidationFailed, "http.url")
			door.refuses(t, key, domain.CreateAccessList, object{"input": input}, domain.CodeValidationFailed, "http.url")
		}
		if read := door.does(t, key, domain.GetAccessList, one); !reflect.DeepEqual(read, made) {
			t.Errorf("%s: %v has become %v", name, made, read)
		}
	}
}

// TestAccessListsOfWrongTypes tries what only the text of a body can say.
func TestAccessListsOfWrongTypes(t *testing.T) {
	t.Parallel()
	h := openHouse(t)
	seller := h.world.Sellers[0]
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
		refused := h.rest.In(t).As(seller.APIKey).Post(row.path, json.RawMessage(row.body)).Refused(http.StatusBadRequest, "VALIDATION_FAILED")
		if pathsOf(refused) != row.wrong {
			t.Errorf("%s: got %+v, want %s", row.body, refused.Details, row.wrong)
		}
	}
}
