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

// Limits bound what one connection may do, so that a slow query or a forgotten transaction never holds the
// others up for long.
type Limits struct {
	Statement time.Duration
	Lock      time.Duration
	Idle      time.Duration // of a transaction in which nothing happens
}

// DefaultLimits are the application's: short, because every request waits for them.
var DefaultLimits = Limits{Statement: 5 * time.Second, Lock: 2 * time.Second, Idle: 10 * time.Second}

// connConfig reads a database URL and adds what every connection of ours has in common.
//
// The execution mode is exec: it refuses several statements in one text, and the caching modes would let pgx
// re-encode River's job arguments and round large numbers.
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

// openSQL opens a pool of at most size connections, all of which may stay idle.
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
	// trusted is how short a connection must have been idle to be used again without a question.
	trusted = time.Second
	// answerBound is how long a connection that was idle may take to show that it is alive.
	answerBound = time.Second
)

// unanswered tells that an idle connection is dead. A silent one (a firewall that forgot it ends it without a word) must not
// take the whole time of the request that meets it; the ping that follows fails at once, and another connection is taken.
func unanswered(ctx context.Context, of stdlib.ShouldPingParams) bool {
	if of.IdleDuration <= trusted {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, answerBound)
	defer cancel()
	return of.Conn.PgConn().Ping(ctx) != nil
}

// plansKept is how long a connection keeps the plans of its statements. Those of a time when a table was nearly empty may go
// through all rows of a seller, and the server itself drops them only when it has analyzed the table, about a minute after it was
// filled.
const plansKept = 10 * time.Second

// renewPlans has a connection drop plans that it has kept for so long, when it is used again: the next ones are made for the sizes
// that tables have then.
func renewPlans(now func() time.Time) func(context.Context, *pgx.Conn) error {
	const since = "ticketgate: plans since"
	return func(ctx context.Context, conn *pgx.Conn) error {
		on := conn.PgConn()
		if made, ok := on.CustomData()[since].(time.Time); ok && now().Sub(made) < plansKept {
			return nil
		} else if ok && on.Exec(ctx, "DISCARD PLANS").Close() != nil {
			return driver.ErrBadConn
		}
		on.CustomData()[since] = now()
		return nil
	}
}

// DefaultPoolSize is the number of connections a process keeps for requests; eight do as well as more on a
// small machine.
const DefaultPoolSize = 8

// attemptConnections are what a process has for loading and recording attempts, each of which it does one batch at a time.
// None is opened where nothing is delivered.
const attemptConnections = 2

// ofAttempts are their settings. What an attempt has made of its delivery need not reach the disk before others' changes:
// what is done after it is committed after it, so a crash of the database costs a repeat and never more. The server plans
// each of their statements once: planning them for the days at hand takes longer than executing them. All of them find rows by
// an index, which has to be said: a plan of a time when the day had hardly begun would read that whole day for each batch.
var ofAttempts = map[string]string{
	"synchronous_commit": "off", "plan_cache_mode": "force_generic_plan", "enable_seqscan": "off", "jit": "off",
}

// ofLong are the settings of connections for long work. Every statement finds its rows by an index, which has to be said: a plan
// from a time when a table was nearly empty would read the whole table for minutes after it was filled (LIMIT-3). Statements on
// many thousands of rows are planned for them.
var ofLong = map[string]string{"enable_seqscan": "off", "jit": "off"}

// ofRequests are those of connections for requests, where the server plans each statement once. Of a page it would else make a
// plan each time, because it can't know that the next one is as short (docs/internals/sql.md has the figures).
var ofRequests = map[string]string{"enable_seqscan": "off", "jit": "off", "plan_cache_mode": "force_generic_plan"}

// Config is what Open needs.
type Config struct {
	URL string
	// DirectURL leads past a pooler in transaction mode, to which URL leads; empty if there is none.
	DirectURL string
	// ReplicaURL leads to a streaming replica that answers what domain.MayLag names; empty if there is none.
	ReplicaURL string
	PoolSize   int // DefaultPoolSize when zero
	// PerSeller is how many of them the requests of one seller hold at a time; five eighths when zero.
	PerSeller int
	// Long bounds long work; DefaultLong when zero.
	Long share.Bounds
	// Mode is dev or prod; every webhook body carries it (spec 2.6).
	Mode   string
	Sealer *Sealer
	Now    func() time.Time
	// Enqueue inserts the jobs of a change in its transaction.
	Enqueue Enqueue
	// EnqueueMail inserts the job that mails a link.
	EnqueueMail EnqueueMail
	// Tracer is told of each statement of requests, AttemptsTracer of those that load and record attempts, LongTracer of those
	// of long work; nil is nobody.
	Tracer, AttemptsTracer, LongTracer pgx.QueryTracer
	// Trace names what a context belongs to, for the jobs of its changes; nil is nothing.
	Trace func(ctx context.Context) string
}

// Enqueue inserts one job for each wake-up into the transaction of the change that needs it.
type Enqueue func(ctx context.Context, tx *sql.Tx, wakeUps []webhook.WakeUp) error

// Open prepares the pool. It does not connect: the first query does.
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
		changes:  new(keptTexts),
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
		sql: attempts, bun: bun.NewDB(attempts, pgdialect.New()), changes: new(keptTexts), mode: config.Mode,
		sealer: config.Sealer, now: config.Now, enqueue: config.Enqueue, trace: store.trace,
	}
	store.credentials = newCredentials(store, cmp.Or(config.DirectURL, config.URL))
	store.open()
	if err := store.openReplica(config); err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return store, nil
}

// complete fills in the defaults.
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

// open prepares what calls share.
func (s *Store) open() {
	s.published.Work, s.published.Most = s.publishTogether, sharedCommit
	s.published.Weight = func(events []domain.Event) int { return len(events) }
	s.published.Timeout, s.published.Undone = DefaultLimits.Statement, rolledBack
	s.openCompletions()
}

// Stats says how the connections for requests are used.
func (s *Store) Stats() sql.DBStats { return s.sql.Stats() }

// AttemptsStats says how the connections for attempts are used.
func (s *Store) AttemptsStats() sql.DBStats { return s.recording.sql.Stats() }

// LongStats says how the connections for long work are used.
func (s *Store) LongStats() sql.DBStats { return s.long.sql.Stats() }

// Close closes the pools.
func (s *Store) Close() error {
	return errors.Join(s.replica.close(), s.sql.Close(), s.recording.sql.Close(), s.long.sql.Close())
}

// Ping tells whether the database answers.
func (s *Store) Ping(ctx context.Context) error { return mapError(s.sql.PingContext(ctx)) }
