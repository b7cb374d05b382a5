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

// Promote, RescueOlder and SweepBefore run one part of the upkeep now, so that no test waits for its time; EachMinute is the
// upkeep whose minutes a test makes.
func (w *Workers) Promote(ctx context.Context) error { return w.upkeep.promote(ctx) }

func (w *Workers) RescueOlder(ctx context.Context, age time.Duration) error {
	return w.upkeep.rescueOlder(ctx, age)
}

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

func (w *Workers) EachMinute(ctx context.Context, minute <-chan time.Time) {
	w.upkeep.eachMinute(ctx, minute)
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
