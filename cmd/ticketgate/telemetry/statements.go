package telemetry

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// The connection pools, as values of a label.
const (
	PoolRequests = "requests"
	PoolAttempts = "attempts"
	PoolLongWork = "long work"
	PoolJobs     = "jobs"
	PoolJobPages = "job pages"
	PoolUpkeep   = "upkeep"
)

// statementMetrics measures the SQL statements of one pool.
type statementMetrics struct {
	metrics *Metrics
	pool    string
}

// statementKey is the context key of a statement's start and operation.
type statementKey struct{}

type statement struct {
	began     time.Time
	operation string
}

// TraceQueryStart records the start and the operation of a statement.
func (s statementMetrics) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	return context.WithValue(ctx, statementKey{}, statement{time.Now(), operationOf(data.SQL)})
}

// TraceQueryEnd measures a statement, after its rows have been read.
func (s statementMetrics) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryEndData) {
	if started, ok := ctx.Value(statementKey{}).(statement); ok {
		s.metrics.statements.WithLabelValues(s.pool, started.operation, errorType(data.Err)).Observe(time.Since(started.began).Seconds())
	}
}

// batchKey is the context key of the time at which the last statement of a batch ended.
type batchKey struct{}

// TraceBatchStart records the start of a batch, which is also the start of its first statement.
func (statementMetrics) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	last := time.Now()
	return context.WithValue(ctx, batchKey{}, &last)
}

// TraceBatchQuery measures a statement, starting at the end of the previous one.
func (s statementMetrics) TraceBatchQuery(ctx context.Context, _ *pgx.Conn, data pgx.TraceBatchQueryData) {
	if last, ok := ctx.Value(batchKey{}).(*time.Time); ok {
		now := time.Now()
		s.metrics.statements.WithLabelValues(s.pool, operationOf(data.SQL), errorType(data.Err)).Observe(now.Sub(*last).Seconds())
		*last = now
	}
}

// TraceBatchEnd does nothing, since all statements have been measured.
func (statementMetrics) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

// operationWords are the first words of statements that may become label values.
var operationWords = []string{
	"SELECT", "INSERT", "UPDATE", "DELETE", "WITH", "BEGIN", "COMMIT", "ROLLBACK", "SET", "LISTEN", "UNLISTEN", "LOCK",
	"COPY", "VALUES", "SAVEPOINT", "RELEASE",
}

// operationOf returns the first word of a statement, after comments and parentheses. It reads no further, because
// statements that bun builds contain values.
func operationOf(sql string) string {
	text := strings.TrimLeft(sql, " \t\r\n(;")
	for strings.HasPrefix(text, "--") {
		_, rest, _ := strings.Cut(text, "\n")
		text = strings.TrimLeft(rest, " \t\r\n(;")
	}
	end := strings.IndexFunc(text, func(c rune) bool { return (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') })
	if end < 0 {
		end = len(text)
	}
	if word := strings.ToUpper(text[:end]); slices.Contains(operationWords, word) {
		return word
	}
	return "OTHER"
}

// errorType returns the label value for a failed statement: PostgreSQL's error code, or a word for what happened to the
// connection.
func errorType(err error) string {
	if err == nil {
		return ""
	}
	if failure, ok := errors.AsType[*pgconn.PgError](err); ok {
		return failure.Code
	}
	switch {
	case errors.Is(err, context.Canceled):
		return "canceled"
	case errors.Is(err, context.DeadlineExceeded):
		return "timeout"
	}
	return "connection"
}
