package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// rawJSON is JSON that is there already.
type rawJSON = json.RawMessage

// postLoop is what deliveries are compared with.
const postLoop = "a bare loop that posts the same body"

// publishing is a server, a webhook on a listener of ours, and the platform that publishes.
type publishing struct {
	receiver *receiver
	events   load
}

// newPublishing starts a server with these flags and makes a signed webhook for one type. Each event has one delivery,
// so events published are deliveries expected.
func (r *rig) newPublishing(ctx context.Context, flags ...string) (*publishing, error) {
	p, s, err := r.installation(ctx, flags...)
	if err != nil {
		return nil, err
	}
	v := r.newReceiver()
	_, err = p.asSeller(s).create(ctx, "/api/webhooks", map[string]any{
		"name": "Benchmark", "url": v.url, "hmacKey": "benchmark-key", "events": map[string]bool{"transaction.complete": true},
	})
	as := api{p.url, http.Header{"Authorization": {"Bearer " + systemToken}}}
	request := as.graphql(`mutation($input: PublishEventInput!) { publishEvent(input: $input) { id } }`, map[string]any{
		"input": map[string]any{"sellerId": s.ID, "type": "transaction.complete", "data": transaction()},
	})
	return &publishing{v, load{
		address: as.address(), connections: connections,
		request: func(int) []byte { return request }, accept: published,
	}}, err
}

// published refuses errors, which GraphQL answers with 200 as well.
func published(status int, body []byte) error {
	if err := wants(http.StatusOK)(status, body); err != nil {
		return err
	}
	if bytes.Contains(body, []byte(`"errors"`)) {
		return fmt.Errorf("not published: %s", body)
	}
	return nil
}

// transaction is an event's data of about 1.5 KiB.
func transaction() map[string]any {
	const seller, event, made = "6570c0ff9d3e4f0012ab0001", "6570c1009d3e4f0012ab0100", "2026-11-27T20:38:11.000Z"
	ticket := map[string]any{
		"_id": "6570c1229d3e4f0012ab0301", "sellerId": seller, "eventId": event, "ticketTypeId": "6570c1229d3e4f0012ab0300",
		"ticketName": "Parterre", "createdAt": made, "updatedAt": made, "status": "VALID", "secret": "of-the-ticket",
		"barcode": "T0001", "realPrice": 53.75,
	}
	return map[string]any{
		"transaction": map[string]any{
			"_id": "6570c1a29d3e4f0012ab34cd", "sellerId": seller, "eventId": event, "realPrice": 107.5, "status": "COMPLETE",
			"secret": "of-the-transaction", "tid": "T-1", "coupons": []any{}, "email": "zoe@example.org",
			"extraFields": map[string]any{"remark": strings.Repeat("& so on, ", 60)},
		},
		"tickets": []any{ticket, ticket},
	}
}

// deliveries counts what is published and has arrived, from the first request to the last arrival.
func deliveries(ctx context.Context, r *rig) (subject, error) {
	s, err := r.newPublishing(ctx)
	if err != nil {
		return subject{}, err
	}
	measure := func(ctx context.Context, d time.Duration) (figure, error) {
		s.receiver.forget()
		began := time.Now()
		f, err := s.events.run(ctx, d)
		if err != nil {
			return f, err
		}
		// What waits in the queue counts too: publishing faster than is delivered gains nothing.
		_, last, err := s.receiver.await(ctx, f.count)
		f.value = float64(f.count) / last.Sub(began).Seconds()
		return f, err
	}
	// The warm-up also gives the baseline the body that it posts.
	_, err = measure(ctx, warmUp)
	return subject{
		measure: measure, baseline: s.receiver.posting(), against: postLoop,
		remark: "p50 and p99 are those of publishing",
	}, err
}

// backlogPerSecond times the seconds of a measurement is how much is published before a process delivers it.
const backlogPerSecond = 1000

// backlog lets events pile up and then starts a process that delivers them; its own start is not counted.
func backlog(ctx context.Context, r *rig) (subject, error) {
	s, err := r.newPublishing(ctx, "--no-workers")
	if err != nil {
		return subject{}, err
	}
	measure := func(ctx context.Context, d time.Duration) (figure, error) {
		s.receiver.forget()
		return r.drain(ctx, s, int(backlogPerSecond*d.Seconds()))
	}
	return subject{measure: measure, baseline: s.receiver.posting(), against: postLoop}, nil
}

// drain publishes, starts a worker process and stops it when all has arrived. The rate counts from the first arrival,
// because how long a process takes to start is a benchmark of its own.
func (r *rig) drain(ctx context.Context, s *publishing, events int) (figure, error) {
	s.events.limit = events
	f, err := s.events.run(ctx, 2*time.Minute)
	if err == nil && f.count < events {
		err = errors.New("the server is too slow to make a backlog")
	}
	if err != nil {
		return figure{}, err
	}
	// Statistics of an empty table make one drain in six two or three times slower.
	if err := r.cluster.execute(ctx, r.name, "ANALYZE river_job"); err != nil {
		return figure{}, err
	}
	p, err := r.work(ctx, r.environment())
	if err != nil {
		return figure{}, err
	}
	defer p.stop()
	first, last, err := s.receiver.await(ctx, events)
	return figure{value: float64(events-1) / last.Sub(first).Seconds(), count: events}, err
}
