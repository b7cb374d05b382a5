package jobs

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"ticketgate/domain/webhook"
)

// This file contains every statement on River's tables (JOB-3). Everything else uses River's client. The statements
// match MigrationVersion of these tables. A test fails when River adds a version. docs/internals/jobs.md has the
// measurements.

// MigrationVersion is the version of River's tables. It must not be raised automatically with an update of River,
// because older processes must keep working during a rolling deployment.
const MigrationVersion = 8

// insertJobs inserts jobs and notifies their queues in one statement, which the server plans once. River's
// InsertManyFastTx takes two statements over database/sql, which are planned each time. It also drops a notification
// within the fetch cooldown of the previous one. The job would then wait for the next poll.
const insertJobs = `WITH job AS (
		INSERT INTO river_job (args, kind, max_attempts, queue, scheduled_at, state)
		SELECT j.args::jsonb, j.kind, $1, j.queue, coalesce(j.due, now()),
			(CASE WHEN j.due IS NULL THEN 'available' ELSE 'scheduled' END)::river_job_state
		FROM unnest($2::text[], $3::text[], $4::text[], $5::timestamptz[]) AS j (args, kind, queue, due))
	SELECT pg_notify(current_schema() || '.river_insert', '{"queue": "' || name || '"}') FROM unnest($6::text[]) AS name`

// insertion returns the arguments of insertJobs. Of a job's options, it uses the queue and the scheduled time.
func insertion(jobs []river.InsertManyParams) ([]any, error) {
	var args, kinds, queues, immediate []string
	var due []*time.Time
	for _, job := range jobs {
		encoded, err := json.Marshal(job.Args)
		if err != nil {
			return nil, err
		}
		queue := job.InsertOpts.Queue
		args, kinds, queues = append(args, string(encoded)), append(kinds, job.Args.Kind()), append(queues, queue)
		if at := job.InsertOpts.ScheduledAt; !at.IsZero() {
			due = append(due, &at)
			continue
		}
		due = append(due, nil)
		if !slices.Contains(immediate, queue) {
			immediate = append(immediate, queue)
		}
	}
	return []any{maxRuns, args, kinds, queues, due, immediate}, nil
}

// promoteDue makes due jobs available. River's scheduler does the same, but only in the leader: after the leader is
// killed, no job becomes available until another is elected. The condition on the priority, which is always the
// default, is needed to use the index.
func promoteDue(ctx context.Context, pool *pgxpool.Pool) error {
	_, err := pool.Exec(ctx, `UPDATE river_job SET state = 'available' WHERE id IN (
		SELECT id FROM river_job WHERE state IN ('scheduled', 'retryable') AND queue = ANY($1) AND priority = $2
			AND scheduled_at <= now() ORDER BY scheduled_at LIMIT 10000 FOR UPDATE SKIP LOCKED)`,
		queueNames(), river.PriorityDefault)
	return err
}

// rescueStuck makes available the jobs that have run for longer than the limit of their queue, and returns their
// number. River's rescuer runs every 30 s and only in the leader, has one limit for all queues, and discards jobs of
// unknown kinds.
func rescueStuck(ctx context.Context, pool *pgxpool.Pool, ages map[string]time.Duration) (int64, error) {
	queues := slices.Sorted(maps.Keys(ages))
	intervals := make([]time.Duration, len(queues))
	for i, queue := range queues {
		intervals[i] = ages[queue]
	}
	rescued, err := pool.Exec(ctx, `UPDATE river_job SET state = 'available' WHERE id IN (
		SELECT j.id FROM unnest($1::text[], $2::interval[]) AS q (name, age) JOIN river_job j ON j.queue = q.name
		WHERE j.state = 'running' AND j.attempted_at < now() - q.age LIMIT 10000 FOR UPDATE OF j SKIP LOCKED)`, queues, intervals)
	return rescued.RowsAffected(), err
}

// hasLost reports whether a job was rescued since this run started. River completes a job by its id and state only. It
// would take the failure of an earlier run for that of the current one.
func hasLost(ctx context.Context, pool *pgxpool.Pool, job *rivertype.JobRow) (lost bool, err error) {
	const query = "SELECT state <> 'running' OR attempt <> $2 FROM river_job WHERE id = $1"
	err = pool.QueryRow(ctx, query, job.ID, job.Attempt).Scan(&lost)
	return lost, err
}

// insertOverflow moves deliveries from their running jobs to set_aside. It is one statement, because a process that
// rescues the job must not attempt them too. A job with no remaining deliveries is completed. A job that was rescued in
// the meantime is not changed. River has no method that changes a job's arguments.
const insertOverflow = `WITH held AS (
		UPDATE river_job r SET args = coalesce(j.remaining::jsonb, r.args),
			state = CASE WHEN j.remaining IS NULL THEN 'completed' ELSE r.state END,
			finalized_at = CASE WHEN j.remaining IS NULL THEN now() END
		FROM unnest($1::bigint[], $2::int[], $3::text[]) AS j (id, attempt, remaining)
		WHERE r.id = j.id AND r.attempt = j.attempt AND r.state = 'running'
		RETURNING r.id)
	INSERT INTO set_aside (webhook_id, delivery_id)
	SELECT s.webhook_id, s.delivery_id FROM unnest($4::bigint[], $5::text[], $6::uuid[]) WITH ORDINALITY
		AS s (job_id, webhook_id, delivery_id, place) JOIN held ON held.id = s.job_id ORDER BY s.place ON CONFLICT DO NOTHING`

// withoutJob returns the deliveries without a pending or running job. Manual attempts have their own queue. Scheduled
// ones may be in any other. River's JobList supports one condition. This looks up a thousand jobs at once.
func withoutJob(ctx context.Context, tx pgx.Tx, jobs []webhook.Job) ([]webhook.Job, error) {
	ids, manual := make([]string, len(jobs)), make([]bool, len(jobs))
	for i, job := range jobs {
		ids[i], manual[i] = job.DeliveryID, job.Queue == webhook.ManualQueue
	}
	found, err := tx.Query(ctx, `SELECT w.position FROM unnest($1::text[], $2::bool[]) WITH ORDINALITY AS w (id, by_hand, position)
		WHERE NOT EXISTS (SELECT FROM river_job j WHERE (j.args @> jsonb_build_object('delivery_id', w.id)
			OR j.args @> jsonb_build_object('more', jsonb_build_array(w.id))) AND j.kind = ANY($3) AND (j.queue = $4) = w.by_hand
			AND j.state IN ('available', 'running', 'scheduled', 'retryable', 'pending'))`,
		ids, manual, []string{deliverKind, handOverKind}, riverQueues[webhook.ManualQueue])
	if err != nil {
		return nil, err
	}
	positions, err := pgx.CollectRows(found, pgx.RowTo[int])
	if err != nil {
		return nil, fmt.Errorf("jobs of overdue deliveries: %w", err)
	}
	jobless := make([]webhook.Job, len(positions))
	for i, position := range positions {
		jobless[i] = jobs[position-1]
	}
	return jobless, nil
}

// Depth is the number of jobs in one queue and state, counted up to webhook.BacklogCounted.
type Depth struct {
	Queue, State string
	Jobs         int
}

// depthStates are the states of jobs to count. Completed jobs are not counted: their number shows only how many ran
// recently.
var depthStates = []rivertype.JobState{
	rivertype.JobStateAvailable, rivertype.JobStateRunning, rivertype.JobStateScheduled, rivertype.JobStateRetryable,
	rivertype.JobStateDiscarded, rivertype.JobStateCancelled,
}

// Depths counts the jobs of every queue by state. River counts jobs only for its web pages, and without a limit.
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

// Attempting reports whether a running job attempts deliveries of a seller. River's JobList can't filter by seller.
func Attempting(ctx context.Context, on *pgx.Conn, seller string) (running bool, err error) {
	err = on.QueryRow(ctx, `SELECT EXISTS (SELECT FROM river_job WHERE state = 'running'
		AND args ->> 'webhook_id' IN (SELECT id FROM webhooks WHERE seller_id = $1))`, seller).Scan(&running)
	return running, err
}
