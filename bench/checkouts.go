package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"
)

const (
	// checkoutsPerSecond times the seconds of a measurement is how many checkouts wait to be completed when it begins.
	checkoutsPerSecond = 600
	// ticketsPerCheckout is an ordinary order.
	ticketsPerCheckout = 4
)

// checkouts measures the completing of checkouts: transaction, tickets, invoice and events in one commit. Making them is not
// counted. Other sales of the seller wait for the invoice's number, so one seller is the worst case.
func checkouts(ctx context.Context, r *rig) (subject, error) {
	p, err := r.serve(ctx, r.environment(unlimited()...), "--no-workers")
	if err != nil {
		return subject{}, err
	}
	s, err := r.seed(ctx)
	if err != nil {
		return subject{}, err
	}
	remark, err := r.observeCompleting(ctx, s)
	if err != nil {
		return subject{}, err
	}
	baseline, err := r.simpleUpdate(ctx)
	if err != nil {
		return subject{}, err
	}
	as := p.asSeller(s)
	measure := func(ctx context.Context, d time.Duration) (figure, error) {
		completing, err := as.completing(ctx, s, int(checkoutsPerSecond*d.Seconds()))
		if err != nil {
			return figure{}, err
		}
		return r.costing(p.settled(s), completing.run)(ctx, d)
	}
	_, err = measure(ctx, warmUp)
	return subject{
		measure: measure, baseline: r.costingPgbench(baseline), against: "pgbench simple-update", remark: remark,
	}, err
}

// unlimited lets one address make as many checkouts as it likes.
func unlimited() []string {
	return []string{"TICKETGATE_PUBLIC_RATE=100000", "TICKETGATE_PUBLIC_BURST=100000"}
}

// completing makes so many checkouts, and is the load that completes each of them once.
func (a api) completing(ctx context.Context, s seller, count int) (load, error) {
	var mutex sync.Mutex
	ids := make([]string, 0, count)
	open := a.request(http.MethodPost, "/api/checkout", map[string]any{
		"eventId": s.EventID, "items": []any{map[string]any{"ticketTypeId": s.TicketTypeID, "amount": ticketsPerCheckout}},
	})
	opening := load{
		address: a.address(), connections: connections, limit: count, request: func(int) []byte { return open },
		accept: func(status int, body []byte) error {
			var made struct {
				ID string `json:"_id"`
			}
			err := errors.Join(wants(http.StatusCreated)(status, body), json.Unmarshal(body, &made))
			mutex.Lock()
			defer mutex.Unlock()
			ids = append(ids, made.ID)
			return err
		},
	}
	if _, err := opening.run(ctx, time.Minute); err != nil {
		return load{}, err
	}
	if len(ids) < count {
		return load{}, errors.New("the server is too slow to make the checkouts")
	}
	return load{
		address: a.address(), connections: connections, limit: count, accept: wants(http.StatusOK),
		request: func(number int) []byte {
			return a.request(http.MethodPost, "/api/checkout/"+ids[number-1]+"/complete", nil)
		},
	}, nil
}

// observeCompleting tells what completing asks of the database, seen at a process of its own.
func (r *rig) observeCompleting(ctx context.Context, s seller) (string, error) {
	t, p, err := r.tapped(ctx, unlimited()...)
	if err != nil {
		return "", err
	}
	defer t.close()
	defer p.stop()
	for range 2 { // statements are prepared in the first round
		completing, err := p.asSeller(s).completing(ctx, s, observed)
		if err != nil {
			return "", err
		}
		t.take()
		completing.connections = 1
		if _, err := completing.run(ctx, grace); err != nil {
			return "", err
		}
	}
	seen, roundTrips := t.take()
	each := perRequest(seen, observed)
	return fmt.Sprintf("%d statements each with begin and commit, %.1f round trips, %d commit(s)",
		len(each), float64(roundTrips)/observed, commitsIn(each)), nil
}
