package jobs

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river/rivertype"

	"ticketgate/domain/webhook"
)

// Depth is how many jobs of a queue are in a state, up to webhook.BacklogCounted.
type Depth struct {
	Queue, State string
	Jobs         int
}

// depthStates are those of jobs that are not completed: of completed ones there are as many as were made of late.
var depthStates = []rivertype.JobState{
	rivertype.JobStateAvailable, rivertype.JobStateRunning, rivertype.JobStateScheduled, rivertype.JobStateRetryable,
	rivertype.JobStateDiscarded, rivertype.JobStateCancelled,
}

// Depths counts the jobs of every queue by their states.
func Depths(ctx context.Context, pool *pgxpool.Pool) ([]Depth, error) {
	found, err := pool.Query(ctx, `SELECT q.name, s.name, (SELECT count(*) FROM (
			SELECT FROM river_job j WHERE j.state = s.name::river_job_state AND j.queue = q.name LIMIT $3) AS counted)
		FROM unnest($1::text[]) AS q (name) CROSS JOIN unnest($2::text[]) AS s (name)`,
		queueNames(), depthStates, webhook.BacklogCounted)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(found, pgx.RowToStructByPos[Depth])
}
