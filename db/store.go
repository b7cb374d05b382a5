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

// Store reads rows and opens transactions for writing. The store of each area is a thin wrapper.
type Store struct {
	sql     *sql.DB
	bun     *bun.DB
	changes *textCache
	mode    string
	sealer  *Sealer
	now     func() time.Time
	enqueue Enqueue
	trace   func(context.Context) string

	enqueueMail EnqueueMail
	// requests divides the connections for requests among sellers. If nil, sellers are not limited.
	requests *share.Shares
	long     *long
	// replica serves reads that may lag. It is nil if there is no replica.
	replica *replica
	// recording is a store on the same database with separate connections for attempts, see ofAttempts.
	recording *Store
	// readOnly makes the store refuse transactions, see ReadOnly.
	readOnly    bool
	credentials *Credentials
	published   batch.Group[[]domain.Event, []string]
	completions completions
	additions   additions
}

// Tx is an open transaction. Only a Tx can write.
type Tx struct {
	*sql.Tx
	store *Store
	// changesCredentials makes the commit advance the credential epoch, which is then stored in epoch.
	changesCredentials bool
	epoch              int64
	// response is the response to the idempotent request of the transaction.
	response any
	// responses are the responses to several idempotent requests that share the transaction.
	responses []idempotentResponse
}

// maxTries is how often a transaction is run if the database aborts it because of conflicts.
const maxTries = 4

// transact runs f in a transaction, and repeats it if the database reports a conflict. So f must assign results instead
// of appending to them, and must do nothing that can't be repeated.
func (s *Store) transact(ctx context.Context, f func(*Tx) error) error {
	if s.readOnly {
		return errReadOnly
	}
	return mapError(s.transactOn(ctx, s.begin, f))
}

// transactor runs transactions for an area, whose Tx is X.
type transactor[X any] struct {
	in *Store
	as func(*Tx) X
}

// InTx runs f in a transaction, see transact.
func (t transactor[X]) InTx(ctx context.Context, f func(X) error) error {
	return t.in.transact(ctx, func(tx *Tx) error { return f(t.as(tx)) })
}

// InLongTx is like InTx, for work on many rows, see transactLong.
func (t transactor[X]) InLongTx(ctx context.Context, seller ids.Seller, rows int, f func(context.Context, X) error) error {
	return t.in.transactLong(ctx, seller, rows, func(ctx context.Context, tx *Tx) error { return f(ctx, t.as(tx)) })
}

// begin is a function that opens a transaction. giveBack must be called after the transaction has ended.
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
	if err := tx.storeResponse(ctx); err != nil {
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

// commitError is the error of a commit. If the connection was lost, the commit may have succeeded, and repeating the
// transaction could apply it twice.
type commitError struct{ cause error }

// Error implements error.
func (e *commitError) Error() string { return "commit: " + e.cause.Error() }

// Unwrap returns the error of the database or its connection.
func (e *commitError) Unwrap() error { return e.cause }

// rolledBack reports whether a transaction that ended with err left no changes.
func rolledBack(err error) bool {
	_, committing := errors.AsType[*commitError](err)
	return !committing
}

// pause waits a few milliseconds. The wait is random, so that conflicting transactions don't collide again.
func pause(ctx context.Context, try int) error {
	return sleep(ctx, time.Duration(try*5+rand.IntN(10))*time.Millisecond)
}

// conn is what statements run on: the pool or an open transaction.
type conn interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// rows runs a prepared statement with $n arguments and returns its rows. pgx scans them on the pool, and bun in a
// transaction.
func rows[T any](ctx context.Context, s *Store, on conn, query string, args ...any) ([]T, error) {
	var list []T
	if err := s.rows(ctx, on, &list, query, args); err != nil {
		return nil, err // some rows may have been read
	}
	return list, nil
}

// rows stores the rows of a statement in list, a pointer to a slice. Unlike the generic function, it is compiled only
// once instead of for each of 140 types.
func (s *Store) rows(ctx context.Context, on conn, list any, query string, args []any) error {
	pool, pooled := on.(*sql.DB)
	if !pooled {
		return mapError(s.rowsIn(ctx, on, list, query, args))
	}
	return s.rowsFromPool(ctx, pool, list, nil, query, args)
}

// rowsFromPool reads rows on the pool, and repeats that after a broken connection. Clients that give up can break
// several connections at once, but the pool itself retries only twice.
func (s *Store) rowsFromPool(ctx context.Context, pool *sql.DB, list any, read *queryRead, query string, args []any) error {
	for try := 1; ; try++ {
		err := s.pooledRows(ctx, pool, list, read, query, args)
		if try == maxTries || !errors.Is(err, driver.ErrBadConn) {
			return mapError(err)
		}
	}
}

// rowsIn reads rows in a transaction.
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

// row queries a single row. It returns NotFound(what) if there is none.
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

// exec runs a prepared statement that returns no rows, and returns the number of affected rows.
func exec(ctx context.Context, on conn, query string, args ...any) (int64, error) {
	result, err := on.ExecContext(ctx, query, prepared(args)...)
	if err != nil {
		return 0, mapError(err)
	}
	changed, err := result.RowsAffected()
	return changed, mapError(err)
}

// changeOne runs a statement that must change one row. It returns NotFound(what) if it changed none.
func changeOne(ctx context.Context, on conn, what, query string, args ...any) error {
	changed, err := exec(ctx, on, query, args...)
	if err == nil && changed == 0 {
		err = domain.NotFound(what)
	}
	return err
}

// prepared adds the execution mode that makes pgx prepare the statement once per connection.
func prepared(args []any) []any {
	return append([]any{pgx.QueryExecModeCacheStatement}, args...)
}
