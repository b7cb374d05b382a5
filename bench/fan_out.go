package main

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// fanOut measures creating deliveries for many webhooks, without attempting them.
func fanOut(ctx context.Context, r *rig) (subject, error) {
	const webhooks, perCall = 50, 100
	p, s, err := r.installation(ctx, "--no-workers")
	if err != nil {
		return subject{}, err
	}
	for i := range webhooks {
		if err := p.asSeller(s).hook(ctx, fmt.Sprintf("http://192.0.2.1/%d", i)); err != nil {
			return subject{}, err
		}
	}
	remark, err := r.observePublishing(ctx, s, perCall)
	if err != nil {
		return subject{}, err
	}
	many := p.publish(s, perCall)
	many.connections = 2
	measure := func(ctx context.Context, d time.Duration) (figure, error) {
		before, err := r.commits(ctx)
		if err != nil {
			return figure{}, err
		}
		f, err := many.run(ctx, d)
		if err != nil {
			return f, err
		}
		after, err := r.commits(ctx)
		events := f.count * perCall
		f.value *= webhooks * perCall
		f.remark = fmt.Sprintf("%.3f commits per event with two concurrent publishers", float64(after-before)/float64(events))
		return f, err
	}
	_, err = measure(ctx, warmUp)
	return subject{measure: measure, baseline: atLeast(10_000), against: "the target", remark: remark}, err
}

// observePublishing describes the SQL statements of a call that publishes perCall events. It observes them on a
// separate process.
func (r *rig) observePublishing(ctx context.Context, s seller, perCall int) (string, error) {
	const calls = 20
	t, p, err := r.tapped(ctx)
	if err != nil {
		return "", err
	}
	defer t.close()
	defer p.stop()
	many := p.publish(s, perCall)
	many.connections, many.limit = 1, calls
	for range 2 { // the first round prepares the statements
		t.take()
		if _, err := many.run(ctx, grace); err != nil {
			return "", err
		}
	}
	seen, roundTrips := t.take()
	each := perRequest(seen, calls)
	return fmt.Sprintf("%d statements each for %d events, %d commit(s) among them, %.1f round trips",
		len(each), perCall, commitsIn(each), float64(roundTrips)/calls), nil
}

// commitsIn returns the number of COMMIT statements.
func commitsIn(list []statement) (commits int) {
	for _, s := range list {
		if strings.EqualFold(s.text, "commit") {
			commits++
		}
	}
	return commits
}
