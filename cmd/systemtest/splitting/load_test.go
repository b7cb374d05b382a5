package splitting

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/ticketgate/demo"
)

// load has the continuous calls of a seller's callers, and the confirmed results.
type load struct {
	url     string
	seller  demo.Seller
	data    []byte // of each event
	mutex   sync.Mutex
	created map[string]bool // codes of confirmed entries
	events  map[string]bool // ids of confirmed events
	checkin int             // approved scans
	refused time.Duration   // the longest time with no response but 503
	since   time.Time
	wrong   []string
	before  [2]int // entries and events before the load
}

func newLoad(t *testing.T, url string, seller demo.Seller, on *cluster) *load {
	t.Helper()
	data, err := os.ReadFile("../../../docs/first-webhook.json")
	systemtest.Must(t, err)
	return &load{url: url, seller: seller, data: data, created: map[string]bool{}, events: map[string]bool{}, before: [2]int{
		number(t, on.sql, "SELECT count(*) FROM access_entries WHERE seller_id = $1", seller.SellerID),
		number(t, on.sql, "SELECT count(*) FROM events WHERE seller_id = $1 AND type = 'transaction.complete'", seller.SellerID),
	}}
}

func (l *load) count() int {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return len(l.created)
}

// call makes a call and measures how long such calls are refused. done is called with a confirmed response.
func (l *load) call(ctx context.Context, t *testing.T, path, body, header string, done func(answer string)) {
	t.Helper()
	started := time.Now()
	status, answer, err := systemtest.TryRequest(context.WithoutCancel(ctx), http.DefaultClient, http.MethodPost, l.url+path, body, header)
	l.mutex.Lock()
	defer l.mutex.Unlock()
	switch {
	case err != nil:
		l.wrong = append(l.wrong, err.Error())
	case status == http.StatusServiceUnavailable:
		if l.since.IsZero() {
			l.since = started
		}
		l.refused = max(l.refused, time.Since(l.since))
	case status >= http.StatusBadRequest || strings.Contains(answer, `"errors"`):
		l.wrong = append(l.wrong, fmt.Sprintf("%s: %d %s", path, status, answer))
	default:
		l.since = time.Time{}
		done(answer)
	}
}

func (l *load) createEntry(ctx context.Context, t *testing.T) {
	t.Helper()
	code := systemtest.Serial("moved ")
	l.call(ctx, t, "/api/access-lists/"+l.seller.AccessListID+"/entries", fmt.Sprintf(`{"externalCode": %q}`, code),
		systemtest.AsKey(l.seller.APIKey), func(string) { l.created[code] = true })
}

func (l *load) publish(ctx context.Context, t *testing.T) {
	t.Helper()
	body := systemtest.Printed(t, map[string]any{
		"query": `mutation($input: PublishEventInput!) { publishEvent(input: $input) { id } }`,
		"variables": map[string]any{"input": map[string]any{
			"sellerId": l.seller.SellerID, "type": "transaction.complete", "data": json.RawMessage(l.data),
		}},
	})
	l.call(ctx, t, "/graphql", body, "Authorization: Bearer "+systemtest.SystemToken, func(answer string) {
		l.events[systemtest.Field(t, answer, "data.publishEvent.id")] = true
	})
}

// scan scans the same ticket repeatedly. It must be admitted once in total, on either cluster.
func (l *load) scan(ctx context.Context, t *testing.T) {
	t.Helper()
	l.call(ctx, t, "/api/accessusers/tickets/"+l.seller.Barcode+"/scan", "", "Token: "+l.seller.DeviceToken, func(answer string) {
		if strings.Contains(answer, `"GRANTED"`) {
			l.checkin++
		}
	})
}

// check compares the cluster's data with the confirmed results.
func (l *load) check(t *testing.T, on *cluster) {
	t.Helper()
	rows, err := on.sql.QueryContext(t.Context(), "SELECT external_code FROM access_entries WHERE seller_id = $1", l.seller.SellerID)
	systemtest.Must(t, err)
	defer rows.Close()
	stored := 0
	for rows.Next() {
		var code string
		systemtest.Must(t, rows.Scan(&code))
		stored++
		if strings.HasPrefix(code, "moved ") && !l.created[code] {
			t.Errorf("the entry %q exists, but was not confirmed", code)
		}
	}
	systemtest.Must(t, rows.Err())
	if want := len(l.created) + l.before[0]; stored != want {
		t.Errorf("seller %s: %d entries, want %d", l.seller.Name, stored, want)
	}
	if events := number(t, on.sql, "SELECT count(*) FROM events WHERE seller_id = $1 AND type = 'transaction.complete'",
		l.seller.SellerID); events-l.before[1] != len(l.events) {
		t.Errorf("seller %s: %d events, %d confirmed", l.seller.Name, events, len(l.events))
	}
	if l.checkin > 1 {
		t.Errorf("seller %s: the ticket was admitted %d times", l.seller.Name, l.checkin)
	}
	_, total := systemtest.Request(t, http.MethodGet, l.url+"/api/access-lists/"+l.seller.AccessListID+"/entries?top=1", "",
		systemtest.AsKey(l.seller.APIKey))
	if !strings.Contains(total, fmt.Sprintf(`"total":%d`, stored)) {
		t.Errorf("seller %s: %d entries, but the list's total is %s", l.seller.Name, stored, total)
	}
}
