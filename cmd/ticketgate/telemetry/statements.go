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

// The pools of connections.
const (
	PoolRequests = "requests"
	PoolAttempts = "attempts"
	PoolLongWork = "long work"
	PoolJobs     = "jobs"
	PoolJobPages = "job pages"
	PoolUpkeep   = "upkeep"
)

// statementMetrics measures the statements of one pool.
type statementMetrics struct {
	metrics *Metrics
	pool    string
}

// statementKey is where a statement's beginning is kept, for its end.
type statementKey struct{}

type statement struct {
	began     time.Time
	operation string
}

// TraceQueryStart notes when a statement began and what it does.
func (s statementMetrics) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	return context.WithValue(ctx, statementKey{}, statement{time.Now(), operationOf(data.SQL)})
}

// TraceQueryEnd observes the statement, whose rows have been read.
func (s statementMetrics) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryEndData) {
	if begun, ok := ctx.Value(statementKey{}).(statement); ok {
		s.metrics.statements.WithLabelValues(s.pool, begun.operation, errorType(data.Err)).Observe(time.Since(begun.began).Seconds())
	}
}

// operationWords are the first words of statements that become labels.
var operationWords = []string{
	"SELECT", "INSERT", "UPDATE", "DELETE", "WITH", "BEGIN", "COMMIT", "ROLLBACK", "SET", "LISTEN", "UNLISTEN", "LOCK",
	"COPY", "VALUES", "SAVEPOINT", "RELEASE",
}

// operationOf is the first word of a statement, behind comments and brackets. No more of it is looked at: a statement that
// bun writes holds its values.
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

// errorType says how a statement failed: by PostgreSQL's code for it, or by what befell the connection.
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
