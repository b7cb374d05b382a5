package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"ticketgate/domain"
)

// Bounds of the record bytes that the lists and edges of one request read: in total (LIMIT-23), and without a share for
// large reads (LIMIT-22).
const (
	maxRead   = 32 << 20
	largeRead = 1 << 20
)

// countedRows is like rows, for records that a caller requested. Reads within a transaction are not counted, since
// their rows are not returned to the caller. A request that exceeds largeRead releases its connection, waits for its
// share and reads again.
func countedRows[R any](ctx context.Context, s *Store, on conn, query string, args ...any) ([]R, error) {
	var list []R
	if err := s.countedRows(ctx, on, &list, query, args); err != nil {
		return nil, err
	}
	return list, nil
}

func (s *Store) countedRows(ctx context.Context, on conn, list any, query string, args []any) error {
	pool, pooled := on.(*sql.DB)
	reading := domain.CallOf(ctx).Read
	if !pooled || reading == nil {
		return s.rows(ctx, on, list, query, args)
	}
	for {
		read := &queryRead{reading: reading}
		err := s.rowsFromPool(ctx, pool, list, read, query, args)
		if !errors.Is(err, errReadsMuch) {
			return err
		}
		reading.Add(-read.bytes)
		if err := reading.Hold(ctx); err != nil {
			return err
		}
	}
}

// errReadsMuch ends a query that needs a share for large reads, which its request does not have yet.
var errReadsMuch = errors.New("the request reads much")

// queryRead counts the bytes that one query reads for its request.
type queryRead struct {
	reading *domain.Reading
	bytes   int64
}

// count adds the size of a row. It returns an error if the request exceeds a bound, so that no more rows are read into
// memory.
func (r *queryRead) count(row [][]byte) error {
	if r == nil {
		return nil
	}
	size := int64(0)
	for _, value := range row {
		size += int64(len(value))
	}
	r.bytes += size
	switch all := r.reading.Add(size); {
	case all > maxRead:
		return domain.NewError(domain.CodeInvalidRequest, fmt.Sprintf(
			"The requested records have more than %d MiB. Request smaller pages", maxRead>>20))
	case all > largeRead && !r.reading.HasPlace():
		return errReadsMuch
	}
	return nil
}

// sum returns the number of bytes counted so far.
func (r *queryRead) sum() int64 {
	if r == nil {
		return 0
	}
	return r.bytes
}

// back subtracts the bytes counted since before, because their rows will be read again.
func (r *queryRead) back(before int64) {
	if r != nil {
		r.reading.Add(before - r.bytes)
		r.bytes = before
	}
}
