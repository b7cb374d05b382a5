package jobs

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"ticketgate/domain/webhook"
	"ticketgate/jobs/killpoint"
)

const (
	// beforeRescue is what a job may take beyond its time and that of the statements after it.
	beforeRescue = 3 * time.Second
	// overdueAfter is how late a wake-up may be before its job is looked for, and sweepEvery how often.
	overdueAfter = 2 * time.Minute
	sweepEvery   = time.Minute
	// settledAfter is how long after a restart of the database the jobs that ended meanwhile are completed.
	settledAfter = 10 * time.Second
	sweepAtMost  = 1000
)

// upkeep is the work of loops.go, and the sweep.
type upkeep struct {
	pool   *pgxpool.Pool
	client *river.Client[pgx.Tx]
	store  Store
	// handOvers are swept as the store's deliveries are.
	handOvers HandOvers
	aside     *aside
	log       *slog.Logger
	now       func() time.Time
	// stuckAfter is longer than any run of a job of each queue can take.
	stuckAfter map[string]time.Duration
	// databaseBegan is when the database was last started, sweepAt when the sweep after a restart of it is due.
	databaseBegan, sweepAt time.Time
}

// promote makes jobs available whose time has come.
func (u *upkeep) promote(ctx context.Context) error { return promoteDue(ctx, u.pool) }

// rescue makes jobs available that have run for longer than any can: their process was killed or is paused. Should it
// wake up, its result is refused by the number of its attempt.
func (u *upkeep) rescue(ctx context.Context) error {
	return u.rescueOlder(ctx, u.stuckAfter)
}

func (u *upkeep) rescueOlder(ctx context.Context, ages map[string]time.Duration) error {
	rescued, err := rescueStuck(ctx, u.pool, ages)
	if err == nil && rescued > 0 {
		killpoint.At(killpoint.Rescuing)
		u.log.InfoContext(ctx, "stuck jobs rescued", slog.Int64("jobs", rescued))
	}
	return err
}

// sweep gives a new job to deliveries that are long due and have none: their job was discarded, or lost in a way that
// nobody thought of. Nothing ends silently.
func (u *upkeep) sweep(ctx context.Context) error {
	return u.sweepBefore(ctx, u.now().Add(-overdueAfter))
}

// afterRestart sweeps early when the database was started anew, or this process was: it can't know what was before. A crash
// takes along what was recorded without waiting for the disk (see db.Attempts), and the process that recorded it completes the
// job all the same.
func (u *upkeep) afterRestart(ctx context.Context) error {
	var began time.Time
	if err := u.pool.QueryRow(ctx, "SELECT pg_postmaster_start_time()").Scan(&began); err != nil {
		return err
	}
	if !began.Equal(u.databaseBegan) {
		u.sweepAt = u.now().Add(settledAfter)
	}
	u.databaseBegan = began
	if u.sweepAt.IsZero() || u.now().Before(u.sweepAt) {
		return nil
	}
	if err := u.sweepBefore(ctx, u.now().Add(-settledAfter/2)); err != nil {
		return err
	}
	u.sweepAt = time.Time{}
	return nil
}

func (u *upkeep) sweepBefore(ctx context.Context, before time.Time) error {
	overdue, err := u.overdue(ctx, before)
	if err != nil || len(overdue) == 0 {
		return err
	}
	return pgx.BeginFunc(ctx, u.pool, func(tx pgx.Tx) error {
		const lock = 0x7377656570 // "sweep": two processes would insert the same jobs
		var mine bool
		if err := tx.QueryRow(ctx, "SELECT pg_try_advisory_xact_lock($1)", lock).Scan(&mine); err != nil || !mine {
			return err
		}
		jobless, err := withoutJob(ctx, tx, overdue)
		if err != nil || len(jobless) == 0 {
			return err
		}
		u.log.WarnContext(ctx, "deliveries without a job found", slog.Int("deliveries", len(jobless)))
		_, err = u.client.InsertManyFastTx(ctx, tx, insertions(jobless, inLane))
		return err
	})
}

// overdue are deliveries and hand-overs that are long due.
func (u *upkeep) overdue(ctx context.Context, before time.Time) ([]webhook.WakeUp, error) {
	deliveries, err := u.store.Overdue(ctx, before, sweepAtMost)
	if err != nil {
		return nil, err
	}
	handOvers, err := u.handOvers.Overdue(ctx, before, sweepAtMost)
	return append(deliveries, handOvers...), err
}

func queueNames() []string {
	return append(slices.Collect(maps.Values(laneQueues)), crowdQueue, handOverQueue, mailQueue, periodicQueue)
}
