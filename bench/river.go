package main

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"ticketgate/db/embedded"
)

// bareJob is a job of a minimal River program. It does nothing or makes one POST.
type bareJob struct {
	Body string `json:"body,omitempty"`
}

// Kind returns the kind of the job.
func (bareJob) Kind() string { return "bench_bare" }

// bareWorker runs bareJobs.
type bareWorker struct {
	river.WorkerDefaults[bareJob]
	work func(context.Context, bareJob) error
}

// Work calls the function of the benchmark.
func (w *bareWorker) Work(ctx context.Context, job *river.Job[bareJob]) error {
	return w.work(ctx, job.Args)
}

const (
	// riverQueue is the queue of the jobs.
	riverQueue = "bench_bare"
	// riverWorkers is the number of concurrent jobs.
	riverWorkers = 200
	// riverPool is the number of connections. It is twice as many as the product has for requests.
	riverPool = 16
)

// newRiver returns a River client as in River's documentation, but with a fetch cooldown as short as the product's.
func newRiver(
	ctx context.Context, url string, work func(context.Context, bareJob) error,
) (client *river.Client[pgx.Tx], pool *pgxpool.Pool, stop func(), err error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, nil, nil, err
	}
	config.MaxConns = riverPool
	if pool, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return nil, nil, nil, err
	}
	known := river.NewWorkers()
	river.AddWorker(known, &bareWorker{work: work})
	client, err = river.NewClient(riverpgxv5.New(pool), &river.Config{
		Queues:  map[string]river.QueueConfig{riverQueue: {MaxWorkers: riverWorkers}},
		Workers: known, FetchCooldown: 2 * time.Millisecond, FetchPollInterval: 100 * time.Millisecond,
		Logger: slog.New(slog.DiscardHandler),
	})
	stop = func() {
		bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopBound)
		defer cancel()
		_ = client.Stop(bounded)
		pool.Close()
	}
	return client, pool, stop, err
}

// startRiver returns a River client that has been started.
func startRiver(
	ctx context.Context, url string, work func(context.Context, bareJob) error,
) (client *river.Client[pgx.Tx], pool *pgxpool.Pool, stop func(), err error) {
	client, pool, stop, err = newRiver(ctx, url, work)
	if err != nil {
		return nil, nil, nil, err
	}
	// Canceling ctx would interrupt running jobs. stop waits for them.
	if err := client.Start(context.WithoutCancel(ctx)); err != nil {
		pool.Close()
		return nil, nil, nil, err
	}
	return client, pool, stop, nil
}

// analyzeJobs updates the statistics of the table of jobs. With the statistics of an empty table, one in six
// measurements takes two or three times as long.
func (r *rig) analyzeJobs(ctx context.Context) error {
	return r.cluster.execute(ctx, r.name, "ANALYZE river_job")
}

// nothingByRiver measures a backlog of jobs that do nothing.
func (r *rig) nothingByRiver(ctx context.Context, d time.Duration) (figure, error) {
	count := int64(eventsPerSecond * d.Seconds())
	var first, worked atomic.Int64
	done := make(chan time.Time, 1)
	client, _, stop, err := newRiver(ctx, r.database(embedded.ApplicationRole), func(context.Context, bareJob) error {
		first.CompareAndSwap(0, time.Now().UnixNano())
		if worked.Add(1) == count {
			done <- time.Now()
		}
		return nil
	})
	if err != nil {
		return figure{}, err
	}
	defer stop()
	jobs := make([]river.InsertManyParams, count)
	for i := range jobs {
		jobs[i] = river.InsertManyParams{Args: bareJob{}, InsertOpts: &river.InsertOpts{Queue: riverQueue}}
	}
	if _, err := client.InsertManyFast(ctx, jobs); err != nil {
		return figure{}, err
	}
	if err := r.analyzeJobs(ctx); err != nil {
		return figure{}, err
	}
	if err := client.Start(ctx); err != nil {
		return figure{}, err
	}
	select {
	case last := <-done:
		return figure{value: float64(count-1) / last.Sub(time.Unix(0, first.Load())).Seconds(), count: int(count)}, nil
	case <-ctx.Done():
		return figure{}, ctx.Err()
	}
}
