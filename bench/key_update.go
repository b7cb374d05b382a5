package main

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// keyUpdate measures an update of a key, which returns only when every process applies it. The baseline is an update
// without that guarantee: renaming an access list.
func keyUpdate(processes int) func(context.Context, *rig) (subject, error) {
	return func(ctx context.Context, r *rig) (subject, error) {
		p, s, err := r.installation(ctx)
		if err != nil {
			return subject{}, err
		}
		// The other processes get no requests. The update waits for them because they hold leases.
		for range processes - 1 {
			if _, err := r.serve(ctx, r.environment()); err != nil {
				return subject{}, err
			}
		}
		as := p.asPlatform(s)
		key, err := as.renaming(ctx, "/api/keys")
		if err != nil {
			return subject{}, err
		}
		list, err := as.renaming(ctx, "/api/access-lists")
		return subject{measure: key, baseline: list, against: "renaming an access list"}, err
	}
}

// renaming creates a record and measures updates of its name.
func (a api) renaming(ctx context.Context, path string) (measurement, error) {
	named := func(number int) map[string]any { return map[string]any{"name": fmt.Sprintf("Benchmark %d", number)} }
	id, err := a.create(ctx, path, named(0))
	if err != nil {
		return nil, err
	}
	// One connection is used: updates of one seller's keys wait for each other, but a single wait is to be measured.
	changes := load{
		address: a.address(), connections: 1, accept: wants(http.StatusOK),
		request: func(number int) []byte { return a.request(http.MethodPut, path+"/"+id, named(number)) },
	}
	_, err = changes.run(ctx, warmUp)
	return func(ctx context.Context, d time.Duration) (figure, error) {
		f, err := changes.run(ctx, d)
		// The median is used instead of the mean, which a single wait for an expired lease would dominate.
		f.value = inMilliseconds(f.p50)
		return f, err
	}, err
}
