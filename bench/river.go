package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"ticketgate/db/embedded"
)

// bareJob is what the smallest program on River does: nothing, or one POST.
type bareJob struct {
	Body string `json:"body,omitempty"`
}

// Kind names the job.
func (bareJob) Kind() string { return "bench_bare" }

// bareWorker works bare jobs.
type bareWorker struct {
	river.WorkerDefaults[bareJob]
	work func(context.Context, bareJob) error
}

// Work does what the benchmark says.
func (w *bareWorker) Work(ctx context.Context, job *river.Job[bareJob]) error {
	return w.work(ctx, job.Args)
}

// bareRiver is a River program on the rig's database, as its documentation shows it but for a cooldown as short as ours.
func (r *rig) bareRiver(ctx context.Context, work func(context.Context, bareJob) error) (*river.Client[pgx.Tx], func(), error) {
	pool, err := pgxpool.New(ctx, r.database(embedded.ApplicationRole))
	if err != nil {
		return nil, nil, err
	}
	known := river.NewWorkers()
	river.AddWorker(known, &bareWorker{work: work})
	client, err := river.NewClient(riverpgxv5.New(pool), &river.Config{
		Queues:  map[string]river.QueueConfig{"bench_bare": {MaxWorkers: 200}},
		Workers: known, FetchCooldown: 2 * time.Millisecond, FetchPollInterval: 100 * time.Millisecond,
		Logger: slog.New(slog.DiscardHandler),
	})
	stop := func() {
		bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopBound)
		defer cancel()
		_ = client.Stop(bounded)
		pool.Close()
	}
	return client, stop, err
}

// analyzeJobs brings the statistics of the jobs' table up to date: those of an empty table make one drain in six two or three
// times slower.
func (r *rig) analyzeJobs(ctx context.Context) error {
	return r.cluster.execute(ctx, r.name, "ANALYZE river_job")
}

// nothingByRiver works off a backlog of jobs that do nothing.
func (r *rig) nothingByRiver(ctx context.Context, d time.Duration) (figure, error) {
	count := int64(eventsPerSecond * d.Seconds())
	var first, worked atomic.Int64
	done := make(chan time.Time, 1)
	client, stop, err := r.bareRiver(ctx, func(context.Context, bareJob) error {
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
		jobs[i] = river.InsertManyParams{Args: bareJob{}, InsertOpts: &river.InsertOpts{Queue: "bench_bare"}}
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

// postsByRiver measures the smallest program that delivers: from before the transaction that inserts the job to the
// listener, and the answer is read. It keeps no record of any attempt.
func (r *rig) postsByRiver(v *receiver) measurement {
	calls := &http.Client{}
	return func(ctx context.Context, d time.Duration) (figure, error) {
		client, stop, err := r.bareRiver(ctx, func(ctx context.Context, job bareJob) error {
			request, err := http.NewRequestWithContext(ctx, http.MethodPost, v.url, strings.NewReader(job.Body))
			if err != nil {
				return err
			}
			answer, err := calls.Do(request)
			if err != nil {
				return err
			}
			return answer.Body.Close()
		})
		if err != nil {
			return figure{}, err
		}
		defer stop()
		if err := client.Start(ctx); err != nil {
			return figure{}, err
		}
		padding := strings.Repeat("x", 1<<10)
		return paced(ctx, v, d, func(ctx context.Context, number int) error {
			body := fmt.Sprintf(`{"id":%q,"number":%d,"data":%q}`, "bare-"+time.Now().Format(time.RFC3339Nano), number%10, padding)
			_, err := client.Insert(ctx, bareJob{body}, &river.InsertOpts{Queue: "bench_bare"})
			return err
		})
	}
}
