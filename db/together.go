package db

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// statement is the text of a SQL statement with its arguments.
type statement struct {
	text string
	args []any
}

// run executes statements one after the other, in the transaction.
func (tx *Tx) run(ctx context.Context, statements ...statement) error {
	for _, item := range statements {
		if _, err := exec(ctx, tx, item.text, item.args...); err != nil {
			return err
		}
	}
	return nil
}

// together executes independent statements in one transaction and one round trip. It retries like transact.
func (s *Store) together(ctx context.Context, statements []statement) error {
	if s.readOnly {
		return errReadOnly
	}
	for try := 1; ; try++ {
		err := s.togetherOnce(ctx, statements)
		if err == nil || try == maxTries || !retryable(err) {
			return mapError(err)
		}
		if err := pause(ctx, try); err != nil {
			return mapError(err)
		}
	}
}

// togetherOnce executes statements on one connection, in a pipeline if the connection prepares statements.
func (s *Store) togetherOnce(ctx context.Context, statements []statement) error {
	giveBack, err := s.connection(ctx)
	if err != nil {
		return err
	}
	defer giveBack()
	connection, err := s.sql.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = connection.Close() }()
	return connection.Raw(func(raw any) error {
		on, mode := pgxConn(raw)
		if mode != pgx.QueryExecModeCacheStatement {
			return oneByOne(ctx, on, mode, statements)
		}
		return inPipeline(ctx, on, statements)
	})
}

// inPipeline sends all statements before it reads the first result. The server treats statements that arrive together
// as one transaction.
func inPipeline(ctx context.Context, on *pgx.Conn, statements []statement) error {
	batch := new(pgx.Batch)
	for _, item := range statements {
		if _, err := on.Prepare(ctx, item.text, item.text); err != nil { // waits for the server once per connection and text
			return badConnection(err)
		}
		batch.Queue(item.text, item.args...)
	}
	results := on.SendBatch(ctx, batch)
	for range statements {
		if _, err := results.Exec(); err != nil {
			_ = results.Close()
			return abandoned(err)
		}
	}
	if err := results.Close(); err != nil {
		return &commitError{err} // all statements have succeeded
	}
	return nil
}

// abandoned returns the error to report if statements failed with why. If the server may have committed them and only
// the result was lost, that is a commitError.
func abandoned(why error) error {
	if _, refused := errors.AsType[*pgconn.PgError](why); refused || pgconn.SafeToRetry(why) {
		return badConnection(why)
	}
	return &commitError{why}
}

// oneByOne executes the statements in an ordinary transaction, for poolers, which don't support prepared statements.
func oneByOne(ctx context.Context, on *pgx.Conn, mode pgx.QueryExecMode, statements []statement) error {
	tx, err := on.Begin(ctx)
	if err != nil {
		return badConnection(err)
	}
	defer func() { _ = tx.Rollback(ctx) }() // no-op after a commit
	for _, item := range statements {
		if _, err := tx.Exec(ctx, item.text, append([]any{mode}, item.args...)...); err != nil {
			return err
		}
	}
	if err := tx.Commit(ctx); err != nil {
		return &commitError{err}
	}
	return nil
}
