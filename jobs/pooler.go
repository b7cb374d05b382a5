package jobs

import (
	"context"
	"maps"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
)

// PoolerSuffix is appended to the name of the database to connect the job queue through a pooler in transaction mode.
const PoolerSuffix = "_jobs"

// PoolerSettings returns the settings that a pooler must use for the queue's connections to the server.
func PoolerSettings() map[string]string { return maps.Clone(onServer) }

// pooled adapts a pool to a pooler in transaction mode, where a statement prepared on one server connection is unknown
// on the next.
func pooled(config *pgxpool.Config) {
	config.ConnConfig.Database += PoolerSuffix
	for name := range onServer {
		delete(config.ConnConfig.RuntimeParams, name)
	}
	config.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
}

// NewPooledPool is like NewPool, for a pooler in transaction mode.
func NewPooledPool(ctx context.Context, url string, tracer pgx.QueryTracer) (*pgxpool.Pool, error) {
	return newPool(ctx, url, tracer, statementTimeout, pooled)
}

// NewListenerPool opens a direct connection to the server that receives the notifications of new jobs.
func NewListenerPool(ctx context.Context, directURL string) (*pgxpool.Pool, error) {
	return newPool(ctx, directURL, nil, statementTimeout, func(config *pgxpool.Config) { config.MaxConns = 1 })
}

// driver returns River's driver. If Listener is set, notifications are received through it.
func (c Config) driver() riverdriver.Driver[pgx.Tx] {
	if c.Listener == nil {
		return riverpgxv5.New(c.Pool)
	}
	return &listeningDriver{riverpgxv5.New(c.Pool), riverpgxv5.New(c.Listener)}
}

// listeningDriver runs statements over one pool and listens over another, because a pooler does not forward
// notifications.
type listeningDriver struct {
	*riverpgxv5.Driver

	direct *riverpgxv5.Driver
}

// GetListener returns a listener that bypasses the pooler.
func (d *listeningDriver) GetListener(params *riverdriver.GetListenenerParams) riverdriver.Listener {
	return d.direct.GetListener(params)
}
