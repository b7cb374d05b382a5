package scan_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"ticketgate/db"
	"ticketgate/domain"
	"ticketgate/domain/scan"
)

// heldScans runs the transactions of another process, which wait until they are released.
type heldScans struct {
	scan.LogStore
	arrived chan struct{}
	letGo   chan struct{}
}

func (h *heldScans) Trace(ctx context.Context) string {
	h.arrived <- struct{}{}
	return h.LogStore.Trace(ctx)
}

func (h *heldScans) InTx(ctx context.Context, f func(scan.Tx) error) error {
	<-h.letGo
	return h.LogStore.InTx(ctx, f)
}

// asked is a scan with its expected result: the access, the reason, or the error code.
type asked struct {
	ctx    context.Context //nolint:containedctx // of the caller
	code   string
	want   string
	giveUp func() // called while the scan waits
	answer scan.Answer
	got    string
}

// together makes scans that all wait for an earlier one. Scans of one ticket may run in any order.
func (w *fixture) together(device scan.Device, calls []asked) {
	w.T.Helper()
	store := &heldScans{w.Store.Scans(), make(chan struct{}, 100), make(chan struct{})}
	scans := scan.NewScans(store, w.Store.Credentials(), func() time.Time { return w.now })
	first := &asked{ctx: w.from(device), code: "first", want: "UNKNOWN_CODE"}
	var all sync.WaitGroup
	list := []*asked{first}
	for i := range calls {
		list = append(list, &calls[i])
	}
	for _, item := range list {
		all.Go(func() {
			var err error
			item.answer, err = scans.Scan(item.ctx, scan.Attempt{Barcode: item.code, EventID: "E1"})
			item.got = outcomeOf(item.answer, err)
		})
		<-store.arrived
		if item.giveUp != nil {
			item.giveUp()
		}
	}
	close(store.letGo)
	all.Wait()
	got, want := map[string]int{}, map[string]int{}
	for _, item := range list {
		got[item.code+" "+item.got]++
		want[item.code+" "+item.want]++
	}
	if !maps.Equal(got, want) {
		w.T.Errorf("got %v, want %v", got, want)
	}
}

// granted returns the answer of the call that was granted.
func granted(calls []asked) scan.Answer {
	return calls[slices.IndexFunc(calls, func(item asked) bool { return item.got == "GRANTED" })].answer
}

func outcomeOf(answer scan.Answer, err error) string {
	switch {
	case err != nil:
		return string(domain.AsError(err).Code)
	case answer.Reason != nil:
		return string(*answer.Reason)
	}
	return string(answer.Access)
}

// transactions returns the number of transactions that stored scans of tickets.
func (w *fixture) transactions() int {
	return w.Count("SELECT count(DISTINCT xmin::text) FROM scans WHERE ticket_id IS NOT NULL")
}

func TestConcurrentScansShareATransaction(t *testing.T) {
	t.Parallel()
	w, device := newGateDevice(t)
	var calls []asked
	for n := range 30 {
		w.ticket("s"+strconv.Itoa(n), nil)
		calls = append(calls, asked{ctx: w.from(device), code: "B-s" + strconv.Itoa(n), want: "GRANTED"})
	}
	w.together(device, calls)
	if n := w.transactions(); n > 10 {
		t.Errorf("30 scans used %d transactions", n)
	}
	if inside := w.inside(); inside != "30 -=30" {
		t.Errorf("got %s inside", inside)
	}
	if n := w.Count("SELECT count(*) FROM events WHERE type = 'scan.created'"); n != 31 {
		t.Errorf("got %d published scans, want 31", n)
	}
}

// A scan of a batch that fails does not affect the others (GATE-12).
func TestAFailedScanDoesNotAffectOthers(t *testing.T) {
	t.Parallel()
	w, device := newGateDevice(t)
	w.ticket("2", nil)
	w.ticket("broken", nil)
	w.Exec(`UPDATE tickets SET document = '{"_id": 1}' WHERE id = 'broken'`)
	by := w.from(device)
	w.together(device, []asked{
		{ctx: by, code: "B-1", want: "GRANTED"}, {ctx: by, code: "B-broken", want: "INTERNAL"}, {ctx: by, code: "B-2", want: "GRANTED"},
	})
	if n := w.Count("SELECT count(*) FROM scans WHERE result = 'approved'"); n != 2 {
		t.Errorf("got %d approved scans, want 2", n)
	}
}

// Scans of one ticket in a shared transaction are decided one after the other.
func TestConcurrentScansOfOneTicket(t *testing.T) {
	t.Parallel()
	w, device := newGateDevice(t)
	zone := "Z1"
	zoned := w.device("Zoned", w.group(func(c *scan.Config) { c.ScanZoneID = &zone }), scan.Full)
	by := w.from(device)
	calls := []asked{
		{ctx: by, code: "B-1", want: "GRANTED"},
		{ctx: by, code: "B-1", want: "ALREADY_CHECKED_IN"},
		{ctx: by, code: "B-1", want: "ALREADY_CHECKED_IN"},
		{ctx: w.from(zoned), code: "B-1", want: "GRANTED"},
	}
	w.together(device, calls)
	entry := granted(calls[:3])
	for _, one := range calls[:3] {
		repeated := one.answer.ScanID != entry.ScanID
		if first := one.answer.FirstCheckinAt; first == nil || !first.Equal(entry.Time.Time) || repeated && !one.answer.Time.After(first.Time) {
			t.Errorf("got %s", printed(t, one.answer))
		}
	}
	// The second entry, in either zone, lists the first one's zone.
	if entries := len(entry.InsideZones) + len(calls[3].answer.InsideZones); entries != 1 {
		t.Errorf("the answers list %d other zones", entries)
	}
	if inside := w.inside(); inside != "1 -=1 Z1=1" {
		t.Errorf("got %s inside", inside)
	}
}

// A repeated request gets the answer of the first, even if both share a transaction.
func TestConcurrentIdempotentScans(t *testing.T) {
	t.Parallel()
	w, device := newGateDevice(t)
	w.ticket("2", nil)
	request := func(key string) context.Context {
		return domain.WithIdempotentRequest(w.from(device), domain.IdempotentRequest{Scope: "door", Key: key})
	}
	calls := []asked{
		{ctx: request("a"), code: "B-1", want: "GRANTED"},
		{ctx: request("a"), code: "B-1", want: string(domain.CodeAnsweredBefore)},
		{ctx: request("b"), code: "B-2", want: "GRANTED"},
	}
	w.together(device, calls)
	w.together(device, []asked{
		{ctx: request("b"), code: "B-2", want: string(domain.CodeAnsweredBefore)},
		{ctx: w.from(device), code: "B-1", want: "ALREADY_CHECKED_IN"},
	})
	for key, first := range map[string]scan.Answer{"a": granted(calls[:2]), "b": calls[2].answer} {
		stored, err := w.Store.StoredResponse(t.Context(), domain.IdempotentRequest{Scope: "door", Key: key})
		var answer scan.Answer
		if err != nil || json.Unmarshal(stored, &answer) != nil || answer.ScanID != first.ScanID {
			t.Errorf("key %s has the stored response %s, %v", key, stored, err)
		}
	}
	if n := w.Count("SELECT count(*) FROM scans WHERE ticket_id IS NOT NULL"); n != 3 {
		t.Errorf("got %d stored scans, want 3", n)
	}
}

// A scan that waits for a lock delays no other scan (GATE-12).
func TestScanOfLockedPlaceWaitsAlone(t *testing.T) {
	t.Parallel()
	w, device := newGateDevice(t)
	w.ticket("2", nil)
	w.scan(device, "B-1", scan.In)
	holder, err := w.SQL.BeginTx(t.Context(), nil)
	w.Must(err)
	defer func() { _ = holder.Rollback() }()
	_, err = holder.ExecContext(t.Context(), "SELECT FROM scan_places FOR UPDATE")
	w.Must(err)
	ctx := w.from(device)
	answered := make(chan error, 1)
	go func() {
		_, err := w.scans.Scan(ctx, scan.Attempt{Barcode: "B-1", EventID: "E1", Direction: scan.Out})
		answered <- err
	}()
	for w.Count("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'") == 0 {
		select {
		case err := <-answered:
			t.Fatalf("the scan did not wait: %v", err)
		case <-time.After(time.Millisecond):
		}
	}
	wants(t, w.scan(device, "B-2", scan.In), "GRANTED")
	select {
	case err := <-answered:
		t.Errorf("the scan returned before the lock was released: %v", err)
	default:
	}
	w.Must(holder.Rollback())
	w.Must(<-answered)
	if inside := w.inside(); inside != "1 -=1" {
		t.Errorf("got %s inside", inside)
	}
}

// A scan whose caller has given up is not made. The device scans again.
func TestScanOfCanceledCaller(t *testing.T) {
	t.Parallel()
	w, device := newGateDevice(t)
	w.ticket("2", nil)
	gone, giveUp := context.WithCancel(w.from(device))
	w.together(device, []asked{
		{ctx: gone, giveUp: giveUp, code: "B-1", want: string(domain.CodeUnavailable)}, {ctx: w.from(device), code: "B-2", want: "GRANTED"},
	})
	wants(t, w.scan(device, "B-1", scan.In), "GRANTED")
}

// Each ticket is approved exactly once per event and zone, on any number of processes (GATE-12).
func TestTwoProcessesApproveATicketOnce(t *testing.T) {
	t.Parallel()
	w, device := newGateDevice(t)
	zone := "Z1"
	zoned := w.device("Zoned", w.group(func(c *scan.Config) { c.ScanZoneID = &zone }), scan.Full)
	const tickets = 12
	for n := range tickets {
		w.ticket(fmt.Sprint("p", n), nil)
	}
	clock := func() time.Time { return w.now }
	processes := []*db.Store{w.Store, w.Process()}
	var all sync.WaitGroup
	for _, store := range processes {
		scans := scan.NewScans(store.Scans(), store.Credentials(), clock)
		for _, by := range []context.Context{w.from(device), w.from(device), w.from(zoned)} {
			for n := range tickets {
				all.Go(func() {
					if _, err := scans.Scan(by, scan.Attempt{Barcode: fmt.Sprint("B-p", n), EventID: "E1"}); err != nil {
						t.Error(err)
					}
				})
			}
		}
	}
	all.Wait()
	const once = `SELECT count(*) || ' of ' || approved FROM (
			SELECT count(*) FILTER (WHERE result = 'approved') AS approved FROM scans GROUP BY ticket_id, event_id, scan_zone_id
		) places GROUP BY approved`
	if got := w.Texts(once); !slices.Equal(got, []string{"24 of 1"}) {
		t.Errorf("got approvals %v", got)
	}
	for query, want := range map[string]int{
		"SELECT count(*) FROM scans":                                          len(processes) * 3 * tickets,
		"SELECT count(*) FROM events WHERE type = 'scan.created'":             len(processes) * 3 * tickets,
		"SELECT count(*) FROM scan_places":                                    2 * tickets,
		"SELECT count(*) FROM scan_places WHERE checkins = 1 AND inside = 1":  2 * tickets,
		"SELECT count(*) FROM scan_passes p JOIN scans s ON s.id = p.scan_id": 2 * tickets,
	} {
		if got := w.Count(query); got != want {
			t.Errorf("%s: got %d, want %d", query, got, want)
		}
	}
}
