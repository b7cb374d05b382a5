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

// NewBoundedPool is NewPool with another bound of statements.
func NewBoundedPool(ctx context.Context, url string, bound time.Duration) (*pgxpool.Pool, error) {
	return newPool(ctx, url, nil, bound)
}

// Promote, RescueOlder and SweepBefore run one part of the upkeep now, so that no test waits for its time.
func (w *Workers) Promote(ctx context.Context) error { return w.upkeep.promote(ctx) }

func (w *Workers) RescueOlder(ctx context.Context, age time.Duration) error {
	ages := map[string]time.Duration{}
	for _, queue := range queueNames() {
		ages[queue] = age
	}
	return w.upkeep.rescueOlder(ctx, ages)
}

// Rescue brings back what has run for longer than its queue allows.
func (w *Workers) Rescue(ctx context.Context) error { return w.upkeep.rescue(ctx) }

func (w *Workers) SweepBefore(ctx context.Context, before time.Time) error {
	return w.upkeep.sweepBefore(ctx, before)
}

// AfterRestart is what the upkeep of a new process does at its first look, and some seconds later.
func (w *Workers) AfterRestart(ctx context.Context) (noticed error, swept error) {
	noticed = w.upkeep.afterRestart(ctx)
	if w.upkeep.sweepAt.IsZero() {
		return noticed, errors.New("no sweep is due")
	}
	w.upkeep.sweepAt = w.upkeep.sweepAt.Add(-settledAfter)
	return noticed, w.upkeep.afterRestart(ctx)
}

// InsertByRiver inserts jobs of wake-ups as River's own client does.
func (w *Workers) InsertByRiver(ctx context.Context, wakeUps []webhook.WakeUp) error {
	_, err := w.client.InsertManyFast(ctx, insertions(wakeUps, inLane))
	return err
}

// PutAside sets the deliveries of the only job aside but for the first ones, as the run with this number does.
func (w *Workers) PutAside(ctx context.Context, run, begun int) error {
	var job river.Job[deliverArgs]
	job.JobRow = &rivertype.JobRow{Attempt: run}
	err := w.upkeep.pool.QueryRow(ctx, "SELECT id, args FROM "+jobstest.Jobs).Scan(&job.ID, &job.Args)
	return errors.Join(err, w.upkeep.aside.put(ctx, &job, begun))
}
