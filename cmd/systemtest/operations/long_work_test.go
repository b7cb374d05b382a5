package operations

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/cmd/ticketgate/demo"
	"ticketgate/domain"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/sale"
	"ticketgate/domain/share"
	"ticketgate/domain/webhook"
)

const longRows = share.Ordinary + 1

func mutate(t *testing.T, h *apitest.Server, key, document string, input any) apitest.Response {
	t.Helper()
	return h.SendJSON(t, http.MethodPost, "/graphql", object{"query": document, "variables": object{"input": input}}, systemtest.AsKey(key))
}

// staged creates an access list with a staged import of longRows rows.
func staged(t *testing.T, h *apitest.Server, key string) (list, imported string) {
	t.Helper()
	list = systemtest.Field(t, h.SendJSON(t, http.MethodPost, "/api/access-lists", object{"name": systemtest.Serial("list ")}, systemtest.AsKey(key)).Text, "_id")
	result := h.Send(t, http.MethodPost, "/api/access-lists/"+list+"/entries/imports", "text/csv", codesOf(longRows), systemtest.AsKey(key))
	return list, systemtest.Field(t, result.Text, "_id")
}

func codesOf(rows int) string {
	var file strings.Builder
	for n := range rows {
		fmt.Fprintf(&file, "code %d\n", n)
	}
	return file.String()
}

// waiting returns the number of statements that wait for a lock.
func waiting(t *testing.T, h *apitest.Server) int {
	t.Helper()
	return h.Count(t, "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'")
}

func untilWaiting(t *testing.T, h *apitest.Server, statements int) {
	t.Helper()
	for waiting(t, h) < statements {
		select {
		case <-t.Context().Done():
			t.Fatal("nothing waits for the lock")
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// keepBusy takes one share of the seller until release is called.
func keepBusy(t *testing.T, h *apitest.Server, seller demo.Seller) (release func()) {
	t.Helper()
	started, end, done := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		_ = h.Program.Store().Webhooks().InLongTx(h.ActingOn(t, seller), seller.SellerID, share.Whole,
			func(context.Context, webhook.Tx) error {
				close(started)
				<-end
				return nil
			})
	}()
	<-started
	release = sync.OnceFunc(func() {
		close(end)
		<-done
	})
	t.Cleanup(release)
	return release
}

// longCall is one kind of long work.
type longCall struct {
	name string
	// send runs it with a number of rows.
	send func(t *testing.T, rows int) apitest.Response
	// whole means that the work counts as long with any number of rows.
	whole bool
}

// kinds prepares each kind of long work of the seller.
func kinds(t *testing.T, h *apitest.Server, seller demo.Seller) []longCall {
	t.Helper()
	key := seller.APIKey
	step := func(list, imported, step string) func(*testing.T, int) apitest.Response {
		return func(t *testing.T, _ int) apitest.Response {
			t.Helper()
			return h.SendJSON(t, http.MethodPost, "/api/access-lists/"+list+"/entries/imports/"+imported+"/"+step, object{}, systemtest.AsKey(key))
		}
	}
	list, toCommit := staged(t, h, key)
	doomed, toUndo := staged(t, h, key)
	if done := step(doomed, toUndo, "commit")(t, 0); done.Status != http.StatusOK {
		t.Fatalf("commit: %+v", done)
	}
	canceled, toCancel := staged(t, h, key)
	filtered, toFilter := staged(t, h, key)
	step(filtered, toFilter, "commit")(t, 0)
	document := func(document string, input func(rows int) any) func(*testing.T, int) apitest.Response {
		return func(t *testing.T, rows int) apitest.Response {
			t.Helper()
			return mutate(t, h, key, document, input(rows))
		}
	}
	deliveries := pending(t, h, seller, longRows)
	return []longCall{
		{"commit", step(list, toCommit, "commit"), true},
		{"undo", step(doomed, toUndo, "undo"), true},
		{"cancel", func(t *testing.T, _ int) apitest.Response {
			t.Helper()
			return h.SendJSON(t, http.MethodDelete, "/api/access-lists/"+canceled+"/entries/imports/"+toCancel, nil, systemtest.AsKey(key))
		}, true},
		{"a file", func(t *testing.T, rows int) apitest.Response {
			t.Helper()
			return h.Send(t, http.MethodPost, "/api/access-lists/"+list+"/entries/imports", "text/csv", codesOf(rows), systemtest.AsKey(key))
		}, false},
		{"rows in GraphQL", document(`mutation($input: PreviewEntryImportInput!) { previewEntryImport(input: $input) { _id } }`,
			func(rows int) any { return object{"listId": list, "rows": someRows(rows)} }), false},
		{"a text in GraphQL", document(`mutation($input: PreviewEntryImportInput!) { previewEntryImport(input: $input) { _id } }`,
			func(rows int) any {
				return object{"listId": list, "text": codesOf(rows), "columns": []string{"externalCode"}}
			}), false},
		{"entries by filter", document(`mutation($input: DeleteAccessListEntriesInput!) { deleteAccessListEntries(listId: "`+filtered+
			`", input: $input) { count } }`, func(int) any { return object{"filter": object{}, "count": longRows} }), true},
		{"tickets", document(`mutation($input: ImportTicketsInput!) { importTickets(input: $input) { created } }`,
			func(rows int) any { return object{"tickets": someTickets(seller, rows)} }), false},
		{"transactions", document(`mutation($input: ImportTransactionsInput!) { importTransactions(input: $input) { created } }`,
			func(rows int) any { return object{"transactions": someTransactions(seller, rows)} }), false},
		{"scans", func(t *testing.T, rows int) apitest.Response {
			t.Helper()
			return h.SendJSON(t, http.MethodPost, "/api/accessusers/scans/"+seller.EventID, someScans(rows),
				"token: "+seller.DeviceToken)
		}, false},
		{"deliveries", document(`mutation($input: RetriggerDeliveriesInput!) { retriggerDeliveries(input: $input) { id } }`,
			func(rows int) any { return object{"ids": deliveries[:rows]} }), false},
		{"a list", func(t *testing.T, _ int) apitest.Response {
			t.Helper()
			return h.SendJSON(t, http.MethodDelete, "/api/access-lists/"+filtered, nil, systemtest.AsKey(key))
		}, true},
	}
}

// pending creates deliveries of the seller that are never attempted.
func pending(t *testing.T, h *apitest.Server, seller demo.Seller, number int) (ids []string) {
	t.Helper()
	result := h.SendJSON(t, http.MethodPost, "/api/webhooks", object{
		"name": "W", "url": "https://hooks.example.org/", "enabled": true, "events": object{"customer.created": true},
	}, systemtest.AsKey(seller.APIKey))
	if result.Status != http.StatusCreated {
		t.Fatalf("webhook: %+v", result)
	}
	_, err := h.Program.Store().Webhooks().PublishAll(h.ActingOn(t, seller), slices.Repeat([]domain.Event{
		{SellerID: seller.SellerID, Type: "customer.created", Data: []byte(`{"customer":{}}`)},
	}, number))
	systemtest.Must(t, err)
	rows, err := h.SQL.QueryContext(t.Context(), "SELECT id FROM deliveries WHERE webhook_id = $1", systemtest.Field(t, result.Text, "_id"))
	systemtest.Must(t, err)
	defer rows.Close()
	for rows.Next() {
		var id string
		systemtest.Must(t, rows.Scan(&id))
		ids = append(ids, id)
	}
	systemtest.Must(t, rows.Err())
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

func someTickets(seller demo.Seller, rows int) []any {
	return some(rows, func(n int) any {
		id := fmt.Sprintf("long-%d", n)
		return object{
			"_id": id, "sellerId": seller.SellerID, "eventId": seller.EventID, "ticketTypeId": "tt", "ticketName": "Day",
			"status": "VALID", "secret": "s", "barcode": id,
		}
	})
}

func someTransactions(seller demo.Seller, rows int) []any {
	return some(rows, func(n int) any {
		value := sale.TransactionDefinition.With(domaintest.Document(sale.TransactionDefinition), "sellerId",
			ecmajson.NewString(string(seller.SellerID)))
		value = sale.TransactionDefinition.With(value, "_id", ecmajson.NewString(fmt.Sprintf("long-%d", n)))
		return json.RawMessage(value.Append(nil))
	})
}

func someScans(rows int) []any {
	return some(rows, func(n int) any {
		return object{"id": fmt.Sprint("scan ", n), "barcode": "unknown", "scanned_at": "2026-01-01T10:00:00Z", "type": "FAIL"}
	})
}

// TestLongWorkDelaysNoOtherSeller keeps a seller's only share busy. Each other kind of long work of the seller is
// refused and stores nothing. Its ordinary requests and all requests of another seller succeed (LIMIT-1).
func TestLongWorkDelaysNoOtherSeller(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t, "TICKETGATE_LONG_WORK=3", "TICKETGATE_LONG_WORK_PER_SELLER=1", "TICKETGATE_LONG_WORK_WAIT=50ms")
	seller, neighbor := h.Demo.Sellers[0], h.Demo.Sellers[1]
	mine, theirs := kinds(t, h, seller), kinds(t, h, neighbor)
	log := "SELECT count(*) FROM scans WHERE seller_id = $1"
	tickets := "SELECT count(*) FROM tickets WHERE seller_id = $1"
	before := h.Count(t, log, seller.SellerID) + h.Count(t, tickets, seller.SellerID)
	release := keepBusy(t, h, seller)
	for _, kind := range mine {
		if got := kind.send(t, longRows); got.Status != http.StatusTooManyRequests || !strings.Contains(got.Text, "RATE_LIMITED") || got.Waits == "" {
			t.Errorf("%s: got %+v", kind.name, got)
		}
	}
	if after := h.Count(t, log, seller.SellerID) + h.Count(t, tickets, seller.SellerID); after != before {
		t.Errorf("refused calls stored %d rows", after-before)
	}
	for _, kind := range theirs {
		if got := kind.send(t, longRows); got.Status >= http.StatusBadRequest || strings.Contains(got.Text, `"errors"`) {
			t.Errorf("the other seller's %s: got %+v", kind.name, got)
		}
	}
	for _, kind := range mine {
		if kind.whole {
			continue
		}
		if got := kind.send(t, share.Ordinary); got.Status >= http.StatusBadRequest || strings.Contains(got.Text, `"errors"`) {
			t.Errorf("an ordinary %s: got %+v", kind.name, got)
		}
	}
	release()
	for _, kind := range mine { // repeated
		if got := kind.send(t, longRows); got.Status >= http.StatusBadRequest || strings.Contains(got.Text, `"errors"`) {
			t.Errorf("%s, repeated: got %+v", kind.name, got)
		}
	}
	if after := h.Count(t, log, seller.SellerID) + h.Count(t, tickets, seller.SellerID); after != before+2*longRows {
		t.Errorf("sent twice: %d rows were stored, want %d", after-before, 2*longRows)
	}
}

// TestManyCommitsOfOneSeller commits eight imports at once while the seller's share is taken. They wait for it, and
// another seller is served meanwhile (LIMIT-1).
func TestManyCommitsOfOneSeller(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t, "TICKETGATE_LONG_WORK=2", "TICKETGATE_LONG_WORK_PER_SELLER=1", "TICKETGATE_DATABASE_CONNECTIONS=2")
	seller, neighbor := h.Demo.Sellers[0], h.Demo.Sellers[1]
	const commits = 8
	statuses, paths := make(chan int, commits), [commits]string{}
	for i := range paths {
		list, imported := staged(t, h, seller.APIKey)
		paths[i] = "/api/access-lists/" + list + "/entries/imports/" + imported + "/commit"
	}
	release := keepBusy(t, h, seller)
	for _, path := range paths {
		go func() {
			status, _, err := systemtest.TryRequest(t.Context(), http.DefaultClient, http.MethodPost, h.URL+path, "{}", systemtest.AsKey(seller.APIKey))
			if err != nil {
				status = 0
			}
			statuses <- status
		}()
	}
	for _, call := range []apitest.Response{
		h.Send(t, http.MethodGet, "/api/keys/info", "", "", systemtest.AsKey(neighbor.APIKey)),
		h.Send(t, http.MethodPost, "/api/accessusers/tickets/"+neighbor.Barcode+"/scan", "application/json", "", "token: "+neighbor.DeviceToken),
		h.Send(t, http.MethodGet, "/readyz", "", ""),
		h.Send(t, http.MethodGet, "/api/access-lists", "", "", systemtest.AsKey(seller.APIKey)),
	} {
		if call.Status != http.StatusOK {
			t.Errorf("meanwhile: %+v", call)
		}
	}
	if len(statuses) > 0 {
		t.Errorf("a commit ended early with %d", <-statuses)
	}
	release()
	for range commits {
		if status := <-statuses; status != http.StatusOK {
			t.Errorf("a waiting commit ended with %d", status)
		}
	}
}

// TestLockWaitsLeaveConnections lets a seller's uploads wait for a lock that the test holds. They take
// two of the four connections, and another seller of the same organization gets one (LIMIT-2).
func TestLockWaitsLeaveConnections(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t, "TICKETGATE_DATABASE_CONNECTIONS=4")
	seller, neighbor := h.Demo.Sellers[0], h.Demo.Sellers[1]
	scan := func(of demo.Seller) apitest.Response {
		return h.Send(t, http.MethodPost, "/api/accessusers/tickets/"+of.Barcode+"/scan", "application/json", "", "token: "+of.DeviceToken)
	}
	if first := scan(seller); first.Status != http.StatusOK {
		t.Fatalf("got %+v", first)
	}
	lock, err := h.SQL.BeginTx(t.Context(), nil)
	systemtest.Must(t, err)
	_, err = lock.ExecContext(t.Context(), "SELECT FROM scan_places WHERE seller_id = $1 FOR UPDATE", seller.SellerID)
	systemtest.Must(t, err)
	var uploads sync.WaitGroup
	for n := range 4 {
		uploads.Go(func() {
			body := fmt.Sprintf(`[{"id":"%d","barcode":%q,"scanned_at":"2026-01-01T10:00:00Z","type":"OK"}]`, n, seller.Barcode)
			_, _, _ = systemtest.TryRequest(t.Context(), http.DefaultClient, http.MethodPost,
				h.URL+"/api/accessusers/scans/"+seller.EventID, body, "token: "+seller.DeviceToken)
		})
	}
	const most = 2
	untilWaiting(t, h, most)
	if theirs := scan(neighbor); theirs.Status != http.StatusOK {
		t.Errorf("the other seller's scan: %+v", theirs)
	}
	if waiting := waiting(t, h); waiting != most {
		t.Errorf("%d uploads waited when the other seller was served, want %d", waiting, most)
	}
	systemtest.Must(t, lock.Rollback())
	uploads.Wait()
}
