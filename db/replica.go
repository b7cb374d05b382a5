package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"ticketgate/domain"
)

const (
	// mostBehind is how far a replica that is read may lag.
	mostBehind = 5 * time.Second
	// sampleEvery is how often the position of the primary is noted.
	sampleEvery = time.Second
	// replicaBound is how long a replica may take to take a connection, or to say how far it has come.
	replicaBound = time.Second
)

// replica is a streaming replica that answers what domain.MayLag names. Whatever is wrong with it, the primary answers instead.
type replica struct {
	sql   *sql.DB
	store *Store
	clock func() time.Time
	// away is true from a failed connection until the next one that succeeds.
	away atomic.Bool

	mutex   sync.Mutex
	samples []sample // of the last mostBehind, oldest first

	cancel  context.CancelFunc
	stopped chan struct{}
}

// sample is how far the primary had come at a time.
type sample struct {
	at      time.Time
	written domain.Position
}

// openReplica opens the connections to the replica, and begins to note the primary's positions.
func (s *Store) openReplica(config Config) error {
	if config.ReplicaURL == "" {
		return nil
	}
	config.URL, config.DirectURL = config.ReplicaURL, ""
	pool, err := config.openSQL(requestPool, config.PoolSize, config.Tracer)
	if err != nil {
		return fmt.Errorf("replica: %w", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	s.replica = &replica{
		sql: pool, store: s, cancel: cancel, stopped: make(chan struct{}),
		// Lag is real time, whatever clock a test gives to the operations.
		clock: time.Now, //nolint:forbidigo // see above
	}
	go s.replica.watch(ctx)
	return nil
}

// close ends the watch and closes the connections; nil has none.
func (r *replica) close() error {
	if r == nil {
		return nil
	}
	r.cancel()
	<-r.stopped
	return r.sql.Close()
}

// watch notes the primary's positions, and looks for a replica that is away.
func (r *replica) watch(ctx context.Context) {
	defer close(r.stopped)
	for {
		r.sample(ctx)
		if r.away.Load() {
			r.probe(ctx)
		}
		if sleep(ctx, sampleEvery) != nil {
			return
		}
	}
}

// sample notes what the primary had written to its disk after the time that it is noted for.
func (r *replica) sample(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, replicaBound)
	defer cancel()
	at := r.clock()
	written, err := r.store.position(ctx, "SELECT pg_current_wal_flush_lsn()::text AS lsn")
	if err != nil {
		return // without samples of the last seconds nothing is asked of the replica
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.samples = append(r.samples, sample{at, written})
}

// probe finds out whether a replica is back.
func (r *replica) probe(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, replicaBound)
	defer cancel()
	if r.sql.PingContext(ctx) == nil && r.away.CompareAndSwap(true, false) {
		slog.InfoContext(ctx, "the replica is back")
	}
}

// lost notes that the replica is away.
func (r *replica) lost(ctx context.Context, err error) {
	if r.away.CompareAndSwap(false, true) {
		slog.WarnContext(ctx, "the replica is away; the primary answers in its place", "error", err)
	}
}

// needed returns the position that the replica must have reached to be read: that of the request, and at least what the primary
// had written mostBehind ago.
func (r *replica) needed(at domain.Position) (domain.Position, bool) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for since := r.clock().Add(-mostBehind); len(r.samples) > 0 && r.samples[0].at.Before(since); {
		r.samples = r.samples[1:]
	}
	if r.away.Load() || len(r.samples) == 0 {
		return 0, false
	}
	return max(at, r.samples[0].written), true
}

// replayed is under what a connection keeps how far its replica had come when it was asked last.
const replayed = "ticketgate: replayed"

const selectReplayed = "SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()::text END"

// reached reports whether the replica at the other end has come as far as a position. One that was promoted has left its primary.
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

// replicaRows is pooledRows on the replica. It returns false if the primary has to answer.
func replicaRows[T any](
	ctx context.Context, s *Store, pool *sql.DB, read *queryRead, query string, args []any,
) (list []T, answered bool, err error) {
	if s.replica == nil || pool != s.sql {
		return nil, false, nil
	}
	at, ok := domain.ReplicaPosition(ctx)
	if !ok {
		return nil, false, nil
	}
	needed, ok := s.replica.needed(at)
	if !ok {
		return nil, false, nil
	}
	before := read.sum()
	err = s.replica.ask(ctx, needed, func(on *pgx.Conn) (err error) {
		list, err = scanned[T](ctx, on, pgx.QueryExecModeCacheStatement, s.bun.Table(reflect.TypeFor[T]()), read, query, args)
		return err
	})
	_, said := errors.AsType[*pgconn.PgError](err)
	_, ours := errors.AsType[*domain.Error](err)
	switch {
	case err == nil || ours || errors.Is(err, errReadsMuch) || ctx.Err() != nil:
		return list, true, err
	case !said && !errors.Is(err, errBehind):
		s.replica.lost(ctx, err)
	}
	read.back(before)
	return nil, false, nil
}

// errBehind is what a read ends with that the replica can't answer yet.
var errBehind = errors.New("the replica is behind")

// ask has read use a connection to the replica, if that has come far enough.
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

// Position returns the place in the log that has all changes which were committed before.
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

// parsePosition reads a position as PostgreSQL writes it.
func parsePosition(text string) (domain.Position, error) {
	var high, low uint32
	if _, err := fmt.Sscanf(text, "%X/%X", &high, &low); err != nil {
		return 0, fmt.Errorf("position %q: %w", text, err)
	}
	return domain.Position(high)<<32 | domain.Position(low), nil
}
