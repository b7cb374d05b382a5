package telemetry

import (
	"context"
	"errors"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// jobMetrics measures jobs. A process works only kinds and queues that it knows.
type jobMetrics struct {
	river.MiddlewareDefaults

	metrics *Metrics
}

var _ rivertype.WorkerMiddleware = &jobMetrics{}

// Work measures a job to its end.
func (j *jobMetrics) Work(ctx context.Context, job *rivertype.JobRow, next func(context.Context) error) error {
	started := time.Now()
	return ending(ctx, next, func(outcome string) {
		j.metrics.jobs.WithLabelValues(job.Kind, job.Queue, outcome).Observe(time.Since(started).Seconds())
	})
}

// ending works a job and tells how it ended, also when that is a panic.
func ending(ctx context.Context, next func(context.Context) error, tell func(outcome string)) error {
	outcome := "panicked"
	defer func() { tell(outcome) }()
	err := next(ctx)
	outcome = outcomeOf(err)
	return err
}

// outcomeOf is what becomes of a job. One that failed did so for a reason of ours, never for a listener's.
func outcomeOf(err error) string {
	if err == nil {
		return "done"
	}
	if _, snoozed := errors.AsType[*river.JobSnoozeError](err); snoozed {
		return "snoozed"
	}
	return "failed"
}
