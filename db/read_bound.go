package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"reflect"
	"time"

	"ticketgate/domain"
)

// How many bytes of records the lists and edges of one request read: at most (LIMIT-23), and without waiting for its seller's
// share of what reads much (LIMIT-22).
const (
	mostRead  = 32 << 20
	largeRead = 1 << 20
)

// counted is a row that adds itself to what its request has read once it is there, and ends the reading of what is too much:
// the rows behind it take no memory.
type counted[R any] struct {
	Row R `bun:"embed:"`
}

// AfterScanRow is called by bun.
func (c *counted[R]) AfterScanRow(ctx context.Context) error { return countRead(ctx, &c.Row) }

// countedRows is rows of records that a caller asks for. What a transaction reads is not for its caller.
func countedRows[R any](ctx context.Context, s *Store, on conn, query string, args ...any) ([]R, error) {
	if _, pooled := on.(*sql.DB); !pooled {
		return rows[R](ctx, s, on, query, args...)
	}
	found, err := boundedRows[counted[R]](ctx, s, query, args...)
	if err != nil {
		return nil, err
	}
	list := make([]R, len(found))
	for i := range found {
		list[i] = found[i].Row
	}
	return list, nil
}

// boundedRows is rows of a type that counts what was read. A request that turns out to read much waits for its place without a
// connection, and reads once more.
func boundedRows[T any](ctx context.Context, s *Store, query string, args ...any) ([]T, error) {
	reading := domain.CallOf(ctx).Read
	if reading == nil {
		return rows[T](ctx, s, s.sql, query, args...)
	}
	for {
		read := &queryRead{reading: reading}
		found, err := rows[T](context.WithValue(ctx, queryReadKey{}, read), s, s.sql, query, args...)
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

type queryReadKey struct{}

// queryRead is what one query has read of what its request reads.
type queryRead struct {
	reading *domain.Reading
	bytes   int64
}

// countRead adds a row to what its request has read, and refuses what is too much.
func countRead(ctx context.Context, row any) error {
	read, ok := ctx.Value(queryReadKey{}).(*queryRead)
	if !ok {
		return nil
	}
	size := int64(bytesOf(reflect.ValueOf(row).Elem()))
	read.bytes += size
	switch all := read.reading.Add(size); {
	case all > mostRead:
		return domain.NewError(domain.CodeInvalidRequest, fmt.Sprintf(
			"The records that the request asks for have more than %d MiB; ask for smaller pages", mostRead>>20))
	case all > largeRead && !read.reading.HasPlace():
		return errReadsMuch
	}
	return nil
}

// bytesOf returns how many bytes the texts of a row have.
func bytesOf(value reflect.Value) int {
	kind, size := value.Kind(), 0
	if kind == reflect.String || (kind == reflect.Slice && value.Type().Elem().Kind() == reflect.Uint8) {
		return value.Len()
	}
	if kind == reflect.Pointer && !value.IsNil() {
		return bytesOf(value.Elem())
	}
	if kind == reflect.Slice {
		for i := range value.Len() {
			size += bytesOf(value.Index(i))
		}
	}
	if kind == reflect.Struct && value.Type() != reflect.TypeFor[time.Time]() {
		for _, field := range value.Fields() {
			size += bytesOf(field)
		}
	}
	return size
}
