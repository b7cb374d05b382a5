package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// neighbor measures how a seller is affected by another seller that sends twice as much as its limits allow.
type neighbor struct {
	*rig
	process *process
	// one is the seller that exceeds its limits. other is the seller that is measured.
	one, other seller
	receiver   *receiver
	// worst is the name of the offer with the worst result. burned is the number of processors that were busy during
	// it.
	worst  string
	burned float64
}

// neighborBeside measures the slowest of the other seller's calls under each offer. The baseline is the same
// measurement next to processes that use the same processor time.
func neighborBeside(ctx context.Context, r *rig) (subject, error) {
	// These are the limits of prod, because those of dev exceed what a process can serve.
	p, err := r.serve(ctx, r.environment("TICKETGATE_CALL_RATE=1000", "TICKETGATE_SELLER_CALL_RATE=3000"))
	if err != nil {
		return subject{}, err
	}
	item, err := r.seed(ctx)
	if err != nil {
		return subject{}, err
	}
	if len(r.sellers) < 2 {
		return subject{}, errors.New("ticketgate seed created no second seller")
	}
	n := &neighbor{rig: r, process: p, one: item, other: r.sellers[1], receiver: r.newReceiver()}
	if err := p.asSeller(n.other).hook(ctx, n.receiver.url); err != nil {
		return subject{}, err
	}
	if _, err := n.steady(ctx, warmUp); err != nil {
		return subject{}, err
	}
	return subject{measure: n.underOffers, baseline: n.besideBurners, against: "next to processes that use as much processor time"}, nil
}

// offer sends more than the limits allow until ctx is done, and counts the responses.
type offer struct {
	name string
	send []func(number int) []byte // each on a connection of its own
}

// answers counts responses by status. Connections that ended without a response count as status 0.
type answers struct {
	mu     sync.Mutex
	counts map[int]int
}

func (a *answers) add(status int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.counts[status]++
}

// underOffers measures under each offer and returns the worst figure.
func (n *neighbor) underOffers(ctx context.Context, d time.Duration) (worst figure, err error) {
	offers, err := n.offers(ctx)
	if err != nil {
		return figure{}, err
	}
	var remarks []string
	for _, o := range offers {
		f, burned, said, err := n.under(ctx, d, o)
		if err != nil {
			return figure{}, fmt.Errorf("under %s: %w", o.name, err)
		}
		remarks = append(remarks, fmt.Sprintf("%s: p99 %s, %.1f processors, responses %v", o.name, milli(f.p99), burned, said))
		if f.p99 >= worst.p99 {
			worst, n.worst, n.burned = f, o.name, burned
		}
	}
	worst.remark = "worst under " + n.worst + " (" + worst.remark + "); " + strings.Join(remarks, "; ")
	return worst, nil
}

// under measures under one offer.
func (n *neighbor) under(ctx context.Context, d time.Duration, o offer) (f figure, burned float64, said map[int]int, err error) {
	offering, stop := context.WithCancel(ctx)
	var all sync.WaitGroup
	got := &answers{counts: map[int]int{}}
	for _, request := range o.send {
		all.Go(func() { n.process.keepSending(offering, request, got) })
	}
	busy := func() time.Duration { return processorTime(n.process.cmd.Process.Pid) + familyTime(n.cluster.pid) }
	before, start := busy(), time.Now()
	f, err = n.steady(ctx, d)
	burned = (busy() - before).Seconds() / time.Since(start).Seconds()
	stop()
	all.Wait()
	return f, burned, got.counts, err
}

// keepSending sends one request after the other. If a connection is closed, it opens another.
func (p *process) keepSending(ctx context.Context, request func(int) []byte, got *answers) {
	address := api{url: p.url}.address()
	for number := 0; ctx.Err() == nil; {
		c, err := dial(ctx, address, time.Now().Add(5*grace))
		if err != nil {
			continue
		}
		for err == nil && ctx.Err() == nil {
			var status int
			number++
			status, _, err = c.exchange(request(number))
			if ctx.Err() == nil {
				got.add(status)
			}
		}
		c.close()
	}
}

// besideBurners measures without an offer, next to processes that keep as many processors busy as the worst offer did.
func (n *neighbor) besideBurners(ctx context.Context, d time.Duration) (figure, error) {
	burning, stop := context.WithCancel(ctx)
	defer stop()
	for left := n.burned; left > 0; left-- {
		if err := burn(burning, min(left, 1)); err != nil {
			return figure{}, err
		}
	}
	f, err := n.steady(ctx, d)
	f.remark = fmt.Sprintf("%.1f processors, %s", n.burned, f.remark)
	return f, err
}

// burn keeps a fraction of one processor busy until ctx is done.
func burn(ctx context.Context, part float64) error {
	cmd := exec.CommandContext(ctx, "sh", "-c", "while :; do :; done")
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() {
		const turn = 20 * time.Millisecond
		for ctx.Err() == nil {
			_ = cmd.Process.Signal(syscall.SIGCONT)
			time.Sleep(time.Duration(part * float64(turn))) //nolint:forbidigo // busy for a while
			_ = cmd.Process.Signal(syscall.SIGSTOP)
			time.Sleep(time.Duration((1 - part) * float64(turn))) //nolint:forbidigo // then idle for a while
		}
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	return nil
}

// steady makes the other seller's API calls, scans and webhook attempts, each at the pace, and returns the figure of
// the slowest kind. It returns an error if any of them fails or the server is not ready.
func (n *neighbor) steady(ctx context.Context, d time.Duration) (figure, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	key, gate, prober := n.process.asSeller(n.other), n.process.asDevice(n.other), api{url: n.process.url, header: http.Header{}}
	const probes = 5 // per second
	calls := []struct {
		name    string
		measure measurement
	}{
		{"key calls", exchanging(key, pace, key.request(http.MethodGet, "/api/keys/info", nil))},
		{"gate scans", exchanging(gate, pace, gate.request(http.MethodPost, "/api/accessusers/tickets/"+n.other.Barcode+"/scan", nil))},
		{"webhook attempts", n.delivered},
		{"/readyz", exchanging(prober, probes, prober.request(http.MethodGet, "/readyz", nil))},
	}
	figures := make([]figure, len(calls))
	var all sync.WaitGroup
	for i, call := range calls {
		all.Go(func() {
			f, err := call.measure(ctx, d)
			if err != nil {
				cancel(fmt.Errorf("%s: %w", call.name, err))
			}
			figures[i] = f
		})
	}
	all.Wait()
	if err := context.Cause(ctx); err != nil {
		return figure{}, err
	}
	var slowest figure
	var remarks []string
	for i, f := range figures {
		remarks = append(remarks, fmt.Sprintf("%s p50 %s p99 %s", calls[i].name, milli(f.p50), milli(f.p99)))
		if f.p99 > slowest.p99 {
			slowest = f
		}
	}
	slowest.value, slowest.remark = inMilliseconds(slowest.p99), strings.Join(remarks, ", ")
	return slowest, nil
}

// asDevice returns an api that authenticates with the token of the seller's device.
func (p *process) asDevice(s seller) api { return api{p.url, http.Header{"Token": {s.DeviceToken}}} }

// fewCallers is the number of callers that take turns if a call usually ends long before the next is due.
const fewCallers = 8

// exchanging returns a measurement that repeats a request at a pace.
func exchanging(as api, pace int, request []byte) measurement {
	return func(ctx context.Context, d time.Duration) (figure, error) {
		return scheduled(ctx, as.address(), pace, fewCallers, d, func(_ context.Context, c *client, _ int) error {
			status, body, err := c.exchange(request)
			if err != nil {
				return err
			}
			return wants(http.StatusOK)(status, body)
		})
	}
}

// scheduled makes calls at a pace, using a number of callers. It measures each call from when it was due, so that
// delays count.
func scheduled(
	ctx context.Context, address string, pace, callers int, d time.Duration, send func(context.Context, *client, int) error,
) (figure, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var all sync.WaitGroup
	clients, closeAll, err := dialMany(ctx, address, callers, time.Now().Add(d+5*grace))
	if err != nil {
		return figure{}, err
	}
	defer closeAll()
	times, start := make([][]time.Duration, callers), time.Now()
	for i, c := range clients {
		all.Go(func() {
			for number := i + 1; ; number += callers {
				due := start.Add(time.Duration(number) * time.Second / time.Duration(pace))
				if due.Sub(start) > d {
					return
				}
				select {
				case <-time.After(time.Until(due)):
				case <-ctx.Done():
					return
				}
				if err := send(ctx, c, number); err != nil {
					cancel(err)
					return
				}
				times[i] = append(times[i], time.Since(due))
			}
		})
	}
	all.Wait()
	return timed(slices.Concat(times...), time.Since(start)), context.Cause(ctx)
}

// dialMany opens several connections, which are closed together.
func dialMany(ctx context.Context, address string, count int, deadline time.Time) (clients []*client, closeAll func(), err error) {
	closeAll = func() {
		for _, c := range clients {
			c.close()
		}
	}
	for range count {
		c, err := dial(ctx, address, deadline)
		if err != nil {
			closeAll()
			return nil, nil, err
		}
		clients = append(clients, c)
	}
	return clients, closeAll, nil
}

// delivered publishes events at the pace and measures the time from when each is due to its arrival. Arrivals are
// assigned to events by order.
func (n *neighbor) delivered(ctx context.Context, d time.Duration) (figure, error) {
	n.receiver.forget()
	item := n.process.publish(n.other, 1)
	start := time.Now()
	published, err := scheduled(ctx, item.address, pace, fewCallers, d, func(_ context.Context, c *client, number int) error {
		status, body, err := c.exchange(item.request(number))
		if err != nil {
			return err
		}
		return item.accept(status, body)
	})
	if err != nil {
		return figure{}, err
	}
	if _, _, err = n.receiver.await(ctx, published.count); err != nil {
		return figure{}, err
	}
	n.receiver.mu.Lock()
	defer n.receiver.mu.Unlock()
	times := make([]time.Duration, len(n.receiver.at))
	for i, at := range n.receiver.at {
		times[i] = at.Sub(start.Add(time.Duration(i+1) * time.Second / pace))
	}
	return timed(times, time.Since(start)), nil
}

// The sizes of the offers: twice what a seller may use at a time and, for the flood, twice the connections of a
// process.
const (
	offeredCommits = 8
	offeredRows    = 20_000
	offeredLong    = 4
	offeredFlood   = 16
	offeredBodies  = 4
	offeredPages   = 16
	offeredRecords = 1000
)

// offers prepares all offers of the seller that exceeds its limits.
func (n *neighbor) offers(ctx context.Context) ([]offer, error) {
	key, gate := n.process.asSeller(n.one), n.process.asDevice(n.one)
	commits, err := n.commits(ctx, key)
	if err != nil {
		return nil, err
	}
	pages, err := n.pages(ctx, key)
	if err != nil {
		return nil, err
	}
	var serial atomic.Int64
	ticket := func() map[string]any {
		id := fmt.Sprintf("n%d", serial.Add(1))
		return map[string]any{
			"_id": id, "sellerId": n.one.ID, "eventId": n.one.EventID, "ticketTypeId": n.one.TicketTypeID, "ticketName": "T",
			"status": "VALID", "secret": "s", "barcode": id,
		}
	}
	tickets := func(number int) func(int) []byte {
		return func(int) []byte {
			list := make([]any, number)
			for i := range list {
				list[i] = ticket()
			}
			return key.graphql("mutation($t: [JSON!]!) { importTickets(input: {tickets: $t}) { created } }", map[string]any{"t": list})
		}
	}
	scans := func(int) []byte {
		list := make([]any, 1000)
		for i := range list {
			list[i] = map[string]any{
				"id": fmt.Sprintf("n%d", serial.Add(1)), "barcode": n.one.Barcode, "scanned_at": "2026-01-01T10:00:00Z", "type": "OK",
			}
		}
		return gate.request(http.MethodPost, "/api/accessusers/scans/"+n.one.EventID, list)
	}
	large := key.graphql("mutation($t: [JSON!]!) { importTickets(input: {tickets: $t}) { created } }",
		map[string]any{"t": []any{map[string]any{"_id": strings.Repeat("x", 15<<20)}}})
	info := key.request(http.MethodGet, "/api/keys/info", nil)
	return []offer{
		{"8 commits of 20,000 rows", commits},
		{"imports of 1,000 tickets", times(offeredLong, tickets(1000))},
		{"uploads of 1,000 scans", times(offeredLong, scans)},
		{"bodies of 15 MiB", times(offeredBodies, func(int) []byte { return large })},
		{"pages of 1,000 entries", times(offeredPages, func(int) []byte { return pages })},
		{"a flood from one key", times(offeredFlood, func(int) []byte { return info })},
	}, nil
}

func times(number int, request func(int) []byte) []func(int) []byte {
	all := make([]func(int) []byte, number)
	for i := range all {
		all[i] = request
	}
	return all
}

// pages creates a list and returns a request for all its entries.
func (n *neighbor) pages(ctx context.Context, key api) ([]byte, error) {
	list, err := key.create(ctx, "/api/access-lists", map[string]any{"name": fmt.Sprintf("P %d", time.Now().UnixNano())})
	if err != nil {
		return nil, err
	}
	var file strings.Builder
	for row := range offeredRecords {
		fmt.Fprintf(&file, "code-%d\n", row)
	}
	path := "/api/access-lists/" + list + "/entries"
	staged, err := key.createBy(ctx, path+"/imports", key.file(path+"/imports", file.String()))
	if err != nil {
		return nil, err
	}
	commit := key.request(http.MethodPost, path+"/imports/"+staged+"/commit", map[string]any{})
	if _, err := key.call(ctx, http.StatusOK, commit); err != nil {
		return nil, err
	}
	return key.request(http.MethodGet, fmt.Sprintf("%s?top=%d", path, offeredRecords), nil), nil
}

// commits stages imports and returns requests that alternately commit and undo each of them.
func (n *neighbor) commits(ctx context.Context, key api) ([]func(int) []byte, error) {
	var file strings.Builder
	for row := range offeredRows {
		fmt.Fprintf(&file, "code-%d\n", row)
	}
	all := make([]func(int) []byte, offeredCommits)
	for i := range all {
		list, err := key.create(ctx, "/api/access-lists", map[string]any{"name": fmt.Sprintf("N %d %d", i, time.Now().UnixNano())})
		if err != nil {
			return nil, err
		}
		path := "/api/access-lists/" + list + "/entries/imports"
		staged, err := key.createBy(ctx, path, key.file(path, file.String()))
		if err != nil {
			return nil, err
		}
		all[i] = func(number int) []byte {
			if number%2 == 0 {
				return key.request(http.MethodPost, path+"/"+staged+"/undo", map[string]any{})
			}
			return key.request(http.MethodPost, path+"/"+staged+"/commit", map[string]any{})
		}
	}
	return all, nil
}
