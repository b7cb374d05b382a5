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
	// checkoutsPerSecond is the number of open checkouts per second of the first measurement. Each later measurement
	// gets 1.5 times the number that the previous one completed.
	checkoutsPerSecond = 600
	// ticketsPerCheckout is the size of a typical order.
	ticketsPerCheckout = 4
)

// checkouts measures the completion of checkouts: transaction, tickets, invoice and events in one commit. Their
// creation is not measured. Sales of a seller wait for the next invoice number, so a single seller is the worst case.
func checkouts(count int) func(context.Context, *rig) (subject, error) {
	return func(ctx context.Context, r *rig) (subject, error) {
		p, err := r.serve(ctx, r.environment(unlimited()...), "--no-workers")
		if err != nil {
			return subject{}, err
		}
		sellers, err := r.seedMany(ctx, count)
		if err != nil {
			return subject{}, err
		}
		remark, err := r.observeCompleting(ctx, sellers[0])
		if err != nil {
			return subject{}, err
		}
		p.settled(sellers[0])
		perSecond := float64(checkoutsPerSecond)
		measure := func(ctx context.Context, d time.Duration) (figure, error) {
			p.unsettle()
			completing, err := p.completing(ctx, sellers, int(perSecond*d.Seconds()))
			if err != nil {
				return figure{}, err
			}
			f, err := r.costing(p, completing.run)(ctx, d)
			perSecond = max(perSecond, f.value*3/2)
			return f, err
		}
		if _, err = measure(ctx, warmUp); err != nil {
			return subject{}, err
		}
		baseline, err := r.saleWrites(ctx, count)
		return subject{
			measure: measure, baseline: baseline, against: "pgbench -M prepared writing the same rows, 16 clients", remark: remark,
		}, err
	}
}

// unlimited returns settings that allow one address to create any number of checkouts.
func unlimited() []string {
	return []string{"TICKETGATE_PUBLIC_RATE=100000", "TICKETGATE_PUBLIC_BURST=100000"}
}

// opened is an open checkout and its seller.
type opened struct {
	seller seller
	id     string
}

// completing creates checkouts for the sellers in turn, and returns a load that completes each of them once.
func (p *process) completing(ctx context.Context, sellers []seller, count int) (load, error) {
	var mutex sync.Mutex
	open := make([][]byte, len(sellers))
	of := make(map[string]seller, len(sellers))
	for i, s := range sellers {
		of[s.ID] = s
		open[i] = p.asSeller(s).request(http.MethodPost, "/api/checkout", map[string]any{
			"eventId": s.EventID, "items": []any{map[string]any{"ticketTypeId": s.TicketTypeID, "amount": ticketsPerCheckout}},
		})
	}
	all := make([]opened, 0, count)
	address := api{url: p.url}.address()
	opening := load{
		address: address, connections: connections, limit: count,
		request: func(number int) []byte { return open[number%len(open)] },
		accept: func(status int, body []byte) error {
			var created struct {
				ID       string `json:"_id"`
				SellerID string `json:"sellerId"`
			}
			err := errors.Join(wants(http.StatusCreated)(status, body), json.Unmarshal(body, &created))
			mutex.Lock()
			defer mutex.Unlock()
			all = append(all, opened{of[created.SellerID], created.ID})
			return err
		},
	}
	if _, err := opening.run(ctx, time.Minute); err != nil {
		return load{}, err
	}
	if len(all) < count {
		return load{}, errors.New("the server is too slow to create the checkouts")
	}
	return load{
		address: address, connections: connections, limit: count, accept: wants(http.StatusOK),
		request: func(number int) []byte {
			item := all[number-1]
			return p.asSeller(item.seller).request(http.MethodPost, "/api/checkout/"+item.id+"/complete", nil)
		},
	}, nil
}

// observeCompleting describes the SQL statements that completing a checkout takes. It observes them on a separate
// process.
func (r *rig) observeCompleting(ctx context.Context, s seller) (string, error) {
	t, p, err := r.tapped(ctx, unlimited()...)
	if err != nil {
		return "", err
	}
	defer t.close()
	defer p.stop()
	for range 2 { // the first round prepares the statements
		completing, err := p.completing(ctx, []seller{s}, observed)
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
