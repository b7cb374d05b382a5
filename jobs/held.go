package jobs

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// held keeps a process that was paused from bringing a job back that another one has rescued meanwhile: River would take its
// failure for that of the run under way, and begin yet another beside it.
type held struct {
	river.MiddlewareDefaults

	pool *pgxpool.Pool
}

// Work forgets a failure of what is not held any more.
func (h *held) Work(ctx context.Context, job *rivertype.JobRow, work func(context.Context) error) error {
	err := work(ctx)
	if err != nil && h.lost(ctx, job) {
		return nil
	}
	return err
}

// lost reports whether another process has rescued a job. If the database can't say, the job counts as held.
func (h *held) lost(ctx context.Context, job *rivertype.JobRow) bool {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTimeout)
	defer cancel()
	lost, err := hasLost(ctx, h.pool, job)
	return err == nil && lost
}
