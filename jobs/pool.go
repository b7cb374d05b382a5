package jobs

import (
	"context"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/multitracer"
	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	// poolSize is the connections of a working process: one listens, the others fetch and complete jobs.
	poolSize = 6
	// statementTimeout bounds each statement of the job queue, most of which take a millisecond.
	statementTimeout = 10 * time.Second
	connectionBound  = 5 * time.Second
	// pingTimeout is how long a connection that was idle may take to show that it is alive.
	pingTimeout = time.Second
)

// NewPool opens the connections of the job queue, apart from those of requests. The tracer is told of each statement; nil
// is nobody.
func NewPool(ctx context.Context, url string, tracer pgx.QueryTracer) (*pgxpool.Pool, error) {
	return newPool(ctx, url, tracer, statementTimeout)
}

// idleInTransaction is the server's bound on an open transaction in which nothing happens.
const idleInTransaction = "idle_in_transaction_session_timeout"

func newPool(
	ctx context.Context, url string, tracer pgx.QueryTracer, bound time.Duration, adapt ...func(*pgxpool.Config),
) (*pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, err
	}
	config.MaxConns = poolSize
	config.PingTimeout = pingTimeout
	if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = connectionBound
	}
	config.ConnConfig.RuntimeParams["application_name"] = "ticketgate jobs"
	config.ConnConfig.RuntimeParams["timezone"] = "UTC"
	// Behind a connection that has gone silent the server still holds the locks of a transaction, and what they keep from
	// everybody else, set-aside deliveries for one, would wait for hours.
	config.ConnConfig.RuntimeParams[idleInTransaction] = strconv.FormatInt(statementTimeout.Milliseconds(), 10)
	config.ConnConfig.Tracer = deadline(bound)
	if tracer != nil {
		config.ConnConfig.Tracer = multitracer.New(tracer, deadline(bound))
	}
	for _, change := range adapt {
		change(config)
	}
	return pgxpool.NewWithConfig(ctx, config)
}

// deadline bounds every statement of a connection. River fetches jobs without a bound of its own: on a connection that has
// gone silent, without an error and without an end, it would wait for ever and work nothing.
type deadline time.Duration

type cancelKey struct{}

// TraceQueryStart gives a statement its time.
func (d deadline) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	ctx, cancel := context.WithTimeout(ctx, time.Duration(d))
	return context.WithValue(ctx, cancelKey{}, cancel)
}

// TraceQueryEnd gives the timer back.
func (deadline) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryEndData) {
	if cancel, ok := ctx.Value(cancelKey{}).(context.CancelFunc); ok {
		cancel()
	}
}
