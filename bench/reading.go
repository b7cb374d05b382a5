package main

import (
	"context"
	"errors"

	"ticketgate/db/embedded"
)

// observed is the number of equal requests that are observed to determine the statements of one request. Meanwhile, the
// program does little else, so that perRequest can separate them.
const observed = 200

// observe sends the request to a separate process and returns the SQL statements of one request.
func (r *rig) observe(ctx context.Context, s seller, request func(api) []byte) ([]statement, error) {
	t, p, err := r.tapped(ctx)
	if err != nil {
		return nil, err
	}
	defer t.close()
	defer p.stop()
	as := p.asSeller(s)
	requests, err := as.load(ctx, request(as)) // the first request, which looks up the key
	if err != nil {
		return nil, err
	}
	t.take()
	// One connection is used, so that the statements are in the order of a request.
	requests.connections, requests.limit = 1, observed
	f, err := requests.run(ctx, grace)
	if err == nil && f.count < observed {
		err = errors.New("the server is too slow to be observed")
	}
	seen, _ := t.take()
	return perRequest(seen, observed), err
}

// tapped starts a separate process whose statements are recorded. It has no workers, because their statements would mix
// with those of requests.
func (r *rig) tapped(ctx context.Context, settings ...string) (*tap, *process, error) {
	t, err := openTap(ctx, r.database(embedded.ApplicationRole), "")
	if err != nil {
		return nil, nil, err
	}
	settings = append(settings, "TICKETGATE_DATABASE_URL="+t.url(embedded.ApplicationRole, r.name))
	p, err := r.serve(ctx, r.environment(settings...), "--no-workers")
	if err != nil {
		t.close()
	}
	return t, p, err
}

// installation starts a server and creates a seller in its database.
func (r *rig) installation(ctx context.Context, flags ...string) (*process, seller, error) {
	p, err := r.serve(ctx, r.environment(), flags...)
	if err != nil {
		return nil, seller{}, err
	}
	s, err := r.seed(ctx)
	return p, s, err
}
