package jobs

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"ticketgate/domain/webhook"
	"ticketgate/jobs/jobstest"
)

// NewBoundedPool is NewPool with a different statement timeout.
func NewBoundedPool(ctx context.Context, url string, bound time.Duration) (*pgxpool.Pool, error) {
	return newPool(ctx, url, nil, bound)
}

// Promote, RescueOlder and SweepBefore each run one part of the upkeep immediately.
func (w *Workers) Promote(ctx context.Context) error { return w.upkeep.promote(ctx) }

func (w *Workers) RescueOlder(ctx context.Context, age time.Duration) error {
	ages := map[string]time.Duration{}
	for _, queue := range queueNames() {
		ages[queue] = age
	}
	return w.upkeep.rescueOlder(ctx, ages)
}

// Rescue makes available the jobs that have run for longer than their queue allows.
func (w *Workers) Rescue(ctx context.Context) error { return w.upkeep.rescue(ctx) }

func (w *Workers) SweepBefore(ctx context.Context, before time.Time) error {
	return w.upkeep.sweepBefore(ctx, before)
}

// AfterRestart runs a new process's first two checks for a restart of the database.
func (w *Workers) AfterRestart(ctx context.Context) (noticed error, swept error) {
	noticed = w.upkeep.afterRestart(ctx)
	if w.upkeep.sweepAt.IsZero() {
		return noticed, errors.New("no sweep is due")
	}
	w.upkeep.sweepAt = w.upkeep.sweepAt.Add(-settledAfter)
	return noticed, w.upkeep.afterRestart(ctx)
}

// InsertByRiver inserts the jobs with River's own client.
func (w *Workers) InsertByRiver(ctx context.Context, jobs []webhook.Job) error {
	_, err := w.client.InsertManyFast(ctx, insertions(jobs, queueName))
	return err
}

// AddToOverflow sets aside all but the first deliveries of the only job, as its run with the given number.
func (w *Workers) AddToOverflow(ctx context.Context, run, started int) error {
	var job river.Job[deliverArgs]
	job.JobRow = &rivertype.JobRow{Attempt: run}
	err := w.upkeep.pool.QueryRow(ctx, "SELECT id, args FROM "+jobstest.Jobs).Scan(&job.ID, &job.Args)
	return errors.Join(err, w.upkeep.overflow.add(ctx, &job, started))
}
