//go:build full

package splitting

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/ticketgate/demo"
)

func TestASellerMovesUnderLoad(t *testing.T) {
	t.Parallel()
	testMove(t, 3_000, 2)
}

// load is what callers do all the while, and what they were told.
type load struct {
	url     string
	seller  demo.Seller
	mutex   sync.Mutex
	created map[string]bool // codes of entries that were acknowledged
	events  map[string]bool // ids of events that were acknowledged
	checkin int             // scans that were approved
	refused time.Duration   // the longest time without an answer other than 503
	since   time.Time
	wrong   []string
	before  [2]int // entries and events of before
}

// testMove moves a seller with so many entries while so many callers of each kind go on, and then back home.
func testMove(t *testing.T, entries, callers int) {
	a, b, router, databases := twoClusters(t)
	made := systemtest.Seed(t, a.environment)
	moved, kept := made.Sellers[0], made.Sellers[1]
	run(t, a.sql, `INSERT INTO access_entries SELECT (json_populate_record(NULL::access_entries, (to_jsonb(e)
			|| jsonb_build_object('id', lpad(to_hex(n), 24, '0'), 'external_code', 'bulk ' || n))::json)).*
		FROM (SELECT * FROM access_entries WHERE seller_id = $1 LIMIT 1) e, generate_series(1, $2) n`, moved.SellerID, entries)
	listener, calls := systemtest.NewListener(t, func(int) int { return http.StatusOK })
	systemtest.Subscribed(t, router.URL, listener, moved)
	before := map[string]int{}
	static := []string{"tickets", "catalog_events", "ticket_types", "customers", "devices", "scan_groups", "api_keys", "webhooks", "access_lists"}
	for _, table := range static {
		before[table] = number(t, a.sql, "SELECT count(*) FROM "+table+" WHERE seller_id = $1", moved.SellerID)
	}

	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	moving, other := newLoad(router.URL, moved), newLoad(router.URL, kept)
	for _, l := range []*load{moving, other} {
		l.before = [2]int{
			number(t, a.sql, "SELECT count(*) FROM access_entries WHERE seller_id = $1", l.seller.SellerID),
			number(t, a.sql, "SELECT count(*) FROM events WHERE seller_id = $1 AND type = 'transaction.complete'", l.seller.SellerID),
		}
	}
	received := collect(calls)
	var running sync.WaitGroup
	for range callers {
		running.Go(func() { moving.createEntries(ctx, t) })
		running.Go(func() { moving.publish(ctx, t) })
		running.Go(func() { moving.scan(ctx, t) })
		running.Go(func() { other.createEntries(ctx, t) })
	}
	systemtest.Eventually(t, "the load runs", func() bool { return moving.count() > 20 && other.count() > 20 })

	systemtest.Eventually(t, "cluster b has the accounts", func() bool {
		return number(t, b.sql, "SELECT count(*) FROM sellers") == len(made.Sellers)
	})
	move := systemtest.Start(t, databases, "move-seller", string(moved.SellerID), "--to", "b")
	move.Await(move.Stdout, "switched")
	at := moving.count()
	systemtest.Eventually(t, "the load goes on at the other cluster", func() bool { return moving.count() > at+50 })
	if code, _, log := systemtest.Run(t, databases, "move-seller", string(moved.SellerID), "--to", "b"); code == 0 ||
		!strings.Contains(log, "being moved by another process") {
		t.Errorf("a second move: exit code %d, %s", code, log)
	}
	move.Await(move.Stdout, "rows removed")
	stop()
	running.Wait()

	t.Logf("%s", move.Stdout)
	t.Logf("entries: %d acknowledged, events: %d, refused for %v in one piece; another seller: %d entries, refused for %v",
		len(moving.created), len(moving.events), moving.refused, len(other.created), other.refused)
	for _, l := range []*load{moving, other} {
		for _, wrong := range l.wrong {
			t.Errorf("seller %s: %s", l.seller.Name, wrong)
		}
	}
	if moving.refused > 5*time.Second {
		t.Errorf("calls were refused for %v", moving.refused)
	}
	if other.refused != 0 {
		t.Errorf("calls of another seller were refused for %v", other.refused)
	}
	for _, table := range static {
		if got := number(t, b.sql, "SELECT count(*) FROM "+table+" WHERE seller_id = $1", moved.SellerID); got != before[table] {
			t.Errorf("%s: %d rows, before %d", table, got, before[table])
		}
	}
	for _, table := range append(static, "access_entries", "events", "deliveries", "scans", "device_feed", "audit_entries") {
		if left := number(t, a.sql, "SELECT count(*) FROM "+table+" WHERE seller_id = $1", moved.SellerID); left != 0 {
			t.Errorf("%s: %d rows are left", table, left)
		}
	}
	moving.check(t, b)
	other.check(t, a)
	var delivered map[string]int
	systemtest.Eventually(t, "every event is delivered", func() bool {
		delivered = received()
		return len(delivered) >= len(moving.events)
	})
	twice := 0
	for _, times := range delivered {
		if times > 1 {
			twice++
		}
	}
	if len(delivered) != len(moving.events) { // each event has one delivery
		t.Errorf("%d deliveries arrived, %d events were acknowledged", len(delivered), len(moving.events))
	}
	t.Logf("%d deliveries arrived, %d of them more than once", len(delivered), twice)
}

// collect takes the calls of a listener from now on, and returns what counts them by their events.
func collect(calls <-chan systemtest.Received) func() map[string]int {
	var mutex sync.Mutex
	counts := map[string]int{}
	go func() {
		for call := range calls {
			var body struct {
				ID string `json:"id"`
			}
			if json.Unmarshal([]byte(call.Body), &body) == nil {
				mutex.Lock()
				counts[body.ID]++
				mutex.Unlock()
			}
		}
	}()
	return func() map[string]int {
		mutex.Lock()
		defer mutex.Unlock()
		return maps.Clone(counts)
	}
}

func newLoad(url string, seller demo.Seller) *load {
	return &load{url: url, seller: seller, created: map[string]bool{}, events: map[string]bool{}}
}

func (l *load) count() int {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return len(l.created)
}

// call makes one call, and notes for how long such calls are refused. Done is called with what was acknowledged.
func (l *load) call(ctx context.Context, t *testing.T, path, body, header string, done func(answer string)) {
	t.Helper()
	began := time.Now()
	status, answer, err := systemtest.TryRequest(context.WithoutCancel(ctx), http.DefaultClient, http.MethodPost, l.url+path, body, header)
	l.mutex.Lock()
	defer l.mutex.Unlock()
	switch {
	case err != nil:
		l.wrong = append(l.wrong, err.Error())
	case status == http.StatusServiceUnavailable:
		if l.since.IsZero() {
			l.since = began
		}
		l.refused = max(l.refused, time.Since(l.since))
	case status >= http.StatusBadRequest || strings.Contains(answer, `"errors"`):
		l.wrong = append(l.wrong, fmt.Sprintf("%s: %d %s", path, status, answer))
	default:
		l.since = time.Time{}
		done(answer)
	}
}

func (l *load) createEntries(ctx context.Context, t *testing.T) {
	for ctx.Err() == nil {
		code := systemtest.Serial("moved ")
		l.call(ctx, t, "/api/access-lists/"+l.seller.AccessListID+"/entries", fmt.Sprintf(`{"externalCode": %q}`, code),
			systemtest.AsKey(l.seller.APIKey), func(string) { l.created[code] = true })
	}
}

func (l *load) publish(ctx context.Context, t *testing.T) {
	data, err := os.ReadFile("../../../docs/first-webhook.json")
	if err != nil {
		t.Error(err)
		return
	}
	body := systemtest.Printed(t, map[string]any{
		"query": `mutation($input: PublishEventInput!) { publishEvent(input: $input) { id } }`,
		"variables": map[string]any{"input": map[string]any{
			"sellerId": l.seller.SellerID, "type": "transaction.complete", "data": json.RawMessage(data),
		}},
	})
	for ctx.Err() == nil {
		l.call(ctx, t, "/graphql", body, "Authorization: Bearer "+systemtest.SystemToken, func(answer string) {
			l.events[systemtest.Field(t, answer, "data.publishEvent.id")] = true
		})
	}
}

// scan shows the same ticket again and again: it is admitted once, whichever cluster is asked.
func (l *load) scan(ctx context.Context, t *testing.T) {
	for ctx.Err() == nil {
		l.call(ctx, t, "/api/accessusers/tickets/"+l.seller.Barcode+"/scan", "", "Token: "+l.seller.DeviceToken, func(answer string) {
			if strings.Contains(answer, `"GRANTED"`) {
				l.checkin++
			}
		})
	}
}

// check compares what the cluster has with what was acknowledged.
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
			t.Errorf("the entry %q is there, and was not acknowledged", code)
		}
	}
	systemtest.Must(t, rows.Err())
	if want := len(l.created) + l.before[0]; stored != want {
		t.Errorf("seller %s: %d entries, want %d", l.seller.Name, stored, want)
	}
	if events := number(t, on.sql, "SELECT count(*) FROM events WHERE seller_id = $1 AND type = 'transaction.complete'",
		l.seller.SellerID); events-l.before[1] != len(l.events) {
		t.Errorf("seller %s: %d events, %d acknowledged", l.seller.Name, events, len(l.events))
	}
	if l.checkin > 1 {
		t.Errorf("seller %s: the ticket was admitted %d times", l.seller.Name, l.checkin)
	}
	_, total := systemtest.Request(t, http.MethodGet, l.url+"/api/access-lists/"+l.seller.AccessListID+"/entries?top=1", "",
		systemtest.AsKey(l.seller.APIKey))
	if !strings.Contains(total, fmt.Sprintf(`"total":%d`, stored)) {
		t.Errorf("seller %s: %d entries, and the list says %s", l.seller.Name, stored, total)
	}
}
