package jobs

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// ownership is a middleware for processes that were paused. If another process has rescued a job in the meantime, River
// would treat the failure of this run as that of the current one, and schedule yet another run.
type ownership struct {
	river.MiddlewareDefaults

	pool *pgxpool.Pool
}

// Work drops the failure of a job that this process no longer holds.
func (o *ownership) Work(ctx context.Context, job *rivertype.JobRow, work func(context.Context) error) error {
	err := work(ctx)
	if err != nil && o.isLost(ctx, job) {
		return nil
	}
	return err
}

// isLost reports whether another process has rescued the job. It returns false if the query fails.
func (o *ownership) isLost(ctx context.Context, job *rivertype.JobRow) bool {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTimeout)
	defer cancel()
	lost, err := hasLost(ctx, o.pool, job)
	return err == nil && lost
}
