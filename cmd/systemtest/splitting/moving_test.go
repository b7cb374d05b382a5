package splitting

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"sync"
	"testing"
	"time"

	"ticketgate/cmd/systemtest"
)

// moving is two clusters with a seller that moves between them and another one that stays, while callers of both continue.
type moving struct {
	a, b        *cluster
	databases   []string
	moved, kept *load
	received    func() map[string]int
	before      map[string]int // rows of static tables
	running     sync.WaitGroup
	stop        func()
}

// static are tables whose rows the load doesn't change.
var static = []string{
	"tickets", "catalog_events", "ticket_types", "customers", "devices", "scan_groups", "api_keys", "webhooks", "access_lists",
}

// newMoving starts clusters and adds entries to the seller.
func newMoving(t *testing.T, entries int) *moving {
	t.Helper()
	a, b, router, databases := twoClusters(t)
	data := systemtest.Seed(t, a.environment)
	moved, kept := data.Sellers[0], data.Sellers[1]
	run(t, a.sql, `INSERT INTO access_entries SELECT (json_populate_record(NULL::access_entries, (to_jsonb(e)
			|| jsonb_build_object('id', lpad(to_hex(n), 24, '0'), 'external_code', 'bulk ' || n))::json)).*
		FROM (SELECT * FROM access_entries WHERE seller_id = $1 LIMIT 1) e, generate_series(1, $2) n`, moved.SellerID, entries)
	listener, calls := systemtest.NewListener(t, func(int) int { return http.StatusOK })
	systemtest.Subscribed(t, router.URL, listener, moved)
	systemtest.Eventually(t, "cluster b has the accounts", func() bool {
		return number(t, b.sql, "SELECT count(*) FROM sellers") == len(data.Sellers)
	})
	m := &moving{
		a: a, b: b, databases: databases, before: map[string]int{}, received: collect(calls),
		moved: newLoad(t, router.URL, moved, a), kept: newLoad(t, router.URL, kept, a),
	}
	for _, table := range static {
		m.before[table] = number(t, a.sql, "SELECT count(*) FROM "+table+" WHERE seller_id = $1", moved.SellerID)
	}
	return m
}

// start starts a number of callers for each kind of call, until stop is called. With 0, each seller has one caller that
// makes its calls one after the other.
func (m *moving) start(t *testing.T, callers int) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	m.stop = func() {
		stop()
		m.running.Wait()
	}
	t.Cleanup(m.stop)
	type call = func(context.Context, *testing.T)
	again := func(calls ...call) {
		m.running.Go(func() {
			for ctx.Err() == nil {
				for _, call := range calls {
					call(ctx, t)
				}
			}
		})
	}
	if callers == 0 {
		again(m.moved.createEntry, m.moved.publish, m.moved.scan, m.kept.createEntry)
	}
	for range callers {
		for _, call := range []call{m.moved.createEntry, m.moved.publish, m.moved.scan, m.kept.createEntry} {
			again(call)
		}
	}
	m.goesOn(t)
}

// goesOn waits until the seller's callers succeed again.
func (m *moving) goesOn(t *testing.T) {
	t.Helper()
	at := m.moved.count()
	systemtest.Eventually(t, "the seller is served", func() bool { return m.moved.count() > at+20 })
}

// command starts the command that moves the seller.
func (m *moving) command(t *testing.T, arguments ...string) *systemtest.Process {
	t.Helper()
	return systemtest.Start(t, m.databases, append([]string{"move-seller", string(m.moved.seller.SellerID)}, arguments...)...)
}

// await waits for a step of a move. On a busy machine that takes minutes.
func await(t *testing.T, command *systemtest.Process, what string, done func() bool) {
	t.Helper()
	for deadline := time.After(10 * time.Minute); !done(); {
		select {
		case <-command.Ended:
			t.Fatalf("the move ended before: %s: %s%s", what, command.Stdout, command.Stderr)
		case <-deadline:
			t.Fatalf("timed out waiting for: %s: %s", what, command.Stdout)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// ends waits until the command has ended. It makes the command, whose seller has moved, skip waiting for earlier
// requests.
func (m *moving) ends(t *testing.T, command *systemtest.Process, from *cluster) {
	t.Helper()
	await(t, command, "away", func() bool {
		return number(t, from.sql, "SELECT count(*) FROM seller_moves WHERE seller_id = $1 AND state = 'away'", m.moved.seller.SellerID) == 1
	})
	run(t, from.sql, "UPDATE seller_moves SET changed_at = changed_at - interval '150 s' WHERE seller_id = $1", m.moved.seller.SellerID)
	<-command.Ended
	if code := command.Cmd.ProcessState.ExitCode(); code != 0 {
		t.Fatalf("exit code %d: %s", code, command.Stderr)
	}
}

// check ends the load, and compares the clusters' data with what callers were told.
func (m *moving) check(t *testing.T, left, on *cluster) {
	t.Helper()
	m.stop()
	for _, l := range []*load{m.moved, m.kept} {
		for _, wrong := range l.wrong {
			t.Errorf("seller %s: %s", l.seller.Name, wrong)
		}
	}
	if m.kept.refused != 0 {
		t.Errorf("calls of another seller were refused for %v", m.kept.refused)
	}
	seller := m.moved.seller.SellerID
	for _, table := range static {
		if got := number(t, on.sql, "SELECT count(*) FROM "+table+" WHERE seller_id = $1", seller); got != m.before[table] {
			t.Errorf("%s: %d rows, before %d", table, got, m.before[table])
		}
	}
	for _, table := range append(static, "access_entries", "events", "deliveries", "scans", "device_feed", "audit_entries") {
		if rows := number(t, left.sql, "SELECT count(*) FROM "+table+" WHERE seller_id = $1", seller); rows != 0 {
			t.Errorf("%s: %d rows remain", table, rows)
		}
	}
	m.moved.check(t, on)
	m.kept.check(t, m.a)
	for what, query := range map[string]string{
		"entries without a change in the device feed": `SELECT count(*) FROM access_entries e WHERE seller_id = $1
			AND NOT EXISTS (SELECT FROM device_feed f WHERE f.seller_id = $1 AND f.object_id = e.id)`,
		"repeated changes in the device feed": `SELECT count(*) - count(DISTINCT object_id) FROM device_feed
			WHERE seller_id = $1 AND type = 'entry.granted'`,
		"missing numbers in the device feed": "SELECT coalesce(max(seq) - count(seq), 0) FROM device_feed WHERE seller_id = $1",
	} {
		if found := number(t, on.sql, query, seller); found != 0 {
			t.Errorf("found %d %s", found, what)
		}
	}
	var delivered map[string]int
	systemtest.Eventually(t, "every event is delivered", func() bool {
		delivered = m.received()
		return len(delivered) >= len(m.moved.events)
	})
	systemtest.Eventually(t, "every attempt has its record", func() bool {
		return number(t, on.sql, `SELECT sum(attempts) - (SELECT count(*) FROM attempts) FROM deliveries WHERE seller_id = $1`, seller) == 0
	})
	twice := 0
	for _, times := range delivered {
		if times > 1 {
			twice++
		}
	}
	if len(delivered) != len(m.moved.events) { // each event has one delivery
		t.Errorf("%d deliveries arrived, %d events were confirmed", len(delivered), len(m.moved.events))
	}
	t.Logf("entries: %d acknowledged, events: %d, refused for %v in one piece; another seller: %d entries", len(m.moved.created),
		len(m.moved.events), m.moved.refused, len(m.kept.created))
	t.Logf("%d deliveries arrived, %d of them more than once", len(delivered), twice)
}

// checkEnded checks that no trace of a move remains on a cluster.
func checkEnded(t *testing.T, clusters ...*cluster) {
	t.Helper()
	for _, c := range clusters {
		for what, query := range map[string]string{
			"publications":       `SELECT count(*) FROM pg_publication WHERE pubname LIKE 'ticketgate\_move%'`,
			"subscriptions":      `SELECT count(*) FROM pg_subscription WHERE subname LIKE 'ticketgate\_move%'`,
			"slots":              `SELECT count(*) FROM pg_replication_slots WHERE slot_name LIKE 'ticketgate\_move%'`,
			"triggers":           `SELECT count(*) FROM pg_trigger WHERE tgname LIKE 'ticketgate\_move%'`,
			"replica identities": `SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relreplident = 'f'`,
		} {
			if left := number(t, c.sql, query); left != 0 {
				t.Errorf("%d %s remain", left, what)
			}
		}
	}
}

// collect collects the calls of a listener from now on, and returns a function that counts them by event.
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
