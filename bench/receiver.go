package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"sync"
	"time"
)

// receiver is a listener that responds at once and records deliveries.
type receiver struct {
	url string

	mu          sync.Mutex
	seen        map[string]bool
	numbers     map[string]time.Time // the first arrival of the event with a number
	body        []byte               // of the first call
	first, last time.Time
	at          []time.Time   // of each first arrival
	arrived     chan struct{} // holds one token after an arrival that may complete a wait
}

// newReceiver starts a receiver, which is stopped when the rig ends.
func (r *rig) newReceiver() *receiver {
	v := &receiver{seen: map[string]bool{}, numbers: map[string]time.Time{}, arrived: make(chan struct{}, 1)}
	server := httptest.NewServer(v)
	r.onEnd(server.Close)
	v.url = server.URL + "/hook"
	return v
}

// bodyID matches the id in the body of a webhook.
var bodyID = regexp.MustCompile(`^\{"id":"([^"]+)"`)

// ServeHTTP records a delivery, once even if it arrives several times.
func (v *receiver) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	// The body is not parsed, because the listener shares the processors with the measured program.
	id := bodyID.FindSubmatch(body)
	if err != nil || id == nil {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	// An attempt may be repeated, but does not count as another delivery.
	if v.seen[string(id[1])] {
		return
	}
	v.seen[string(id[1])] = true
	v.last = time.Now()
	if i := bytes.Index(body, numberPrefix); i >= 0 && i+len(numberMark) <= len(body) {
		v.numbers[string(body[i:i+len(numberMark)])] = v.last
	}
	v.at = append(v.at, v.last)
	if v.first.IsZero() {
		v.first, v.body = v.last, body
	}
	// If there is a token already, it also wakes the waiting goroutine.
	select {
	case v.arrived <- struct{}{}:
	default:
	}
}

// forget resets the record.
func (v *receiver) forget() {
	v.mu.Lock()
	defer v.mu.Unlock()
	clear(v.seen)
	clear(v.numbers)
	v.at = nil
	v.first = time.Time{}
}

// await waits for a number of deliveries and returns the times of the first and the last arrival.
func (v *receiver) await(ctx context.Context, deliveries int) (first, last time.Time, err error) {
	const bound = 2 * time.Minute
	ctx, cancel := context.WithTimeout(ctx, bound)
	defer cancel()
	for {
		v.mu.Lock()
		count, first, last := len(v.seen), v.first, v.last
		v.mu.Unlock()
		if count >= deliveries {
			return first, last, nil
		}
		select {
		case <-v.arrived:
		case <-ctx.Done():
			return first, last, fmt.Errorf("%d of %d deliveries arrived: %w", count, deliveries, ctx.Err())
		}
	}
}

// since returns, for each event, the time from when it was due to its arrival. A missing event is an error.
func (v *receiver) since(events int, due func(number int) time.Time) ([]time.Duration, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	times := make([]time.Duration, 0, events)
	for number := 1; number <= events; number++ {
		came, seen := v.numbers[fmt.Sprintf("%s%08d", numberPrefix, number)]
		if !seen {
			return nil, fmt.Errorf("event %d did not arrive", number)
		}
		times = append(times, came.Sub(due(number)))
	}
	return times, nil
}

// posting returns the baseline of deliveries, which posts the same body to the same listener.
func (v *receiver) posting() measurement {
	as := api{url: v.url, header: http.Header{}}
	return func(ctx context.Context, d time.Duration) (figure, error) {
		v.mu.Lock()
		request := as.request(http.MethodPost, "", rawJSON(v.body))
		v.mu.Unlock()
		posts := load{
			address: as.address(), connections: connections,
			request: func(int) []byte { return request }, accept: wants(http.StatusOK),
		}
		return posts.run(ctx, d)
	}
}
