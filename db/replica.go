package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"ticketgate/domain"
	"ticketgate/domain/share"
)

const (
	// mostBehind is the largest lag of a replica that is read.
	mostBehind = 5 * time.Second
	// sampleEvery is the interval at which the primary's position is recorded.
	sampleEvery = time.Second
	// replicaBound is how long a replica may take to accept a connection or to return its position.
	replicaBound = time.Second
	// replicaReadBound is how long a read may take on the replica, including the wait for a connection. The primary serves
	// the read in the rest of the request's time.
	replicaReadBound = 2 * time.Second
)

// replicaLimits make a slow replica cancel a statement before replicaReadBound ends, which only a replica that hangs
// exceeds.
var replicaLimits = Limits{Statement: 1500 * time.Millisecond, Lock: replicaBound, Idle: DefaultLimits.Idle}

// replica is a streaming replica for the reads that domain.MayLag names. If anything is wrong with it, the primary is
// read instead.
type replica struct {
	sql   *sql.DB
	store *Store
	clock func() time.Time
	// shares divides the replica's connections among sellers. Reads on them hold none of the primary's.
	shares *share.Shares
	// away is true from a failed connection until the next successful one.
	away atomic.Bool
	// foreign is true while the last connection led to another database.
	foreign atomic.Bool
	// unidentified logs once that the primary's identity can't be read.
	unidentified sync.Once

	mutex   sync.Mutex
	cluster string   // of the primary, see SelectCluster; empty if unknown
	samples []sample // of the last mostBehind, oldest first

	cancel  context.CancelFunc
	stopped chan struct{}
}

// sample is the primary's position at a time.
type sample struct {
	at      time.Time
	written domain.Position
}

// openReplica opens the connections to the replica and starts recording the primary's positions.
func (s *Store) openReplica(config Config) error {
	if config.ReplicaURL == "" {
		return nil
	}
	config.URL, config.DirectURL = config.ReplicaURL, ""
	pool, err := config.openSQL(pool{limits: replicaLimits, settings: ofRequests}, config.PoolSize, config.Tracer)
	if err != nil {
		return fmt.Errorf("replica: %w", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	s.replica = &replica{
		sql: pool, store: s, cancel: cancel, stopped: make(chan struct{}),
		shares: share.New(share.Bounds{Total: config.PoolSize, PerSeller: config.PerSeller, Wait: replicaBound}),
		// Lag is real time, whatever clock a test sets for the operations.
		clock: time.Now, //nolint:forbidigo // see above
	}
	go s.replica.watch(ctx)
	return nil
}

// close stops the watch and closes the connections. r may be nil.
func (r *replica) close() error {
	if r == nil {
		return nil
	}
	r.cancel()
	<-r.stopped
	return r.sql.Close()
}

// watch records the primary's positions, and probes the replica at first and while it is away.
func (r *replica) watch(ctx context.Context) {
	defer close(r.stopped)
	for probed := false; ; {
		r.sample(ctx)
		if _, known := r.primary(); known && (!probed || r.away.Load()) {
			r.probe(ctx)
			probed = true
		}
		if sleep(ctx, sampleEvery) != nil {
			return
		}
	}
}

// sample records a position that the primary had flushed to disk after the recorded time.
func (r *replica) sample(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, replicaBound)
	defer cancel()
	if err := r.identify(ctx); err != nil {
		r.unidentified.Do(func() {
			slog.WarnContext(ctx, "the replica is not used until the database can be identified", "error", err)
		})
		return
	}
	at := r.clock()
	written, err := r.store.position(ctx, "SELECT pg_current_wal_flush_lsn()::text AS lsn")
	if err != nil {
		return // without recent samples the replica is not used
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.samples = append(r.samples, sample{at, written})
	r.dropOld()
}

// dropOld drops the samples from before mostBehind ago. The caller holds the mutex.
func (r *replica) dropOld() {
	since := r.clock().Add(-mostBehind)
	for len(r.samples) > 0 && r.samples[0].at.Before(since) {
		r.samples = r.samples[1:]
	}
}

// SelectCluster identifies a database. A streaming replica has the identity of its primary.
const SelectCluster = `SELECT current_database() || ' of the cluster ' || system_identifier AS cluster FROM pg_control_system()`

// identify reads the primary's identity once.
func (r *replica) identify(ctx context.Context) error {
	if _, known := r.primary(); known {
		return nil
	}
	type identity struct{ Cluster string }
	found, err := row[identity](ctx, r.store, r.store.sql, "Database", SelectCluster)
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.cluster = found.Cluster
	return err
}

// primary returns the primary's identity. known is false before it has been read.
func (r *replica) primary() (cluster string, known bool) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.cluster, r.cluster != ""
}

// probe checks whether the replica can be used.
func (r *replica) probe(ctx context.Context) {
	bounded, cancel := context.WithTimeout(ctx, replicaBound)
	defer cancel()
	err := r.ask(bounded, 0, func(on *pgx.Conn) error { return on.Ping(bounded) })
	switch {
	case err != nil && !errors.Is(err, errBehind):
		if ctx.Err() == nil {
			r.lost(ctx, err)
		}
	case r.away.CompareAndSwap(true, false):
		r.foreign.Store(false)
		slog.InfoContext(ctx, "the replica is back")
	}
}

// lost records that the replica is away. It logs the reason if the replica was in use, or is found to be foreign.
func (r *replica) lost(ctx context.Context, err error) {
	used, foreign := r.away.CompareAndSwap(false, true), errors.Is(err, errForeign)
	switch {
	case foreign && r.foreign.CompareAndSwap(false, true):
		slog.WarnContext(ctx, "the replica is not used: it is a replica of another database", "error", err)
	case used && !foreign:
		slog.WarnContext(ctx, "the replica is away; the primary answers in its place", "error", err)
	}
}

// needed returns the position that the replica must have reached: that of the request, and at least the primary's of
// mostBehind ago.
func (r *replica) needed(at domain.Position) (domain.Position, bool) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.dropOld()
	if r.away.Load() || len(r.samples) == 0 {
		return 0, false
	}
	return max(at, r.samples[0].written), true
}

// replayed is the key under which a connection stores its replica's last known position.
const replayed = "ticketgate: replayed"

const selectReplayed = "SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()::text END"

// reached reports whether the connected replica has reached a position. A promoted one has left its primary.
func reached(ctx context.Context, on *pgx.Conn, needed domain.Position) (bool, error) {
	known := on.PgConn().CustomData()
	if last, ok := known[replayed].(domain.Position); ok && last >= needed {
		return true, nil
	}
	ctx, cancel := context.WithTimeout(ctx, replicaBound)
	defer cancel()
	var text *string
	if err := on.QueryRow(ctx, selectReplayed).Scan(&text); err != nil || text == nil {
		return false, err
	}
	last, err := parsePosition(*text)
	known[replayed] = last
	return last >= needed, err
}

// replicaRows is pooledRows on the replica. It returns false if the primary must be read.
func (s *Store) replicaRows(
	ctx context.Context, pool *sql.DB, list any, read *queryRead, query string, args []any,
) (answered bool, err error) {
	if s.replica == nil || pool != s.sql {
		return false, nil
	}
	at, ok := domain.ReplicaPosition(ctx)
	if !ok {
		return false, nil
	}
	if _, ok = s.replica.needed(at); !ok {
		return false, nil
	}
	bounded, cancel := context.WithTimeout(ctx, replicaReadBound)
	defer cancel()
	giveBack, err := s.replica.shares.Take(bounded, share.PayerOf(domain.ActorOf(ctx)))
	if err != nil {
		return false, nil
	}
	defer giveBack()
	needed, ok := s.replica.needed(at) // it may have been lost since
	if !ok {
		return false, nil
	}
	before := read.sum()
	err = s.replica.ask(bounded, needed, func(on *pgx.Conn) error {
		return s.scanInto(bounded, on, pgx.QueryExecModeCacheStatement, list, read, query, args)
	})
	_, said := errors.AsType[*pgconn.PgError](err)
	_, ours := errors.AsType[*domain.Error](err)
	switch {
	case err == nil || ours || errors.Is(err, errReadsMuch) || ctx.Err() != nil:
		return true, err
	case !said && !errors.Is(err, errBehind):
		s.replica.lost(ctx, err)
	}
	read.back(before)
	return false, nil
}

// errForeign means that the replica is one of another database.
var errForeign = errors.New("another database")

// checked is the key under which a connection stores that its replica is one of the primary's database.
const checked = "ticketgate: checked"

// belongs returns errForeign if the connected replica is one of another database. It asks once per connection, because
// several replicas may have the same address.
func (r *replica) belongs(ctx context.Context, on *pgx.Conn) error {
	if on.PgConn().CustomData()[checked] != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, replicaBound)
	defer cancel()
	var cluster string
	if err := on.QueryRow(ctx, SelectCluster).Scan(&cluster); err != nil {
		return err
	}
	if primary, _ := r.primary(); cluster != primary {
		_ = on.Close(ctx) // the next connection may lead elsewhere
		return fmt.Errorf("%w: %s, not %s", errForeign, cluster, primary)
	}
	on.PgConn().CustomData()[checked] = true
	return nil
}

// errBehind means that the replica has not reached the needed position.
var errBehind = errors.New("the replica is behind")

// ask calls read with a connection to the replica, if the replica has reached the needed position.
func (r *replica) ask(ctx context.Context, needed domain.Position, read func(*pgx.Conn) error) error {
	bounded, cancel := context.WithTimeout(ctx, replicaBound)
	connection, err := r.sql.Conn(bounded)
	cancel()
	if err != nil {
		return err
	}
	defer func() { _ = connection.Close() }()
	return connection.Raw(func(raw any) error {
		on, _ := pgxConn(raw)
		if err := r.belongs(ctx, on); err != nil {
			return err
		}
		there, err := reached(ctx, on, needed)
		if err == nil && !there {
			err = errBehind
		}
		if err != nil {
			return err
		}
		return read(on)
	})
}

// Position returns a position in the log that includes all changes committed before.
func (s *Store) Position(ctx context.Context) (domain.Position, error) {
	return s.position(ctx, "SELECT pg_current_wal_insert_lsn()::text AS lsn")
}

func (s *Store) position(ctx context.Context, query string) (domain.Position, error) {
	type place struct{ LSN string }
	found, err := row[place](ctx, s, s.sql, "Position", query)
	if err != nil {
		return 0, err
	}
	return parsePosition(found.LSN)
}

// parsePosition parses a position in PostgreSQL's format.
func parsePosition(text string) (domain.Position, error) {
	var high, low uint32
	if _, err := fmt.Sscanf(text, "%X/%X", &high, &low); err != nil {
		return 0, fmt.Errorf("position %q: %w", text, err)
	}
	return domain.Position(high)<<32 | domain.Position(low), nil
}
