//go:build full

package webhooks

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"ticketgate/cmd/systemtest"
	"ticketgate/db"
	"ticketgate/db/dbtest"
	"ticketgate/jobs"
)

// droppedWithin is the time limit for removing a day, also on a busy machine; the benchmark `retention` measures it.
// Deliveries meanwhile may take half as long again as before, or heldUpAtMost if that is more.
const (
	droppedWithin = 5 * time.Second
	heldUpAtMost  = 100 * time.Millisecond
)

// Three days of 100,000 deliveries each are removed while events are published and delivered. Nothing waits for that, and
// nothing of today is removed.
func TestDaysAreRemovedUnderLoad(t *testing.T) {
	t.Parallel()
	const days, each = 3, 100_000
	database, data := systemtest.Seeded(t)
	settings := systemtest.OnDatabase(database)
	s := systemtest.Serve(t, settings)
	l := openLedger(t, settings, database.ApplicationURL, data.Sellers[0])
	var times arrivals
	l.answer = times.arrive
	l.subscribe(t, s)
	first := time.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, -60)
	m := openMigrator(t, database, func() time.Time { return first })
	systemtest.Must(t, m.EnsurePartitions(t.Context()))
	owner := database.Owner(t)
	for day := range days {
		_, err := owner.ExecContext(t.Context(), aDayOfDeliveries, first.AddDate(0, 0, day).UnixMilli(), each)
		systemtest.Must(t, err)
	}
	steady := publishTimed(t, l, s)
	l.awaitCalls(t, "before anything is removed", 2000)
	quiet := times.take()
	for day := range days {
		started := time.Now()
		dropped, err := m.DropPartitions(t.Context(), first.AddDate(0, 0, day+1))
		if took := time.Since(started); err != nil || dropped != 5 || took > droppedWithin {
			t.Errorf("day %d: %d partitions of 5 in %v, %v", day, dropped, took, err)
		}
		l.awaitCalls(t, "after a day was removed", 500)
	}
	meanwhile := times.take()
	steady()
	t.Logf("p99 of arrivals: %v before, %v meanwhile", quiet, meanwhile)
	if most := max(quiet*3/2, heldUpAtMost); meanwhile > most {
		t.Errorf("p99 of arrivals is %v, want at most %v", meanwhile, most)
	}
	l.delivered(t, time.Now().Add(systemtest.DeliveredWithin))
	l.check(t) // it ignores the removed days
}

// aDayOfDeliveries creates $2 delivered events from a time on, with one attempt each.
const aDayOfDeliveries = `WITH made AS (
		SELECT (lpad(to_hex($1::bigint), 12, '0') || lpad(to_hex(i), 20, '0'))::uuid AS id, to_timestamp($1 / 1000.0) AS at
		FROM generate_series(1, $2::int) i),
	event AS (
		INSERT INTO events (id, seller_id, type, mode, head_version, data, created_at)
		SELECT id, 'old', 'scan.created', 'dev', 1, '{"scan":{"name":"old"}}', at FROM made),
	delivery AS (
		INSERT INTO deliveries (id, event_id, webhook_id, seller_id, type, state, attempts, scheduled, created_at, updated_at, delivered_at)
		SELECT id, id, 'old', 'old', 'scan.created', 'delivered', 1, 1, at, at, at FROM made)
	INSERT INTO attempts (delivery_id, number, webhook_id, by_hand, url, started_at, duration_ms, status, detail, response_body,
		body_truncated)
	SELECT id, 1, 'old', false, 'https://example.com', at, 5, 200, '', repeat('x', 200)::bytea, false FROM made`

// publishTimed publishes single events that contain their time, until stop is called.
func publishTimed(t *testing.T, l *ledger, at *systemtest.Process) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var publishers sync.WaitGroup
	for publisher := range 4 {
		publishers.Go(func() {
			for ctx.Err() == nil {
				l.publish(at, []string{fmt.Sprintf("timed-%d-%d", publisher, time.Now().UnixNano())})
			}
		})
	}
	stop = func() {
		cancel()
		publishers.Wait()
	}
	t.Cleanup(stop)
	return stop
}

// arrivals records how long events took to their listener.
type arrivals struct {
	mutex sync.Mutex
	times []time.Duration
}

// arrive records the arrival of an event that contains its time.
func (a *arrivals) arrive(mark string, _ int) int {
	published, err := strconv.ParseInt(mark[strings.LastIndexByte(mark, '-')+1:], 10, 64)
	if err != nil {
		return http.StatusBadRequest
	}
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.times = append(a.times, time.Since(time.Unix(0, published)))
	return http.StatusOK
}

// take returns the 99th percentile of arrival times since the last call.
func (a *arrivals) take() time.Duration {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	times := a.times
	a.times = nil
	slices.Sort(times)
	return times[len(times)*99/100]
}

// openMigrator returns the migrator that the program's periodic job uses to remove days.
func openMigrator(t *testing.T, database *dbtest.Database, now func() time.Time) *db.Migrator {
	t.Helper()
	m, err := db.NewMigrator(database.OwnerURL, database.ApplicationURL, jobs.Migrations{}, now)
	systemtest.Must(t, err)
	t.Cleanup(func() { _ = m.Close() })
	return m
}
