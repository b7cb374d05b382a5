package db

import (
	"bytes"
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/uptrace/bun/schema"
)

// resultFormats asks for all columns as text but those whose bytes are shorter and quicker to read.
var resultFormats = pgx.QueryResultFormatsByOID{
	pgtype.BoolOID: pgx.BinaryFormatCode, pgtype.ByteaOID: pgx.BinaryFormatCode, pgtype.TimestamptzOID: pgx.BinaryFormatCode,
	pgtype.Int2OID: pgx.BinaryFormatCode, pgtype.Int4OID: pgx.BinaryFormatCode, pgtype.Int8OID: pgx.BinaryFormatCode,
	pgtype.Float4OID: pgx.BinaryFormatCode, pgtype.Float8OID: pgx.BinaryFormatCode,
	pgtype.TextArrayOID: pgx.BinaryFormatCode,
}

// pooledRows reads on a connection of the pool. pgx itself scans: through database/sql a request that reads one row takes more
// processor time (docs/internals/sql.md). read counts what the rows hold, and may end the reading; nil counts nothing.
func pooledRows[T any](
	ctx context.Context, s *Store, pool *sql.DB, read *queryRead, query string, args []any,
) (list []T, err error) {
	giveBack, err := s.connection(ctx)
	if err != nil {
		return nil, err
	}
	defer giveBack()
	if list, answered, err := replicaRows[T](ctx, s, pool, read, query, args); answered {
		return list, err
	}
	connection, err := pool.Conn(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = connection.Close() }()
	table := s.bun.Table(reflect.TypeFor[T]())
	err = connection.Raw(func(raw any) error {
		on, mode := pgxConn(raw)
		list, err = scanned[T](ctx, on, mode, table, read, query, args)
		return badConnection(err)
	})
	return list, err
}

// badConnection is what database/sql drops a connection for: the statement that met it has not run.
func badConnection(err error) error {
	if err != nil && pgconn.SafeToRetry(err) {
		return driver.ErrBadConn
	}
	return err
}

// scanned runs a statement in a mode for those executed often, and scans every row into a T, by the columns of its model.
func scanned[T any](
	ctx context.Context, on *pgx.Conn, mode pgx.QueryExecMode, table *schema.Table, read *queryRead, query string, args []any,
) ([]T, error) {
	found, err := on.Query(ctx, query, append([]any{mode, resultFormats}, args...)...)
	if err != nil {
		return nil, err
	}
	defer found.Close()
	var list []T
	var columns []scanColumn
	for found.Next() {
		if columns == nil {
			if columns, err = columnFields(table, found.FieldDescriptions()); err != nil {
				return nil, err
			}
		}
		values := found.RawValues()
		if err := read.count(values); err != nil {
			return nil, err
		}
		var row T
		if err := setFields(on.TypeMap(), reflect.ValueOf(&row).Elem(), columns, values); err != nil {
			return nil, err
		}
		list = append(list, row)
	}
	return list, found.Err()
}

// scanColumn is a column and how its values are set.
type scanColumn struct {
	*pgconn.FieldDescription

	field *schema.Field
	way   scanWay
}

// scanWay is how a value becomes that of a field.
type scanWay int

const (
	byPGX    scanWay = iota // pgx decodes it
	asText                  // the text is the field's
	asTextOf                // the text is that of the field's pointer
	asBytes                 // the bytes are the field's
	asTime                  // the microseconds are those of a time
	asTimeOf                // the microseconds are those of the field's pointer to a time
)

// columnFields finds the field of each column. Texts and bytes are taken as they are, whatever the name of their type, and times, of which
// lists have many, without a look for their decoder.
func columnFields(table *schema.Table, descriptions []pgconn.FieldDescription) ([]scanColumn, error) {
	columns := make([]scanColumn, len(descriptions))
	for i := range descriptions {
		column := &descriptions[i]
		field := table.LookupField(column.Name)
		if field == nil {
			return nil, fmt.Errorf("%s has no column %s", table, column.Name)
		}
		columns[i] = scanColumn{column, field, wayOf(field.StructField.Type, column)}
	}
	return columns, nil
}

func wayOf(field reflect.Type, column *pgconn.FieldDescription) scanWay {
	plain, points := column.Format == pgx.TextFormatCode, field.Kind() == reflect.Pointer
	instant := column.DataTypeOID == pgtype.TimestamptzOID && !plain
	switch {
	case plain && field.Kind() == reflect.String:
		return asText
	case plain && points && field.Elem().Kind() == reflect.String:
		return asTextOf
	case isBytes(field) && (plain || column.DataTypeOID == pgtype.ByteaOID):
		return asBytes
	case instant && field == reflect.TypeFor[time.Time]():
		return asTime
	case instant && field == reflect.TypeFor[*time.Time]():
		return asTimeOf
	}
	return byPGX
}

// setFields sets the fields of a row. Null is the zero value. The texts of a row are parts of one string, which takes less time than one
// for each.
func setFields(types *pgtype.Map, row reflect.Value, columns []scanColumn, values [][]byte) error {
	texts := textsOf(columns, values)
	for i, value := range values {
		if value == nil {
			continue
		}
		column := &columns[i]
		field := column.field.Value(row)
		switch column.way {
		case asText:
			field.SetString(texts[:len(value)])
			texts = texts[len(value):]
		case asTextOf:
			field.Set(reflect.New(field.Type().Elem()))
			field.Elem().SetString(texts[:len(value)])
			texts = texts[len(value):]
		case asBytes:
			field.SetBytes(bytes.Clone(value))
		case asTime, asTimeOf:
			when, ok := timestamp(value)
			if !ok {
				return fmt.Errorf("column %s: no time", column.Name)
			}
			if column.way == asTimeOf {
				field.Set(reflect.ValueOf(&when))
			} else {
				*field.Addr().Interface().(*time.Time) = when //nolint:errcheck,forcetypeassert // by wayOf
			}
		default:
			if err := types.Scan(column.DataTypeOID, column.Format, value, field.Addr().Interface()); err != nil {
				return fmt.Errorf("column %s: %w", column.Name, err)
			}
		}
	}
	return nil
}

// textsOf are the texts of a row, one after the other.
func textsOf(columns []scanColumn, values [][]byte) string {
	size := 0
	for i, value := range values {
		if columns[i].way == asText || columns[i].way == asTextOf {
			size += len(value)
		}
	}
	var texts strings.Builder
	texts.Grow(size)
	for i, value := range values {
		if columns[i].way == asText || columns[i].way == asTextOf {
			texts.Write(value)
		}
	}
	return texts.String()
}

// timestamp decodes a time, which is sent as microseconds since the year 2000. The infinite ones are none.
func timestamp(value []byte) (time.Time, bool) {
	const perSecond, year2000 = 1_000_000, 946_684_800
	if len(value) != binary.Size(int64(0)) {
		return time.Time{}, false
	}
	micros := int64(binary.BigEndian.Uint64(value)) //nolint:gosec // it is sent as two's complement
	if micros == math.MaxInt64 || micros == math.MinInt64 {
		return time.Time{}, false
	}
	return time.Unix(micros/perSecond+year2000, micros%perSecond*int64(time.Microsecond)), true
}

func isBytes(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8
}
