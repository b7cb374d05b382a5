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
	// maxLag is the maximum lag of a replica that may be read.
	maxLag = 5 * time.Second
	// sampleEvery is the interval at which the primary's position is recorded.
	sampleEvery = time.Second
	// replicaBound is the time within which a replica must accept a connection or return its position.
	replicaBound = time.Second
	// replicaReadBound is the maximum time of a read on the replica, including the wait for a connection. Afterwards,
	// the primary serves the read within the request's remaining time.
	replicaReadBound = 2 * time.Second
)

// replicaLimits make a slow replica cancel a statement before replicaReadBound ends. Only a replica that does not
// respond at all reaches that bound.
var replicaLimits = Limits{Statement: 1500 * time.Millisecond, Lock: replicaBound, Idle: DefaultLimits.Idle}

// replica is a streaming replica for the reads that domain.MayLag allows. Whenever it can't be used, the primary is
// read instead.
type replica struct {
	sql   *sql.DB
	store *Store
	clock func() time.Time
	// shares divides the replica's connections among sellers. Reads on the replica hold no connections of the primary.
	shares *share.Shares
	// away is set by a failed connection and cleared by the next successful one.
	away atomic.Bool
	// unusable is set while the server at the replica's address is not a replica of the primary.
	unusable atomic.Bool
	// unidentified is used to log only once that the primary's identity can't be read.
	unidentified sync.Once

	mutex   sync.Mutex
	cluster string   // the identity of the primary, see SelectCluster; empty if unknown
	samples []sample // within the last maxLag, oldest first

	cancel  context.CancelFunc
	stopped chan struct{}
}

// sample is a server's log position at a time, and its timeline, which changes with each promotion.
type sample struct {
	at       time.Time
	written  domain.Position
	timeline int
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
		// The lag is in real time, even if a test sets another clock for the operations.
		clock: time.Now, //nolint:forbidigo // see above
	}
	go s.replica.watch(ctx)
	return nil
}

// close ends watch and closes the connections. r may be nil.
func (r *replica) close() error {
	if r == nil {
		return nil
	}
	r.cancel()
	<-r.stopped
	return r.sql.Close()
}

// watch records the primary's positions. It probes the replica once at the start, and repeatedly while it is away.
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

// sample records the current time with a position that the primary has flushed to disk since.
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
	type place struct {
		LSN      string
		Timeline int
	}
	found, err := row[place](ctx, r.store, r.store.sql, "Position",
		"SELECT pg_current_wal_flush_lsn()::text AS lsn, "+Timeline+" AS timeline")
	if err != nil {
		return // without recent samples the replica is not used
	}
	written, err := parsePosition(found.LSN)
	if err != nil {
		return
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.samples = append(r.samples, sample{at, written, found.Timeline})
	r.dropOld()
}

// Timeline is the SQL expression for a server's timeline. A standby knows of a new timeline once it has written data of
// that timeline to disk.
const Timeline = `CASE WHEN pg_is_in_recovery()
	THEN (SELECT greatest(c.timeline_id, r.min_recovery_end_timeline) FROM pg_control_checkpoint() c, pg_control_recovery() r)
	ELSE ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int END`

// dropOld drops samples older than maxLag. The caller must hold the mutex.
func (r *replica) dropOld() {
	since := r.clock().Add(-maxLag)
	for len(r.samples) > 0 && r.samples[0].at.Before(since) {
		r.samples = r.samples[1:]
	}
}

// SelectCluster is a query for the identity of a database. A streaming replica has the same identity as its primary.
const SelectCluster = `SELECT current_database() || ' of the cluster ' || system_identifier AS cluster FROM pg_control_system()`

// identify reads the primary's identity, unless it is known.
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

// primary returns the primary's identity, and whether it is known yet.
func (r *replica) primary() (cluster string, known bool) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.cluster, r.cluster != ""
}

// probe finds out whether the replica can be used.
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
		r.unusable.Store(false)
		slog.InfoContext(ctx, "replica available again")
	}
}

// lost records that the replica can't be used. It logs the reason if the replica was in use until now, or is found to
// be unusable.
func (r *replica) lost(ctx context.Context, err error) {
	used := r.away.CompareAndSwap(false, true)
	_, unusable := errors.AsType[unusableError](err)
	switch {
	case unusable && r.unusable.CompareAndSwap(false, true):
		slog.WarnContext(ctx, "the replica is not used", "error", err)
	case used && !unusable:
		slog.WarnContext(ctx, "replica unavailable; the primary is used instead", "error", err)
	}
}

// needed returns the position that the replica must have reached for a read: the one of the request, but at least the
// primary's position of maxLag ago. It returns false if the replica can't be used.
func (r *replica) needed(at domain.Position) (domain.Position, bool) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.dropOld()
	if r.away.Load() || len(r.samples) == 0 {
		return 0, false
	}
	return max(at, r.samples[0].written), true
}

// replayed is the key under which a connection caches the last sample of its replica.
const replayed = "ticketgate: replayed"

const selectReplayed = "SELECT pg_is_in_recovery(), coalesce(pg_last_wal_replay_lsn(), '0/0')::text, " + Timeline

// reached reports whether the connected replica has replayed the log up to needed. A sample is cached for half a second
// only, because a promoted replica keeps its connections.
func (r *replica) reached(ctx context.Context, on *pgx.Conn, needed domain.Position) (bool, error) {
	known := on.PgConn().CustomData()
	if last, ok := known[replayed].(sample); ok && last.written >= needed && r.clock().Sub(last.at) < sampleEvery/2 {
		return true, nil
	}
	last, err := r.replayed(ctx, on)
	if _, unusable := errors.AsType[unusableError](err); unusable {
		_ = on.Close(ctx) // the next connection may lead to another replica
	}
	known[replayed] = last
	return err == nil && last.written >= needed, err
}

// replayed reads a sample of the replica. It returns an unusableError if the replica no longer follows the primary.
func (r *replica) replayed(ctx context.Context, on *pgx.Conn) (last sample, err error) {
	ctx, cancel := context.WithTimeout(ctx, replicaBound)
	defer cancel()
	var follows bool
	var text string
	last.at = r.clock()
	if err := on.QueryRow(ctx, selectReplayed).Scan(&follows, &text, &last.timeline); err != nil {
		return sample{}, err
	}
	primary, sampled := r.timeline()
	switch {
	case !sampled:
		return sample{}, errBehind
	case !follows:
		return sample{}, unusableError("it was promoted and no longer follows the primary")
	case last.timeline != primary:
		return sample{}, unusableError(fmt.Sprintf(
			"it is on timeline %d of the database, not on the primary's, %d", last.timeline, primary))
	}
	last.written, err = parsePosition(text)
	return last, err
}

// timeline returns the primary's timeline, if there is a recent sample.
func (r *replica) timeline() (timeline int, sampled bool) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if len(r.samples) == 0 {
		return 0, false
	}
	return r.samples[len(r.samples)-1].timeline, true
}

// replicaRows is like pooledRows, on the replica. It returns false if the rows must be read from the primary.
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
	needed, ok := s.replica.needed(at) // the replica may have been lost in the meantime
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

// unusableError is the reason why a server can't be used as a replica of the primary.
type unusableError string

// Error returns the reason.
func (e unusableError) Error() string { return string(e) }

// checked is the key under which a connection records that its replica belongs to the primary.
const checked = "ticketgate: checked"

// belongs returns an unusableError if the connected replica belongs to another database. It queries once per connection,
// because several replicas may share an address.
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
		_ = on.Close(ctx) // the next connection may lead to another replica
		return unusableError("it is a replica of another database: " + cluster + ", not " + primary)
	}
	on.PgConn().CustomData()[checked] = true
	return nil
}

// errBehind means that the replica has not reached the needed position.
var errBehind = errors.New("the replica is behind")

// ask calls read with a connection to the replica. It returns errBehind if the replica has not reached the needed
// position.
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
		there, err := r.reached(ctx, on, needed)
		if err == nil && !there {
			err = errBehind
		}
		if err != nil {
			return err
		}
		return read(on)
	})
}

// Position returns the current position in the log. All changes that are committed now are before it.
func (s *Store) Position(ctx context.Context) (domain.Position, error) {
	type place struct{ LSN string }
	found, err := row[place](ctx, s, s.sql, "Position", "SELECT pg_current_wal_insert_lsn()::text AS lsn")
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
