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

// Store reads, and opens the transactions that write. Each area's Store is a thin view of it.
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
	// requests divides the connections for requests between sellers; nil does not.
	requests *share.Shares
	long     *long
	// replica answers reads that may lag; nil if there is none.
	replica *replica
	// recording is the same database by connections of their own, see ofAttempts.
	recording *Store
	// readOnly refuses transactions, see ReadOnly.
	readOnly    bool
	credentials *Credentials
	published   batch.Group[[]domain.Event, []string]
	completions completions
}

// Tx is an open transaction: the only thing that can write.
type Tx struct {
	*sql.Tx
	store *Store
	// changesCredentials says that epoch is to move on with the commit; epoch is then the one that began.
	changesCredentials bool
	epoch              int64
	// answer is what an idempotent request will be answered.
	answer any
	// answers are the same for requests that share the transaction.
	answers []answered
}

// maxTries is how often a transaction runs that the database refused for a conflict with another one.
const maxTries = 4

// transact runs f in one transaction, and as a whole again when the database says that trying again may help.
// f therefore sets what it returns and does nothing that can't be repeated.
func (s *Store) transact(ctx context.Context, f func(*Tx) error) error {
	if s.readOnly {
		return errReadOnly
	}
	return mapError(s.transactOn(ctx, s.begin, f))
}

// transactor runs the transactions of an area, which declares what they offer as X.
type transactor[X any] struct {
	in *Store
	as func(*Tx) X
}

// InTx runs f in one transaction, see transact.
func (t transactor[X]) InTx(ctx context.Context, f func(X) error) error {
	return t.in.transact(ctx, func(tx *Tx) error { return f(t.as(tx)) })
}

// InLongTx is InTx for work on many rows, see transactLong.
func (t transactor[X]) InLongTx(ctx context.Context, seller ids.Seller, rows int, f func(context.Context, X) error) error {
	return t.in.transactLong(ctx, seller, rows, func(ctx context.Context, tx *Tx) error { return f(ctx, t.as(tx)) })
}

// begin opens a transaction and returns what gives its place back when it has ended.
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

// transactOnce returns the transaction that it has committed.
func (s *Store) transactOnce(ctx context.Context, begin begin, f func(*Tx) error) (*Tx, error) {
	begun, giveBack, err := begin(ctx)
	if err != nil {
		return nil, err
	}
	defer giveBack()
	defer func() { _ = begun.Rollback() }() // after a commit it does nothing
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

// commitError is what a commit ended with: a connection that was lost then may have committed all the same, so that
// running the transaction again could do everything twice.
type commitError struct{ cause error }

// Error says what the commit ended with.
func (e *commitError) Error() string { return "commit: " + e.cause.Error() }

// Unwrap returns what the database or its connection said.
func (e *commitError) Unwrap() error { return e.cause }

// rolledBack tells whether nothing remains of a transaction that ended with an error.
func rolledBack(err error) bool {
	_, committing := errors.AsType[*commitError](err)
	return !committing
}

// pause waits a few milliseconds, a little differently each time, so that two conflicting transactions part.
func pause(ctx context.Context, try int) error {
	timer := time.NewTimer(time.Duration(try*5+rand.IntN(10)) * time.Millisecond)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// conn is what reads run on: the pool or an open transaction.
type conn interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// rows runs a prepared statement with $n arguments, and scans every row into a T: pgx does on the pool, bun in a transaction.
func rows[T any](ctx context.Context, s *Store, on conn, query string, args ...any) ([]T, error) {
	pool, pooled := on.(*sql.DB)
	if !pooled {
		list, err := rowsOf[T](ctx, s, on, query, args)
		return list, mapError(err)
	}
	return rowsFromPool[T](ctx, s, pool, nil, query, args)
}

// rowsFromPool reads again when it met a broken connection: requests that their clients give up leave several of them at once, and
// the pool itself tries only two.
func rowsFromPool[T any](ctx context.Context, s *Store, pool *sql.DB, read *queryRead, query string, args []any) ([]T, error) {
	for try := 1; ; try++ {
		list, err := pooledRows[T](ctx, s, pool, read, query, args)
		if try == maxTries || !errors.Is(err, driver.ErrBadConn) {
			return list, mapError(err)
		}
	}
}

func rowsOf[T any](ctx context.Context, s *Store, on conn, query string, args []any) ([]T, error) {
	found, err := on.QueryContext(ctx, query, prepared(args)...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = found.Close() }()
	var list []T
	if err := s.bun.ScanRows(ctx, found, &list); err != nil {
		return nil, err
	}
	return list, found.Err()
}

// row is rows for at most one row; it returns nothing found as NOT_FOUND of what was looked for.
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

// exec runs a prepared statement that returns no rows and tells how many it changed.
func exec(ctx context.Context, on conn, query string, args ...any) (int64, error) {
	result, err := on.ExecContext(ctx, query, prepared(args)...)
	if err != nil {
		return 0, mapError(err)
	}
	changed, err := result.RowsAffected()
	return changed, mapError(err)
}

// changeOne is exec for a statement that must change exactly one row: none is NOT_FOUND.
func changeOne(ctx context.Context, on conn, what, query string, args ...any) error {
	changed, err := exec(ctx, on, query, args...)
	if err == nil && changed == 0 {
		err = domain.NotFound(what)
	}
	return err
}

// prepared asks pgx to prepare the statement once per connection and to send the arguments apart from it.
func prepared(args []any) []any {
	return append([]any{pgx.QueryExecModeCacheStatement}, args...)
}
