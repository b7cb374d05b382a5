package db

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"

	"ticketgate/domain"
	"ticketgate/domain/share"
	"ticketgate/domain/webhook"
)

// Limits are the time limits of a connection. They keep a slow query or a forgotten transaction from blocking others
// for long.
type Limits struct {
	Statement time.Duration
	Lock      time.Duration
	Idle      time.Duration // of a transaction that executes nothing
}

// DefaultLimits are the limits of the application's connections. They are short because requests wait for them.
var DefaultLimits = Limits{Statement: 5 * time.Second, Lock: 2 * time.Second, Idle: 10 * time.Second}

// connConfig parses a database URL and adds the settings that all connections have in common.
//
// The execution mode is exec. It refuses several statements in one text. With the modes that cache descriptions, pgx
// would re-encode River's job arguments and round large numbers.
func connConfig(url string, limits Limits) (*pgx.ConnConfig, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("database URL: %w", err)
	}
	config.DefaultQueryExecMode = pgx.QueryExecModeExec
	config.RuntimeParams["application_name"] = "ticketgate"
	config.RuntimeParams["timezone"] = "UTC"
	maps.Copy(config.RuntimeParams, limits.onServer())
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = 5 * time.Second
	}
	return config, nil
}

// openSQL opens a pool of at most size connections, all of which may stay open while idle.
func (c Config) openSQL(of pool, size int, tracer pgx.QueryTracer) (*sql.DB, error) {
	config, err := connConfig(c.URL, of.limits)
	if err != nil {
		return nil, err
	}
	config.Tracer = tracer
	var opened *sql.DB
	if c.DirectURL != "" {
		opened = openPooled(config, of)
	} else {
		maps.Copy(config.RuntimeParams, of.settings)
		opened = stdlib.OpenDB(*config, stdlib.OptionShouldPing(unanswered), stdlib.OptionResetSession(renewPlans(c.Now)))
	}
	opened.SetMaxOpenConns(size)
	opened.SetMaxIdleConns(size)
	return opened, nil
}

const (
	// trusted is the idle time up to which a connection is reused without a ping.
	trusted = time.Second
	// answerBound is the time within which an idle connection must respond to a ping.
	answerBound = time.Second
)

// unanswered reports whether an idle connection fails to respond to a ping within answerBound. A firewall may have
// dropped it silently. The pool's own ping then fails at once, and the pool uses another connection.
func unanswered(ctx context.Context, of stdlib.ShouldPingParams) bool {
	if of.IdleDuration <= trusted {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, answerBound)
	defer cancel()
	return of.Conn.PgConn().Ping(ctx) != nil
}

// plansKept is the time for which a connection keeps the plans of its statements. A plan that was made while a table
// was nearly empty may read all rows of a seller. The server itself drops it only after analyzing the table, about a
// minute after the table was filled.
const plansKept = 10 * time.Second

// renewPlans returns a hook that makes a reused connection drop plans older than plansKept. New plans fit the current
// sizes of the tables.
func renewPlans(now func() time.Time) func(context.Context, *pgx.Conn) error {
	const since = "ticketgate: plans since"
	return func(ctx context.Context, conn *pgx.Conn) error {
		on := conn.PgConn()
		if created, ok := on.CustomData()[since].(time.Time); ok && now().Sub(created) < plansKept {
			return nil
		} else if ok && on.Exec(ctx, "DISCARD PLANS").Close() != nil {
			return driver.ErrBadConn
		}
		on.CustomData()[since] = now()
		return nil
	}
}

// DefaultPoolSize is the number of connections of a process for requests. On a small machine, more than eight are not
// faster.
const DefaultPoolSize = 8

// attemptConnections is the number of connections for loading and recording attempts. Each handles one batch at a time.
// They are opened only by processes that deliver.
const attemptConnections = 2

// ofAttempts are the settings of connections for attempts. Their commits do not wait for the disk: everything that
// follows from an attempt is committed after it, so a crash of the database at most repeats the attempt. Each statement
// is planned once, since planning for the current partitions takes longer than executing. Sequential scans are off,
// because a plan from the start of a day would read the whole partition of the day for each batch.
var ofAttempts = map[string]string{
	"synchronous_commit": "off", "plan_cache_mode": "force_generic_plan", "enable_seqscan": "off", "jit": "off",
}

// ofLong are the settings of connections for long work. Sequential scans are off, because a plan that was made while a
// table was nearly empty would read the whole table for minutes after it was filled (LIMIT-3). Statements on many
// thousands of rows are planned for their arguments.
var ofLong = map[string]string{"enable_seqscan": "off", "jit": "off"}

// ofRequests are the settings of connections for requests. Each statement is planned once. Otherwise every page would
// be planned again, because the server can't know that all are equally short (measurements in docs/internals/sql.md).
var ofRequests = map[string]string{"enable_seqscan": "off", "jit": "off", "plan_cache_mode": "force_generic_plan"}

// Config has the settings of Open.
type Config struct {
	URL string
	// DirectURL bypasses the pooler in transaction mode at URL. It is empty if there is no pooler.
	DirectURL string
	// ReplicaURL is the URL of a streaming replica for the reads that domain.MayLag allows. It is empty if there is
	// none.
	ReplicaURL string
	PoolSize   int // 0 means DefaultPoolSize
	// PerSeller is the maximum number of connections that the requests of one seller hold at the same time. The default
	// is five eighths of the pool.
	PerSeller int
	// Long bounds long work. The default is DefaultLong.
	Long share.Bounds
	// Mode is dev or prod. Every webhook body contains it (WEBHOOK-41).
	Mode   string
	Sealer *Sealer
	Now    func() time.Time
	// Enqueue returns the statement that inserts the jobs of a change.
	Enqueue Enqueue
	// EnqueueMail returns the statement that inserts the job that emails a link.
	EnqueueMail EnqueueMail
	// Tracer, AttemptsTracer and LongTracer trace the statements of requests, of attempts and of long work. They may
	// be nil.
	Tracer, AttemptsTracer, LongTracer pgx.QueryTracer
	// Trace returns the trace of ctx, to be stored with jobs. It may be nil.
	Trace func(ctx context.Context) string
}

// Enqueue returns a statement and its arguments that insert jobs. The statement runs in the transaction of the change
// that needs them.
type Enqueue func(jobs []webhook.Job) (text string, args []any, err error)

// Open returns a store. It does not connect. The first query does.
func Open(config Config) (*Store, error) {
	config = config.complete()
	pool, err := config.openSQL(requestPool, config.PoolSize, config.Tracer)
	if err != nil {
		return nil, err
	}
	long, err := openLong(config)
	if err != nil {
		return nil, errors.Join(err, pool.Close())
	}
	attempts, err := config.openSQL(attemptPool, attemptConnections, config.AttemptsTracer)
	if err != nil {
		return nil, errors.Join(err, pool.Close(), long.sql.Close())
	}
	store := &Store{
		sql:      pool,
		bun:      bun.NewDB(pool, pgdialect.New()),
		changes:  new(textCache),
		mode:     config.Mode,
		sealer:   config.Sealer,
		now:      config.Now,
		enqueue:  config.Enqueue,
		trace:    config.Trace,
		requests: share.New(share.Bounds{Total: config.PoolSize, PerSeller: config.PerSeller, Wait: requestWait}),
		long:     long,

		enqueueMail: config.EnqueueMail,
	}
	if store.trace == nil {
		store.trace = func(context.Context) string { return "" }
	}
	store.recording = &Store{
		sql: attempts, bun: bun.NewDB(attempts, pgdialect.New()), changes: new(textCache), mode: config.Mode,
		sealer: config.Sealer, now: config.Now, enqueue: config.Enqueue, trace: store.trace,
	}
	store.credentials = newCredentials(store, cmp.Or(config.DirectURL, config.URL))
	store.open()
	if err := store.openReplica(config); err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return store, nil
}

// complete returns the configuration with defaults filled in.
func (c Config) complete() Config {
	if c.PoolSize == 0 {
		c.PoolSize = DefaultPoolSize
	}
	if c.PerSeller == 0 {
		c.PerSeller = max(1, c.PoolSize*5/8)
	}
	if c.Long == (share.Bounds{}) {
		c.Long = DefaultLong
	}
	return c
}

// open creates the groups in which calls share transactions.
func (s *Store) open() {
	s.published.Work, s.published.Max = s.publishTogether, maxSharedEvents
	s.published.Weight = func(events []domain.Event) int { return len(events) }
	s.published.Timeout, s.published.Undone = DefaultLimits.Statement, rolledBack
	s.openCompletions()
	s.additions.New = s.newAdditions
}

// Stats returns the statistics of the connections for requests.
func (s *Store) Stats() sql.DBStats { return s.sql.Stats() }

// AttemptsStats returns the statistics of the connections for attempts.
func (s *Store) AttemptsStats() sql.DBStats { return s.recording.sql.Stats() }

// LongStats returns the statistics of the connections for long work.
func (s *Store) LongStats() sql.DBStats { return s.long.sql.Stats() }

// Close closes the pools.
func (s *Store) Close() error {
	return errors.Join(s.replica.close(), s.sql.Close(), s.recording.sql.Close(), s.long.sql.Close())
}

// Ping returns an error if the database does not respond.
func (s *Store) Ping(ctx context.Context) error { return mapError(s.sql.PingContext(ctx)) }
