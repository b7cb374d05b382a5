package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/sale"
	"ticketgate/domain/share"
	"ticketgate/domain/webhook"
)

const longRows = share.Ordinary + 1

// answered is an HTTP response; waits is its Retry-After.
type answered struct {
	status      int
	text, waits string
}

func (h *house) send(t *testing.T, method, path, contentType, body string, headers ...string) answered {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, h.url+path, strings.NewReader(body))
	must(t, err)
	r.Header.Set("Content-Type", contentType)
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(r)
	must(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	must(t, err)
	return answered{response.StatusCode, string(text), response.Header.Get("Retry-After")}
}

func (h *house) sendJSON(t *testing.T, method, path string, body any, headers ...string) answered {
	t.Helper()
	text, err := json.Marshal(body)
	must(t, err)
	return h.send(t, method, path, "application/json", string(text), headers...)
}

func (h *house) mutate(t *testing.T, key, document string, input any) answered {
	t.Helper()
	return h.sendJSON(t, http.MethodPost, "/graphql", object{"query": document, "variables": object{"input": input}}, asKey(key))
}

func asKey(key string) string { return "Authorization: Bearer " + key }

// staged makes an access list, and an import of longRows rows that is staged.
func (h *house) staged(t *testing.T, key string) (list, imported string) {
	t.Helper()
	list = member(t, h.sendJSON(t, http.MethodPost, "/api/access-lists", object{"name": serial("list ")}, asKey(key)).text, "_id")
	made := h.send(t, http.MethodPost, "/api/access-lists/"+list+"/entries/imports", "text/csv", codesOf(longRows), asKey(key))
	return list, member(t, made.text, "_id")
}

func codesOf(rows int) string {
	var file strings.Builder
	for n := range rows {
		fmt.Fprintf(&file, "code %d\n", n)
	}
	return file.String()
}

// waiting is how many statements wait for a lock.
func (h *house) waiting(t *testing.T) int {
	t.Helper()
	return h.count(t, "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'")
}

func (h *house) untilWaiting(t *testing.T, statements int) {
	t.Helper()
	for h.waiting(t) < statements {
		select {
		case <-t.Context().Done():
			t.Fatal("nothing waits for the lock")
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// keepBusy takes one share of the seller until the returned function gives it back.
func (h *house) keepBusy(t *testing.T, seller seededSeller) (release func()) {
	t.Helper()
	began, end, done := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		_ = h.program.store.Webhooks().InLongTx(h.actingOn(t, seller), seller.SellerID, share.Whole,
			func(context.Context, webhook.Tx) error {
				close(began)
				<-end
				return nil
			})
	}()
	<-began
	release = sync.OnceFunc(func() {
		close(end)
		<-done
	})
	t.Cleanup(release)
	return release
}

// longCall is one kind of long work on so many rows.
type longCall struct {
	name string
	// send does it with so many rows.
	send func(t *testing.T, rows int) answered
	// whole says that it is long whatever the number of rows.
	whole bool
}

// kinds prepares each kind of long work of the seller.
func (h *house) kinds(t *testing.T, seller seededSeller) []longCall {
	t.Helper()
	key := seller.APIKey
	step := func(list, imported, step string) func(*testing.T, int) answered {
		return func(t *testing.T, _ int) answered {
			t.Helper()
			return h.sendJSON(t, http.MethodPost, "/api/access-lists/"+list+"/entries/imports/"+imported+"/"+step, object{}, asKey(key))
		}
	}
	list, toCommit := h.staged(t, key)
	doomed, toUndo := h.staged(t, key)
	if done := step(doomed, toUndo, "commit")(t, 0); done.status != http.StatusOK {
		t.Fatalf("commit: %+v", done)
	}
	canceled, toCancel := h.staged(t, key)
	filtered, toFilter := h.staged(t, key)
	step(filtered, toFilter, "commit")(t, 0)
	document := func(document string, input func(rows int) any) func(*testing.T, int) answered {
		return func(t *testing.T, rows int) answered {
			t.Helper()
			return h.mutate(t, key, document, input(rows))
		}
	}
	deliveries := h.pending(t, seller, longRows)
	return []longCall{
		{"commit", step(list, toCommit, "commit"), true},
		{"undo", step(doomed, toUndo, "undo"), true},
		{"cancel", func(t *testing.T, _ int) answered {
			t.Helper()
			return h.sendJSON(t, http.MethodDelete, "/api/access-lists/"+canceled+"/entries/imports/"+toCancel, nil, asKey(key))
		}, true},
		{"a file", func(t *testing.T, rows int) answered {
			t.Helper()
			return h.send(t, http.MethodPost, "/api/access-lists/"+list+"/entries/imports", "text/csv", codesOf(rows), asKey(key))
		}, false},
		{"rows in GraphQL", document(`mutation($input: PreviewEntryImportInput!) { previewEntryImport(input: $input) { _id } }`,
			func(rows int) any { return object{"listId": list, "rows": someRows(rows)} }), false},
		{"entries by filter", document(`mutation($input: DeleteAccessListEntriesInput!) { deleteAccessListEntries(listId: "`+filtered+
			`", input: $input) { count } }`, func(int) any { return object{"filter": object{}, "count": longRows} }), true},
		{"tickets", document(`mutation($input: ImportTicketsInput!) { importTickets(input: $input) { created } }`,
			func(rows int) any { return object{"tickets": someTickets(seller, rows)} }), false},
		{"transactions", document(`mutation($input: ImportTransactionsInput!) { importTransactions(input: $input) { created } }`,
			func(rows int) any { return object{"transactions": someTransactions(seller, rows)} }), false},
		{"scans", func(t *testing.T, rows int) answered {
			t.Helper()
			return h.sendJSON(t, http.MethodPost, "/api/accessusers/scans/"+seller.EventID, someScans(rows),
				"token: "+seller.DeviceToken)
		}, false},
		{"deliveries", document(`mutation($input: RetriggerDeliveriesInput!) { retriggerDeliveries(input: $input) { id } }`,
			func(rows int) any { return object{"ids": deliveries[:rows]} }), false},
		{"a list", func(t *testing.T, _ int) answered {
			t.Helper()
			return h.sendJSON(t, http.MethodDelete, "/api/access-lists/"+filtered, nil, asKey(key))
		}, true},
	}
}

// pending makes so many deliveries of the seller that nothing attempts.
func (h *house) pending(t *testing.T, seller seededSeller, number int) (ids []string) {
	t.Helper()
	made := h.sendJSON(t, http.MethodPost, "/api/webhooks", object{
		"name": "W", "url": "https://hooks.example.org/", "enabled": true, "events": object{"customer.created": true},
	}, asKey(seller.APIKey))
	if made.status != http.StatusCreated {
		t.Fatalf("webhook: %+v", made)
	}
	_, err := h.program.store.Webhooks().PublishAll(h.actingOn(t, seller), slices.Repeat([]domain.Event{
		{SellerID: seller.SellerID, Type: "customer.created", Data: []byte(`{"customer":{}}`)},
	}, number))
	must(t, err)
	rows, err := h.sql.QueryContext(t.Context(), "SELECT id FROM deliveries WHERE webhook_id = $1", member(t, made.text, "_id"))
	must(t, err)
	defer rows.Close()
	for rows.Next() {
		var id string
		must(t, rows.Scan(&id))
		ids = append(ids, id)
	}
	must(t, rows.Err())
	return ids
}

func some(rows int, row func(n int) any) []any {
	all := make([]any, rows)
	for n := range all {
		all[n] = row(n)
	}
	return all
}

func someRows(rows int) []any {
	return some(rows, func(n int) any { return object{"externalCode": fmt.Sprint("row ", n)} })
}

func someTickets(seller seededSeller, rows int) []any {
	return some(rows, func(n int) any {
		id := fmt.Sprintf("long-%d", n)
		return object{
			"_id": id, "sellerId": seller.SellerID, "eventId": seller.EventID, "ticketTypeId": "tt", "ticketName": "Day",
			"status": "VALID", "secret": "s", "barcode": id,
		}
	})
}

func someTransactions(seller seededSeller, rows int) []any {
	return some(rows, func(n int) any {
		made := sale.TransactionDefinition.With(domaintest.Document(sale.TransactionDefinition), "sellerId",
			ecmajson.NewString(string(seller.SellerID)))
		made = sale.TransactionDefinition.With(made, "_id", ecmajson.NewString(fmt.Sprintf("long-%d", n)))
		return json.RawMessage(made.Append(nil))
	})
}

func someScans(rows int) []any {
	return some(rows, func(n int) any {
		return object{"id": fmt.Sprint("scan ", n), "barcode": "unknown", "scanned_at": "2026-01-01T10:00:00Z", "type": "FAIL"}
	})
}

// TestLongWorkHarmsNobodyElse keeps a seller's only share busy: each further kind of long work of the seller is refused and
// stores nothing, its ordinary requests and everything of another seller go on (LIMIT-1).
func TestLongWorkHarmsNobodyElse(t *testing.T) {
	t.Parallel()
	h := openHouse(t, "TICKETGATE_LONG_WORK=3", "TICKETGATE_LONG_WORK_PER_SELLER=1", "TICKETGATE_LONG_WORK_WAIT=50ms")
	seller, neighbour := h.world.Sellers[0], h.world.Sellers[1]
	mine, theirs := h.kinds(t, seller), h.kinds(t, neighbour)
	log := "SELECT count(*) FROM scans WHERE seller_id = $1"
	tickets := "SELECT count(*) FROM tickets WHERE seller_id = $1"
	before := h.count(t, log, seller.SellerID) + h.count(t, tickets, seller.SellerID)
	release := h.keepBusy(t, seller)
	for _, kind := range mine {
		if got := kind.send(t, longRows); got.status != http.StatusTooManyRequests || !strings.Contains(got.text, "RATE_LIMITED") || got.waits == "" {
			t.Errorf("%s: got %+v", kind.name, got)
		}
	}
	if after := h.count(t, log, seller.SellerID) + h.count(t, tickets, seller.SellerID); after != before {
		t.Errorf("what was refused has stored %d rows", after-before)
	}
	for _, kind := range theirs {
		if got := kind.send(t, longRows); got.status >= http.StatusBadRequest || strings.Contains(got.text, `"errors"`) {
			t.Errorf("the other seller's %s: got %+v", kind.name, got)
		}
	}
	for _, kind := range mine {
		if kind.whole {
			continue
		}
		if got := kind.send(t, share.Ordinary); got.status >= http.StatusBadRequest || strings.Contains(got.text, `"errors"`) {
			t.Errorf("an ordinary %s: got %+v", kind.name, got)
		}
	}
	release()
	for _, kind := range mine { // handed in again
		if got := kind.send(t, longRows); got.status >= http.StatusBadRequest || strings.Contains(got.text, `"errors"`) {
			t.Errorf("%s, again: got %+v", kind.name, got)
		}
	}
	if after := h.count(t, log, seller.SellerID) + h.count(t, tickets, seller.SellerID); after != before+2*longRows {
		t.Errorf("handed in twice, %d rows came, not %d", after-before, 2*longRows)
	}
}

// TestManyCommitsOfOneSeller commits eight imports at once while the seller's share is taken: they wait for it, and meanwhile a neighbour is served (LIMIT-1).
func TestManyCommitsOfOneSeller(t *testing.T) {
	t.Parallel()
	h := openHouse(t, "TICKETGATE_LONG_WORK=2", "TICKETGATE_LONG_WORK_PER_SELLER=1", "TICKETGATE_DATABASE_CONNECTIONS=2")
	seller, neighbour := h.world.Sellers[0], h.world.Sellers[1]
	const commits = 8
	statuses, paths := make(chan int, commits), [commits]string{}
	for i := range paths {
		list, imported := h.staged(t, seller.APIKey)
		paths[i] = "/api/access-lists/" + list + "/entries/imports/" + imported + "/commit"
	}
	release := h.keepBusy(t, seller)
	for _, path := range paths {
		go func() {
			status, _, err := tryRequest(t.Context(), http.DefaultClient, http.MethodPost, h.url+path, "{}", asKey(seller.APIKey))
			if err != nil {
				status = 0
			}
			statuses <- status
		}()
	}
	for _, call := range []answered{
		h.send(t, http.MethodGet, "/api/keys/info", "", "", asKey(neighbour.APIKey)),
		h.send(t, http.MethodPost, "/api/accessusers/tickets/"+neighbour.Barcode+"/scan", "application/json", "", "token: "+neighbour.DeviceToken),
		h.send(t, http.MethodGet, "/readyz", "", ""),
		h.send(t, http.MethodGet, "/api/access-lists", "", "", asKey(seller.APIKey)),
	} {
		if call.status != http.StatusOK {
			t.Errorf("meanwhile: %+v", call)
		}
	}
	if len(statuses) > 0 {
		t.Errorf("a commit ended early, with %d", <-statuses)
	}
	release()
	for range commits {
		if status := <-statuses; status != http.StatusOK {
			t.Errorf("a commit that waited ends with %d", status)
		}
	}
}

// TestRequestsThatWaitForLocksLeaveConnections lets a seller's uploads wait for a lock that the test holds: they take two of
// the four connections, and a neighbour of the same organization has another (LIMIT-2).
func TestRequestsThatWaitForLocksLeaveConnections(t *testing.T) {
	t.Parallel()
	h := openHouse(t, "TICKETGATE_DATABASE_CONNECTIONS=4")
	seller, neighbour := h.world.Sellers[0], h.world.Sellers[1]
	scan := func(of seededSeller) answered {
		return h.send(t, http.MethodPost, "/api/accessusers/tickets/"+of.Barcode+"/scan", "application/json", "", "token: "+of.DeviceToken)
	}
	if first := scan(seller); first.status != http.StatusOK {
		t.Fatalf("got %+v", first)
	}
	lock, err := h.sql.BeginTx(t.Context(), nil)
	must(t, err)
	_, err = lock.ExecContext(t.Context(), "SELECT FROM scan_places WHERE seller_id = $1 FOR UPDATE", seller.SellerID)
	must(t, err)
	var uploads sync.WaitGroup
	for n := range 4 {
		uploads.Go(func() {
			body := fmt.Sprintf(`[{"id":"%d","barcode":%q,"scanned_at":"2026-01-01T10:00:00Z","type":"OK"}]`, n, seller.Barcode)
			_, _, _ = tryRequest(t.Context(), http.DefaultClient, http.MethodPost,
				h.url+"/api/accessusers/scans/"+seller.EventID, body, "token: "+seller.DeviceToken)
		})
	}
	const most = 2
	h.untilWaiting(t, most)
	if theirs := scan(neighbour); theirs.status != http.StatusOK {
		t.Errorf("the other seller's scan: %+v", theirs)
	}
	if waiting := h.waiting(t); waiting != most {
		t.Errorf("%d uploads waited when the other seller was served, not %d", waiting, most)
	}
	must(t, lock.Rollback())
	uploads.Wait()
}
