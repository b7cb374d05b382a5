package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/uptrace/bun"

	"ticketgate/domain"
	"ticketgate/domain/batch"
	"ticketgate/domain/ids"
	"ticketgate/domain/share"
)

// Store reads, and opens the transactions that write. Each area's Store is a thin wrapper.
type Store struct {
	sql     *sql.DB
	bun     *bun.DB
	changes *keptTexts
	mode    string
	sealer  *Sealer
	now     func() time.Time
	enqueue Enqueue
	trace   func(context.Context) string

	enqueueMail EnqueueMail
	// requests shares the connections for requests among sellers; nil does not limit them.
	requests *share.Shares
	long     *long
	// replica serves reads that may lag; nil if there is none.
	replica *replica
	// recording is the same database with separate connections, see ofAttempts.
	recording *Store
	// readOnly refuses transactions, see ReadOnly.
	readOnly    bool
	credentials *Credentials
	published   batch.Group[[]domain.Event, []string]
	completions completions
	additions   additions
}

// Tx is an open transaction. All writes use one.
type Tx struct {
	*sql.Tx
	store *Store
	// changesCredentials makes the commit advance the epoch; epoch is then the new one.
	changesCredentials bool
	epoch              int64
	// answer is the response to an idempotent request.
	answer any
	// answers are the responses to requests that share the transaction.
	answers []answered
}

// maxTries is how often a transaction runs that the database aborts because of conflicts.
const maxTries = 4

// transact runs f in a transaction, and runs all of it again if the database reports a conflict. f must therefore
// assign its results, and do nothing that can't be repeated.
func (s *Store) transact(ctx context.Context, f func(*Tx) error) error {
	if s.readOnly {
		return errReadOnly
	}
	return mapError(s.transactOn(ctx, s.begin, f))
}

// transactor runs the transactions of an area, whose Tx is X.
type transactor[X any] struct {
	in *Store
	as func(*Tx) X
}

// InTx runs f in a transaction, see transact.
func (t transactor[X]) InTx(ctx context.Context, f func(X) error) error {
	return t.in.transact(ctx, func(tx *Tx) error { return f(t.as(tx)) })
}

// InLongTx is InTx for work on many rows, see transactLong.
func (t transactor[X]) InLongTx(ctx context.Context, seller ids.Seller, rows int, f func(context.Context, X) error) error {
	return t.in.transactLong(ctx, seller, rows, func(ctx context.Context, tx *Tx) error { return f(ctx, t.as(tx)) })
}

// begin opens a transaction. giveBack releases its share after it has ended.
type begin func(context.Context) (tx *sql.Tx, giveBack func(), err error)

func (s *Store) transactOn(ctx context.Context, begin begin, f func(*Tx) error) error {
	for try := 1; ; try++ {
		tx, err := s.transactOnce(ctx, begin, f)
		if err == nil {
			tx.settleEpoch(ctx)
			return nil
		}
		if try == maxTries || !retryable(err) {
			return err
		}
		if err := pause(ctx, try); err != nil {
			return err
		}
	}
}

// transactOnce runs f in a transaction once, and returns the committed transaction.
func (s *Store) transactOnce(ctx context.Context, begin begin, f func(*Tx) error) (*Tx, error) {
	begun, giveBack, err := begin(ctx)
	if err != nil {
		return nil, err
	}
	defer giveBack()
	defer func() { _ = begun.Rollback() }() // no-op after a commit
	tx := &Tx{Tx: begun, store: s}
	if err := f(tx); err != nil {
		return nil, err
	}
	if err := tx.rememberAnswer(ctx); err != nil {
		return nil, err
	}
	if err := tx.advanceEpoch(ctx); err != nil {
		return nil, err
	}
	if err := begun.Commit(); err != nil {
		return nil, &commitError{err}
	}
	return tx, nil
}

// commitError is the error of a commit. If the connection was lost, the commit may have succeeded, and running the
// transaction again could apply it twice.
type commitError struct{ cause error }

// Error implements error.
func (e *commitError) Error() string { return "commit: " + e.cause.Error() }

// Unwrap returns the error of the database or its connection.
func (e *commitError) Unwrap() error { return e.cause }

// rolledBack reports whether a transaction that ended with an error left no changes.
func rolledBack(err error) bool {
	_, committing := errors.AsType[*commitError](err)
	return !committing
}

// pause waits a few milliseconds, with jitter so that conflicting transactions don't collide again.
func pause(ctx context.Context, try int) error {
	return sleep(ctx, time.Duration(try*5+rand.IntN(10))*time.Millisecond)
}

// conn is what statements run on: the pool or an open transaction.
type conn interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// rows runs a prepared statement with $n arguments and returns its rows as T. On the pool pgx scans them, in a
// transaction bun.
func rows[T any](ctx context.Context, s *Store, on conn, query string, args ...any) ([]T, error) {
	var list []T
	if err := s.rows(ctx, on, &list, query, args); err != nil {
		return nil, err // some rows may have been read
	}
	return list, nil
}

// rows appends to the list that it gets a pointer to. Unlike the generic function, it is compiled once, not for each
// of 140 types.
func (s *Store) rows(ctx context.Context, on conn, list any, query string, args []any) error {
	pool, pooled := on.(*sql.DB)
	if !pooled {
		return mapError(s.rowsIn(ctx, on, list, query, args))
	}
	return s.rowsFromPool(ctx, pool, list, nil, query, args)
}

// rowsFromPool reads again after a broken connection. Clients that give up leave several at once, but the pool itself
// retries only twice.
func (s *Store) rowsFromPool(ctx context.Context, pool *sql.DB, list any, read *queryRead, query string, args []any) error {
	for try := 1; ; try++ {
		err := s.pooledRows(ctx, pool, list, read, query, args)
		if try == maxTries || !errors.Is(err, driver.ErrBadConn) {
			return mapError(err)
		}
	}
}

// rowsIn reads in a transaction.
func (s *Store) rowsIn(ctx context.Context, on conn, list any, query string, args []any) error {
	found, err := on.QueryContext(ctx, query, prepared(args)...)
	if err != nil {
		return err
	}
	defer func() { _ = found.Close() }()
	if err := s.bun.ScanRows(ctx, found, list); err != nil {
		return err
	}
	return found.Err()
}

// row queries a single row. It returns NOT_FOUND of what if there is none.
func row[T any](ctx context.Context, s *Store, on conn, what, query string, args ...any) (T, error) {
	list, err := rows[T](ctx, s, on, query, args...)
	if err == nil && len(list) == 0 {
		err = domain.NotFound(what)
	}
	if err != nil {
		var none T
		return none, err
	}
	return list[0], nil
}

// exec runs a prepared statement without rows and returns the number of changed rows.
func exec(ctx context.Context, on conn, query string, args ...any) (int64, error) {
	result, err := on.ExecContext(ctx, query, prepared(args)...)
	if err != nil {
		return 0, mapError(err)
	}
	changed, err := result.RowsAffected()
	return changed, mapError(err)
}

// changeOne is exec for a statement that must change exactly one row. It returns NOT_FOUND of what if it changed
// none.
func changeOne(ctx context.Context, on conn, what, query string, args ...any) error {
	changed, err := exec(ctx, on, query, args...)
	if err == nil && changed == 0 {
		err = domain.NotFound(what)
	}
	return err
}

// prepared makes pgx prepare the statement once per connection and send the arguments separately.
func prepared(args []any) []any {
	return append([]any{pgx.QueryExecModeCacheStatement}, args...)
}
