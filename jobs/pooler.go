package jobs

import (
	"context"
	"maps"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
)

// PoolerSuffix is the suffix of the job queue's database name at a pooler in transaction mode.
const PoolerSuffix = "_jobs"

// PoolerSettings returns the settings of the queue's connections from the pooler to the server.
func PoolerSettings() map[string]string { return maps.Clone(onServer) }

// pooled adapts the settings of a pool for a pooler. A statement prepared on one server connection is unknown on the
// next.
func pooled(config *pgxpool.Config) {
	config.ConnConfig.Database += PoolerSuffix
	for name := range onServer {
		delete(config.ConnConfig.RuntimeParams, name)
	}
	config.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
}

// NewPooledPool is NewPool for a pooler in transaction mode.
func NewPooledPool(ctx context.Context, url string, tracer pgx.QueryTracer) (*pgxpool.Pool, error) {
	return newPool(ctx, url, tracer, statementTimeout, pooled)
}

// NewListenerPool opens the connection, past a pooler, that receives the notifications of new jobs.
func NewListenerPool(ctx context.Context, directURL string) (*pgxpool.Pool, error) {
	return newPool(ctx, directURL, nil, statementTimeout, func(config *pgxpool.Config) { config.MaxConns = 1 })
}

// driver returns River's driver, which listens on connections of its own if there are any.
func (c Config) driver() riverdriver.Driver[pgx.Tx] {
	if c.Listener == nil {
		return riverpgxv5.New(c.Pool)
	}
	return &listeningDriver{riverpgxv5.New(c.Pool), riverpgxv5.New(c.Listener)}
}

// listeningDriver works over one pool and listens over another, because a pooler forwards no notifications.
type listeningDriver struct {
	*riverpgxv5.Driver

	direct *riverpgxv5.Driver
}

// GetListener returns a listener past the pooler.
func (d *listeningDriver) GetListener(params *riverdriver.GetListenenerParams) riverdriver.Listener {
	return d.direct.GetListener(params)
}
