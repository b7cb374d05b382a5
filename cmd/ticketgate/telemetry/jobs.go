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

// Work measures a job to its end, also when that is a panic.
func (j *jobMetrics) Work(ctx context.Context, job *rivertype.JobRow, next func(context.Context) error) error {
	started, outcome := time.Now(), "panicked"
	defer func() {
		j.metrics.jobs.WithLabelValues(job.Kind, job.Queue, outcome).Observe(time.Since(started).Seconds())
	}()
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
