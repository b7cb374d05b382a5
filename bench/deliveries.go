package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// rawJSON is encoded JSON.
type rawJSON = json.RawMessage

// postLoop describes the baseline of deliveries.
const postLoop = "a bare loop that posts the same body"

// publishing is a server with a webhook to a listener of the benchmark, and a load that publishes events as the
// platform.
type publishing struct {
	process  *process
	receiver *receiver
	events   load
	perCall  int
}

// newPublishing starts a server and creates a signed webhook for one event type, so that each event has exactly one
// delivery.
func (r *rig) newPublishing(ctx context.Context, perCall int, flags ...string) (*publishing, error) {
	p, s, err := r.installation(ctx, flags...)
	if err != nil {
		return nil, err
	}
	v := r.newReceiver()
	if err := p.asSeller(s).hook(ctx, v.url); err != nil {
		return nil, err
	}
	return &publishing{p.settled(s), v, p.publish(s, perCall), perCall}, nil
}

// hook creates a signed webhook for one event type.
func (a api) hook(ctx context.Context, url string) error {
	_, err := a.create(ctx, "/api/webhooks", map[string]any{
		"name": "Benchmark", "url": url, "hmacKey": "benchmark-key", "events": map[string]bool{"transaction.complete": true},
	})
	return err
}

// publish returns a load that publishes perCall transactions per call, as the platform.
func (p *process) publish(s seller, perCall int) load {
	return p.publishing(s, perCall, map[string]any{"type": "transaction.complete", "data": transaction()})
}

// publishing returns a load that publishes an event perCall times per call, as the platform.
func (p *process) publishing(s seller, perCall int, event map[string]any) load {
	as := api{p.url, http.Header{"Authorization": {"Bearer " + systemToken}}}
	query, input := `mutation($input: PublishEventsInput!) { publishEvents(input: $input) { id } }`, map[string]any{
		"sellerId": s.ID, "events": slices.Repeat([]any{event}, perCall),
	}
	if perCall == 1 {
		query = `mutation($input: PublishEventInput!) { publishEvent(input: $input) { id } }`
		input = map[string]any{"sellerId": s.ID, "type": event["type"], "data": event["data"]}
	}
	request := as.graphql(query, map[string]any{"input": input})
	return load{
		address: as.address(), connections: connections,
		request: func(int) []byte { return request }, accept: published,
	}
}

// published returns an error for responses with GraphQL errors, which also have status 200.
func published(status int, body []byte) error {
	if err := wants(http.StatusOK)(status, body); err != nil {
		return err
	}
	if bytes.Contains(body, []byte(`"errors"`)) {
		return fmt.Errorf("not published: %s", body)
	}
	return nil
}

// transaction returns the data of an event, about 1.5 KiB.
func transaction() map[string]any {
	const seller, event, created = "6570c0ff9d3e4f0012ab0001", "6570c1009d3e4f0012ab0100", "2026-11-27T20:38:11.000Z"
	ticket := map[string]any{
		"_id": "6570c1229d3e4f0012ab0301", "sellerId": seller, "eventId": event, "ticketTypeId": "6570c1229d3e4f0012ab0300",
		"ticketName": "Parterre", "createdAt": created, "updatedAt": created, "status": "VALID", "secret": "of-the-ticket",
		"barcode": "T0001", "realPrice": 53.75,
	}
	return map[string]any{
		"transaction": map[string]any{
			"_id": "6570c1a29d3e4f0012ab34cd", "sellerId": seller, "eventId": event, "realPrice": 107.5, "status": "COMPLETE",
			"secret": "of-the-transaction", "tid": numberMark, "coupons": []any{}, "email": "zoe@example.org",
			"extraFields": map[string]any{"remark": strings.Repeat("& so on, ", 60)},
		},
		"tickets": []any{ticket, ticket},
	}
}

// eventsPerSecond is the number of events to deliver per second of a measurement, 50,000 in total with -full.
const eventsPerSecond = 5000

// deliveries measures the delivery of events that are published perCall at a time, from the first request to the last
// arrival. If publishing is slow, fewer events are published, so that a measurement takes at most three times its usual
// time.
func deliveries(perCall int) func(context.Context, *rig) (subject, error) {
	return func(ctx context.Context, r *rig) (subject, error) {
		s, err := r.newPublishing(ctx, perCall)
		if err != nil {
			return subject{}, err
		}
		measure := s.delivering(3)
		// The warm-up also provides the body that the baseline posts.
		_, err = measure(ctx, warmUp)
		prepared := subject{
			measure: r.costing(s.process, measure), baseline: s.receiver.posting(), against: postLoop,
			remark: "p50 and p99 are those of the publishing calls",
		}
		if err != nil || perCall == 1 {
			return prepared, err
		}
		many, err := r.riverPublishing(ctx, perCall)
		if err != nil {
			return subject{}, err
		}
		prepared.more = []comparison{{ofRiver, r.costing(many.process, many.delivering(1))}}
		return prepared, err
	}
}

// deliveriesOf is like deliveries, with a number of concurrent callers and for a fixed time. The baseline is an
// equivalent River program.
func deliveriesOf(callers, perCall int) func(context.Context, *rig) (subject, error) {
	return func(ctx context.Context, r *rig) (subject, error) {
		s, err := r.newPublishing(ctx, perCall)
		if err != nil {
			return subject{}, err
		}
		other, err := r.riverPublishing(ctx, perCall)
		if err != nil {
			return subject{}, err
		}
		measurements := make([]measurement, 2)
		for i, item := range []*publishing{s, other} {
			item.events.connections = callers
			measure := item.delivering(1)
			if _, err := measure(ctx, warmUp); err != nil {
				return subject{}, err
			}
			measurements[i] = r.costing(item.process, measure)
		}
		return subject{
			measure: measurements[0], baseline: measurements[1], against: ofRiver,
			remark: "p50 and p99 are those of the publishing calls",
		}, nil
	}
}

// delivering publishes for at most times the duration of a measurement, and waits until all events have arrived. The
// wait counts, because publishing faster than delivering gains nothing.
func (s *publishing) delivering(times int) measurement {
	return func(ctx context.Context, d time.Duration) (figure, error) {
		s.receiver.forget()
		s.events.limit = int(eventsPerSecond*d.Seconds()) / s.perCall
		start := time.Now()
		f, err := s.events.run(ctx, time.Duration(times)*d)
		if err != nil {
			return f, err
		}
		f.count *= s.perCall
		_, last, err := s.receiver.await(ctx, f.count)
		f.value = float64(f.count) / last.Sub(start).Seconds()
		return f, err
	}
}

// backlog publishes events perCall at a time, and then measures a process that delivers them. The start of that process
// is not included. Events published in bulk are compared with a River program whose jobs do nothing.
func backlog(perCall int) func(context.Context, *rig) (subject, error) {
	return func(ctx context.Context, r *rig) (subject, error) {
		s, err := r.newPublishing(ctx, perCall, "--no-workers")
		if err != nil {
			return subject{}, err
		}
		measured := subject{
			measure: func(ctx context.Context, d time.Duration) (figure, error) {
				s.receiver.forget()
				return r.drain(ctx, s, int(eventsPerSecond*d.Seconds()))
			},
			baseline: s.receiver.posting(), against: postLoop,
		}
		if perCall > 1 {
			measured.baseline, measured.against = r.nothingByRiver, "River completing as many empty jobs"
		}
		return measured, nil
	}
}

// drain publishes events, starts a process that delivers, and stops it when all events have arrived. The rate is
// measured from the first arrival, because the start of a process is a separate benchmark.
func (r *rig) drain(ctx context.Context, s *publishing, events int) (figure, error) {
	s.events.limit = events / s.perCall
	f, err := s.events.run(ctx, 2*time.Minute)
	if err == nil && f.count < s.events.limit {
		err = errors.New("the server is too slow to create a backlog")
	}
	if err != nil {
		return figure{}, err
	}
	if err := r.analyzeJobs(ctx); err != nil {
		return figure{}, err
	}
	p, err := r.work(ctx, r.environment())
	if err != nil {
		return figure{}, err
	}
	defer p.stop()
	count := f.count * s.perCall
	return r.costing(p, func(ctx context.Context, _ time.Duration) (figure, error) {
		first, last, err := s.receiver.await(ctx, count)
		return figure{value: float64(count-1) / last.Sub(first).Seconds(), count: count}, err
	})(ctx, 0)
}
