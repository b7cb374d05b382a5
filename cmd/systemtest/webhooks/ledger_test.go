package webhooks

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/ticketgate/demo"
	"ticketgate/domain/webhook"
)

// ledgerKey signs the calls to a ledger's listener.
const ledgerKey = "a ledger's key"

// ledger records both sides of a seller's only webhook: what was accepted for publication, and what the listener received. At
// the end the two must agree, whatever died in between.
type ledger struct {
	t        *testing.T // for the listener, which outlives the tests of single faults
	settings []string   // of programs on its database
	seller   demo.Seller
	sql      *sql.DB
	url      string
	// answer returns the status of the response to a complete call. repeat is the number of earlier calls with the same
	// body.
	answer func(mark string, repeat int) int

	mutex sync.Mutex
	// accepted are the marks of events whose publication was confirmed; unsure those of calls without a response.
	accepted, unsure map[string]bool
	bodies           map[string]string // by the delivery's id
	calls            map[string]int    // by the event's mark
	total            int
}

// newLedger creates an installation on a new database.
func newLedger(t *testing.T, more ...string) *ledger {
	t.Helper()
	database, data := systemtest.Seeded(t)
	if pooler := systemtest.PoolerOfTests(t, database); pooler != nil {
		more = append(more, pooler.Settings...)
	}
	return openLedger(t, systemtest.OnDatabase(database, more...), database.ApplicationURL, data.Sellers[0])
}

// openLedger creates a ledger for a seller of a database that programs with these settings can use.
func openLedger(t *testing.T, settings []string, url string, seller demo.Seller) *ledger {
	t.Helper()
	l := &ledger{
		t: t, settings: settings, seller: seller, answer: failsFirst,
		accepted: map[string]bool{}, unsure: map[string]bool{}, bodies: map[string]string{}, calls: map[string]int{},
	}
	var err error
	l.sql, err = sql.Open("pgx", url)
	systemtest.Must(t, err)
	t.Cleanup(func() { _ = l.sql.Close() })
	listener := httptest.NewServer(l)
	t.Cleanup(listener.Close)
	l.url = listener.URL + "/ledger"
	return l
}

// failsFirst fails the first call of each tenth event, so that there are retries.
func failsFirst(mark string, repeat int) int {
	if repeat == 0 && strings.HasSuffix(mark, "7") {
		return http.StatusServiceUnavailable
	}
	return http.StatusOK
}

// ServeHTTP records the listener's calls. An incomplete call does not count.
func (l *ledger) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	var body struct {
		ID   string
		Data struct{ Scan struct{ Name string } }
	}
	if err := json.Unmarshal(text, &body); err != nil {
		l.t.Errorf("%v in %s", err, text)
	}
	if got := r.Header.Get("X-Service-Signature"); got != webhook.Sign([]byte(ledgerKey), text) {
		l.t.Errorf("signature %q of %s", got, text)
	}
	w.WriteHeader(l.answer(body.Data.Scan.Name, l.enter(body.ID, body.Data.Scan.Name, string(text))))
}

// enter records a call and returns the number of earlier calls with its body.
func (l *ledger) enter(id, mark, body string) (before int) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if known, repeated := l.bodies[id]; repeated && known != body {
		l.t.Errorf("the body changed:\n%s\n%s", known, body)
	}
	before = l.calls[mark]
	l.bodies[id] = body
	l.calls[mark]++
	l.total++
	return before
}

// subscribe creates the seller's webhook on any server.
func (l *ledger) subscribe(t *testing.T, at *systemtest.Process) {
	t.Helper()
	status, answer := systemtest.Request(t, http.MethodPost, at.URL+"/api/webhooks", systemtest.Printed(t, object{
		"name": "Ledger", "url": l.url, "hmacKey": ledgerKey, "events": object{"scan.created": true},
	}), "Authorization: Bearer "+l.seller.APIKey)
	if status != http.StatusCreated {
		t.Fatalf("create webhook: %d %s", status, answer)
	}
}

// marks returns the names of a number of events.
func marks(prefix string, count int) []string {
	list := make([]string, count)
	for i := range list {
		list[i] = fmt.Sprintf("%s-%04d", prefix, i)
	}
	return list
}

var publisherClient = &http.Client{Timeout: 20 * time.Second}

// publish publishes events in one call, and reports whether that was confirmed.
func (l *ledger) publish(at *systemtest.Process, marks []string) bool {
	taken, _ := l.tryPublish(at, marks)
	return taken
}

// publishAll publishes events, which must be accepted.
func (l *ledger) publishAll(t *testing.T, at *systemtest.Process, marks []string) {
	t.Helper()
	if taken, answer := l.tryPublish(at, marks); !taken {
		t.Fatalf("not published: %s", answer)
	}
}

// tryPublish is like publish, but also returns the response.
func (l *ledger) tryPublish(at *systemtest.Process, marks []string) (taken bool, answer string) {
	events := make([]object, len(marks))
	for i, mark := range marks {
		events[i] = object{"type": "scan.created", "data": object{"scan": systemtest.ScanToPublish(mark, mark)}}
	}
	status, answer, err := systemtest.TryRequest(context.WithoutCancel(l.t.Context()), publisherClient, http.MethodPost, at.URL+"/graphql",
		systemtest.Printed(l.t, object{
			"query":     `mutation($input: PublishEventsInput!) { publishEvents(input: $input) { id } }`,
			"variables": object{"input": object{"sellerId": l.seller.SellerID, "events": events}},
		}), "Authorization: Bearer "+systemtest.SystemToken)
	taken = err == nil && status == http.StatusOK && !strings.Contains(answer, `"errors"`)
	l.mutex.Lock()
	defer l.mutex.Unlock()
	for _, mark := range marks {
		if taken {
			l.accepted[mark] = true
		} else {
			l.unsure[mark] = true
		}
	}
	return taken, answer
}

// awaitCalls waits for a number of additional calls.
func (l *ledger) awaitCalls(t *testing.T, when string, more int) {
	t.Helper()
	wanted := l.count(func() int { return l.total }) + more
	for deadline := time.Now().Add(time.Minute); l.count(func() int { return l.total }) < wanted; <-time.After(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("the listener got no calls %s", when)
		}
	}
}

// awaitCall waits until the listener has received an event.
func (l *ledger) awaitCall(t *testing.T, mark string, until time.Time) {
	t.Helper()
	for l.count(func() int { return l.calls[mark] }) == 0 {
		if time.Now().After(until) {
			t.Fatalf("%s did not arrive in time", mark)
		}
		<-time.After(5 * time.Millisecond)
	}
}

func (l *ledger) count(of func() int) int {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return of()
}

// delivered waits until no delivery is pending, until a time limit.
func (l *ledger) delivered(t *testing.T, until time.Time) {
	t.Helper()
	const waiting = "SELECT count(*) FROM deliveries WHERE state = 'pending'"
	for count := -1; ; <-time.After(20 * time.Millisecond) {
		err := l.sql.QueryRowContext(t.Context(), waiting).Scan(&count)
		if err == nil && count == 0 {
			return
		}
		if time.Now().After(until) {
			t.Fatalf("%d deliveries are still pending (%v)", count, err)
		}
	}
}

// entries selects the deliveries in the database, with a summary of their attempts.
const entries = `SELECT d.id::text, convert_from(e.data, 'UTF8')::jsonb #>> '{scan,name}',
		format('%s, %s attempts, numbered to %s, %s of them recorded', d.state, d.attempts, coalesce(max(a.number), 0), count(a.number)),
		d.state = 'delivered' AND d.attempts = count(a.number) AND d.attempts = max(a.number)
	FROM deliveries d JOIN events e ON e.id = d.event_id LEFT JOIN attempts a ON a.delivery_id = d.id
	GROUP BY d.id, e.data, d.state, d.attempts`

// check compares the two sides. Everything accepted must be delivered, under one id and with attempts numbered from one
// without gaps, and nothing else received. It returns the number of deliveries.
func (l *ledger) check(t *testing.T) int {
	t.Helper()
	found, err := l.sql.QueryContext(t.Context(), entries)
	systemtest.Must(t, err)
	defer found.Close()
	l.mutex.Lock()
	defer l.mutex.Unlock()
	received, missing := maps.Clone(l.bodies), maps.Clone(l.accepted)
	count := 0
	for ; found.Next(); count++ {
		var id, mark, publication string
		var right bool
		systemtest.Must(t, found.Scan(&id, &mark, &publication, &right))
		if !right {
			t.Errorf("the delivery of %s is %s", mark, publication)
		}
		if !strings.Contains(received[id], `"name":"`+mark+`"`) {
			t.Errorf("the listener received %q as %s of %s", received[id], id, mark)
		}
		if !l.accepted[mark] && !l.unsure[mark] {
			t.Errorf("%s was never published, or published twice", mark)
		}
		delete(received, id)
		delete(missing, mark)
	}
	systemtest.Must(t, found.Err())
	if len(received) > 0 || len(missing) > 0 {
		t.Errorf("unexpected: %v; lost: %v", received, missing)
	}
	return count
}

// stored returns how many of these events the database has.
func (l *ledger) stored(t *testing.T, marks []string) (count int) {
	t.Helper()
	systemtest.Must(t, l.sql.QueryRowContext(t.Context(), `SELECT count(*) FROM events
		WHERE convert_from(data, 'UTF8')::jsonb #>> '{scan,name}' = ANY($1)`, marks).Scan(&count))
	return count
}
