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
	// beforeRescue is the time that a job may take in addition to its call and the statements after it.
	beforeRescue = 3 * time.Second
	// overdueAfter is the delay after which the sweep searches for the job of a delivery. sweepEvery is the interval of
	// the sweep.
	overdueAfter = 2 * time.Minute
	sweepEvery   = time.Minute
	// settledAfter is the wait between a restart of the database and its sweep, in which jobs that ended meanwhile are
	// completed.
	settledAfter = 10 * time.Second
	sweepAtMost  = 1000
)

// upkeep runs the loops of loops.go and the sweep.
type upkeep struct {
	pool   *pgxpool.Pool
	client *river.Client[pgx.Tx]
	store  Store
	// handOvers are swept like the store's deliveries.
	handOvers HandOvers
	overflow  *overflow
	log       *slog.Logger
	now       func() time.Time
	// stuckAfter is the time after which a job of each queue must have ended.
	stuckAfter map[string]time.Duration
	// databaseBegan is when the database was last started. sweepAt is when the sweep after a restart is due.
	databaseBegan, sweepAt time.Time
}

// promote makes due jobs available.
func (u *upkeep) promote(ctx context.Context) error { return promoteDue(ctx, u.pool) }

// rescue makes available the jobs that have run for too long because their process was killed or paused. If a paused
// process resumes, its result is refused by the attempt number.
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

// sweep inserts new jobs for deliveries that are long overdue and have none, because their job was discarded or lost.
// It ensures that every delivery gets an outcome.
func (u *upkeep) sweep(ctx context.Context) error {
	return u.sweepBefore(ctx, u.now().Add(-overdueAfter))
}

// afterRestart sweeps soon after the database or this process has started. A crash of the database loses results that
// were recorded without waiting for the disk (see db.Attempts), although their jobs are completed.
func (u *upkeep) afterRestart(ctx context.Context) error {
	var started time.Time
	if err := u.pool.QueryRow(ctx, "SELECT pg_postmaster_start_time()").Scan(&started); err != nil {
		return err
	}
	if !started.Equal(u.databaseBegan) {
		u.sweepAt = u.now().Add(settledAfter)
	}
	u.databaseBegan = started
	if u.sweepAt.IsZero() || u.now().Before(u.sweepAt) {
		return nil
	}
	if err := u.sweepBefore(ctx, u.now().Add(-settledAfter/2)); err != nil {
		return err
	}
	u.sweepAt = time.Time{}
	return nil
}

// sweepBefore inserts jobs for deliveries that were due before a time and have no job. If another process is doing
// so, it does nothing.
func (u *upkeep) sweepBefore(ctx context.Context, before time.Time) error {
	overdue, err := u.overdue(ctx, before)
	if err != nil || len(overdue) == 0 {
		return err
	}
	return pgx.BeginFunc(ctx, u.pool, func(tx pgx.Tx) error {
		const lock = 0x7377656570 // "sweep": prevents two processes from inserting the same jobs
		var mine bool
		if err := tx.QueryRow(ctx, "SELECT pg_try_advisory_xact_lock($1)", lock).Scan(&mine); err != nil || !mine {
			return err
		}
		jobless, err := withoutJob(ctx, tx, overdue)
		if err != nil || len(jobless) == 0 {
			return err
		}
		u.log.WarnContext(ctx, "deliveries without a job found", slog.Int("deliveries", len(jobless)))
		_, err = u.client.InsertManyFastTx(ctx, tx, insertions(jobless, queueName))
		return err
	})
}

// overdue returns deliveries and hand-overs that are long overdue.
func (u *upkeep) overdue(ctx context.Context, before time.Time) ([]webhook.Job, error) {
	deliveries, err := u.store.Overdue(ctx, before, sweepAtMost)
	if err != nil {
		return nil, err
	}
	handOvers, err := u.handOvers.Overdue(ctx, before, sweepAtMost)
	return append(deliveries, handOvers...), err
}

func queueNames() []string {
	return append(slices.Collect(maps.Values(riverQueues)), bulkQueue, handOverQueue, mailQueue, periodicQueue)
}
