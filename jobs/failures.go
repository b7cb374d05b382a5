package jobs

import (
	"context"
	"errors"
	"log/slog"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// failures logs failed jobs: errors of the server only, because an unresponsive listener does not fail a job. River
// itself logs errors at the level of its statistics, which quiet drops, and panics without a stack trace.
type failures struct{ log *slog.Logger }

// HandleError logs an error, or an interruption at the info level.
func (f failures) HandleError(ctx context.Context, job *rivertype.JobRow, err error) *river.ErrorHandlerResult {
	level := slog.LevelWarn
	if errors.Is(err, errInterrupted) {
		level = slog.LevelInfo
	}
	f.log.LogAttrs(ctx, level, "job failed", append(ofJob(job), slog.Any("error", err))...)
	return nil
}

// HandlePanic logs a panic with its stack trace.
func (f failures) HandlePanic(ctx context.Context, job *rivertype.JobRow, reason any, trace string) *river.ErrorHandlerResult {
	f.log.LogAttrs(ctx, slog.LevelError, "job panicked", append(ofJob(job), slog.Any("panic", reason), slog.String("trace", trace))...)
	return nil
}

func ofJob(job *rivertype.JobRow) []slog.Attr {
	return []slog.Attr{
		slog.Int64("job", job.ID), slog.String("kind", job.Kind), slog.String("queue", job.Queue), slog.Int("run", job.Attempt),
	}
}
