package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"maps"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// pool describes the connections of a pool. A pooler in transaction mode needs an entry for each pool, which applies
// these settings to its connections to the server. A client can't apply them, because each transaction may use another
// of these connections.
type pool struct {
	// suffix is appended to the database's name to connect through the pooler.
	suffix   string
	limits   Limits
	settings map[string]string
}

var (
	requestPool = pool{"", DefaultLimits, ofRequests}
	longPool    = pool{"_long", longLimits, ofLong}
	attemptPool = pool{"_attempts", DefaultLimits, ofAttempts}
)

// onServer returns all settings of the pool's connections to the server.
func (p pool) onServer() map[string]string {
	settings := p.limits.onServer()
	maps.Copy(settings, p.settings)
	return settings
}

// onServer returns the limits as PostgreSQL settings.
func (l Limits) onServer() map[string]string {
	settings := map[string]string{}
	for name, limit := range map[string]time.Duration{
		"statement_timeout": l.Statement, "lock_timeout": l.Lock, "idle_in_transaction_session_timeout": l.Idle,
	} {
		settings[name] = strconv.FormatInt(limit.Milliseconds(), 10)
	}
	return settings
}

// PoolerEntry is a database entry that a pooler in transaction mode needs, with the settings of its connections to the
// server.
type PoolerEntry struct {
	// Suffix is appended to the name of the database in TICKETGATE_DATABASE_URL.
	Suffix   string
	Settings map[string]string
}

// PoolerEntries returns the entries that the pools of a store need.
func PoolerEntries() []PoolerEntry {
	return []PoolerEntry{
		{requestPool.suffix, requestPool.onServer()}, {longPool.suffix, longPool.onServer()}, {attemptPool.suffix, attemptPool.onServer()},
	}
}

// openPooled opens a pool of connections to a pooler. From clients the pooler accepts application_name and timezone,
// but no other settings.
func openPooled(config *pgx.ConnConfig, p pool) *sql.DB {
	config.Database += p.suffix
	for name := range p.limits.onServer() {
		delete(config.RuntimeParams, name)
	}
	return sql.OpenDB(pooledConnector{stdlib.GetConnector(*config, stdlib.OptionShouldPing(unanswered))})
}

// pooledConnector opens connections to a pooler.
type pooledConnector struct{ driver.Connector }

// Connect opens a connection.
func (c pooledConnector) Connect(ctx context.Context) (driver.Conn, error) {
	opened, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &pooledConn{opened.(*stdlib.Conn)}, nil //nolint:errcheck,forcetypeassert // stdlib opens no other type
}

// pooledConn is a connection to a pooler. A statement prepared on one connection to the server is unknown on the next,
// and PgBouncer keeps track of prepared statements only since version 1.21. So pgx caches the types of a statement's
// arguments and columns, and sends its text each time.
type pooledConn struct{ *stdlib.Conn }

// QueryContext queries without a prepared statement.
func (c *pooledConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	return c.Conn.QueryContext(ctx, query, unprepared(args))
}

// ExecContext executes without a prepared statement.
func (c *pooledConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	return c.Conn.ExecContext(ctx, query, unprepared(args))
}

// unprepared replaces the execution mode, if it is the one with prepared statements.
func unprepared(args []driver.NamedValue) []driver.NamedValue {
	if len(args) > 0 && args[0].Value == pgx.QueryExecModeCacheStatement {
		args[0].Value = pgx.QueryExecModeCacheDescribe
	}
	return args
}

// pgxConn returns the pgx connection of a database/sql connection, and the execution mode for frequent statements.
func pgxConn(raw any) (*pgx.Conn, pgx.QueryExecMode) {
	if pooled, ok := raw.(*pooledConn); ok {
		return pooled.Conn.Conn(), pgx.QueryExecModeCacheDescribe
	}
	return raw.(*stdlib.Conn).Conn(), pgx.QueryExecModeCacheStatement //nolint:errcheck,forcetypeassert // the pool opens no other type
}
