package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"
)

// loadBound is the time limit of loading in one run. The next run continues.
const loadBound = 15 * time.Minute

// onKept prepares a benchmark on the server whose databases are kept.
func onKept(prepare func(context.Context, *rig) (subject, error)) func(context.Context, *rig) (subject, error) {
	return func(ctx context.Context, r *rig) (subject, error) {
		r, err := r.kept(ctx)
		if err != nil {
			return subject{}, err
		}
		return prepare(ctx, r)
	}
}

// kept returns a rig on the server whose databases are kept. The server stops when the rig ends.
func (r *rig) kept(ctx context.Context) (*rig, error) {
	cluster, err := openKeptCluster(ctx, r.keep)
	if err != nil {
		return nil, fmt.Errorf("the server kept in %s: %w", r.keep, err)
	}
	r.onEnd(cluster.close)
	ground := *r.ground
	ground.cluster = cluster
	return &rig{&ground, r.remains, "kept"}, nil
}

// load loads the data of the long benchmarks. It is run as a separate part of bench-full.
func (g *ground) load(ctx context.Context) error {
	r, err := g.newRig(ctx)
	if err != nil {
		return err
	}
	defer r.end()
	ctx, cancel := context.WithTimeoutCause(ctx, loadBound,
		fmt.Errorf("loading did not finish within %s; the next run continues", loadBound))
	defer cancel()
	r, err = r.kept(ctx)
	if err != nil {
		return err
	}
	start := time.Now()
	_, err = r.lookups(ctx, fullLookup)
	if err == nil {
		_, err = r.insight(ctx, fullAttempts, "--no-workers")
	}
	if err != nil {
		return errors.Join(context.Cause(ctx), r.explain(err))
	}
	fmt.Fprintf(os.Stderr, "loaded in %s; kept in %s\n", time.Since(start).Round(time.Second), r.keep)
	return nil
}
