package jobs

import (
	"context"
	"maps"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/multitracer"
	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	// poolSize is the number of connections of a process with workers: one listens, the others fetch and complete jobs.
	poolSize = 6
	// statementTimeout bounds each statement of the job queue. Most take a millisecond.
	statementTimeout = 10 * time.Second
	connectionBound  = 5 * time.Second
	// pingTimeout is how long an idle connection may take to respond to a ping.
	pingTimeout = time.Second
)

// NewPool opens the connections of the job queue, which are separate from those for requests. tracer may be nil.
func NewPool(ctx context.Context, url string, tracer pgx.QueryTracer) (*pgxpool.Pool, error) {
	return newPool(ctx, url, tracer, statementTimeout)
}

// onServer are the PostgreSQL settings of the queue's connections. Fetching and completing jobs does not wait for the
// disk: if a crash loses the change, the job runs again and finds its work done. Changes that insert jobs use other
// connections. The timeout ends transactions of unresponsive connections, whose locks would otherwise block others for
// hours, for example on set_aside.
var onServer = map[string]string{
	"idle_in_transaction_session_timeout": strconv.FormatInt(statementTimeout.Milliseconds(), 10),
	"synchronous_commit":                  "off",
}

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
	maps.Copy(config.ConnConfig.RuntimeParams, onServer)
	config.ConnConfig.Tracer = deadline(bound)
	if tracer != nil {
		config.ConnConfig.Tracer = multitracer.New(tracer, deadline(bound))
	}
	for _, change := range adapt {
		change(config)
	}
	return pgxpool.NewWithConfig(ctx, config)
}

// deadline bounds every statement of a connection. River fetches jobs without a time limit and would wait forever on an
// unresponsive connection.
type deadline time.Duration

type cancelKey struct{}

// TraceQueryStart starts the time limit of a statement.
func (d deadline) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	ctx, cancel := context.WithTimeout(ctx, time.Duration(d))
	return context.WithValue(ctx, cancelKey{}, cancel)
}

// TraceQueryEnd stops the timer of a statement.
func (deadline) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryEndData) {
	if cancel, ok := ctx.Value(cancelKey{}).(context.CancelFunc); ok {
		cancel()
	}
}
