package telemetry

import (
	"context"
	"errors"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// jobMetrics measures jobs. Its labels are bounded, since a process runs only jobs of known kinds and queues.
type jobMetrics struct {
	river.MiddlewareDefaults

	metrics *Metrics
}

var _ rivertype.WorkerMiddleware = &jobMetrics{}

// Work runs a job and measures it.
func (j *jobMetrics) Work(ctx context.Context, job *rivertype.JobRow, next func(context.Context) error) error {
	started := time.Now()
	return ending(ctx, next, func(outcome string) {
		j.metrics.jobs.WithLabelValues(job.Kind, job.Queue, outcome).Observe(time.Since(started).Seconds())
	})
}

// ending runs a job and calls tell with its outcome, even if the job panics.
func ending(ctx context.Context, next func(context.Context) error, tell func(outcome string)) error {
	outcome := "panicked"
	defer func() { tell(outcome) }()
	err := next(ctx)
	outcome = outcomeOf(err)
	return err
}

// outcomeOf returns the outcome of a job. A failed job is always a fault of the server, never of a listener.
func outcomeOf(err error) string {
	if err == nil {
		return "done"
	}
	if _, snoozed := errors.AsType[*river.JobSnoozeError](err); snoozed {
		return "snoozed"
	}
	return "failed"
}
