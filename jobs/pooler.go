package jobs

import (
	"context"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
)

// PoolerSuffix ends the name of the database of the job queue at a pooler in transaction mode.
const PoolerSuffix = "_jobs"

// PoolerSettings are those of the queue's connections from the pooler to the server.
func PoolerSettings() map[string]string {
	return map[string]string{idleInTransaction: strconv.FormatInt(statementTimeout.Milliseconds(), 10)}
}

// pooled makes the settings of connections to the server those of connections to a pooler. A statement that is prepared on one
// connection to the server is unknown on the next.
func pooled(config *pgxpool.Config) {
	config.ConnConfig.Database += PoolerSuffix
	delete(config.ConnConfig.RuntimeParams, idleInTransaction)
	config.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
}

// NewPooledPool is NewPool by a pooler in transaction mode.
func NewPooledPool(ctx context.Context, url string, tracer pgx.QueryTracer) (*pgxpool.Pool, error) {
	return newPool(ctx, url, tracer, statementTimeout, pooled)
}

// NewListenerPool opens the connection past a pooler on which the queue is told of new jobs.
func NewListenerPool(ctx context.Context, directURL string) (*pgxpool.Pool, error) {
	return newPool(ctx, directURL, nil, statementTimeout, func(config *pgxpool.Config) { config.MaxConns = 1 })
}

// driver is River's, which listens on connections of their own if there are any.
func (c Config) driver() riverdriver.Driver[pgx.Tx] {
	if c.Listener == nil {
		return riverpgxv5.New(c.Pool)
	}
	return &listeningDriver{riverpgxv5.New(c.Pool), riverpgxv5.New(c.Listener)}
}

// listeningDriver works over one pool and listens over another one, since a pooler hands no notifications on.
type listeningDriver struct {
	*riverpgxv5.Driver

	direct *riverpgxv5.Driver
}

// GetListener returns a listener past the pooler.
func (d *listeningDriver) GetListener(params *riverdriver.GetListenenerParams) riverdriver.Listener {
	return d.direct.GetListener(params)
}
