package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"ticketgate/domain"
)

// How many bytes of records the lists and edges of one request read: at most (LIMIT-23), and without waiting for its seller's
// share of what reads much (LIMIT-22).
const (
	mostRead  = 32 << 20
	largeRead = 1 << 20
)

// countedRows is rows of records that a caller asks for. What a transaction reads is not for its caller. A request that turns out to
// read much waits for its place without a connection, and reads once more.
func countedRows[R any](ctx context.Context, s *Store, on conn, query string, args ...any) ([]R, error) {
	pool, pooled := on.(*sql.DB)
	reading := domain.CallOf(ctx).Read
	if !pooled || reading == nil {
		return rows[R](ctx, s, on, query, args...)
	}
	for {
		read := &queryRead{reading: reading}
		found, err := rowsFromPool[R](ctx, s, pool, read, query, args)
		if !errors.Is(err, errReadsMuch) {
			return found, err
		}
		reading.Add(-read.bytes)
		if err := reading.Hold(ctx); err != nil {
			return nil, err
		}
	}
}

// errReadsMuch ends a query of a request that has no place for large reads.
var errReadsMuch = errors.New("the request reads much")

// queryRead is what one query has read of what its request reads.
type queryRead struct {
	reading *domain.Reading
	bytes   int64
}

// count adds a row to what its request has read, and refuses what is too much: the rows after it take no memory.
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
	case all > mostRead:
		return domain.NewError(domain.CodeInvalidRequest, fmt.Sprintf(
			"The records that the request asks for have more than %d MiB; ask for smaller pages", mostRead>>20))
	case all > largeRead && !r.reading.HasPlace():
		return errReadsMuch
	}
	return nil
}

// sum returns what was counted so far.
func (r *queryRead) sum() int64 {
	if r == nil {
		return 0
	}
	return r.bytes
}

// back takes back what was counted since, of rows that are read again.
func (r *queryRead) back(before int64) {
	if r != nil {
		r.reading.Add(before - r.bytes)
		r.bytes = before
	}
}
