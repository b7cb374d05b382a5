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
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/uptrace/bun/schema"
)

// resultFormats requests the text form of all columns, except for types whose binary form is shorter and faster to
// decode.
var resultFormats = pgx.QueryResultFormatsByOID{
	pgtype.BoolOID: pgx.BinaryFormatCode, pgtype.ByteaOID: pgx.BinaryFormatCode, pgtype.TimestamptzOID: pgx.BinaryFormatCode,
	pgtype.Int2OID: pgx.BinaryFormatCode, pgtype.Int4OID: pgx.BinaryFormatCode, pgtype.Int8OID: pgx.BinaryFormatCode,
	pgtype.Float4OID: pgx.BinaryFormatCode, pgtype.Float8OID: pgx.BinaryFormatCode,
	pgtype.TextArrayOID: pgx.BinaryFormatCode,
}

// pooledRows reads rows on a connection of the pool. It lets pgx scan them, because database/sql takes more processor
// time for requests that read one row (docs/internals/sql.md). read counts the bytes and may end the query. It may be
// nil.
func (s *Store) pooledRows(ctx context.Context, pool *sql.DB, list any, read *queryRead, query string, args []any) error {
	if answered, err := s.replicaRows(ctx, pool, list, read, query, args); answered {
		return err
	}
	giveBack, err := s.connection(ctx)
	if err != nil {
		return err
	}
	defer giveBack()
	connection, err := pool.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = connection.Close() }()
	return connection.Raw(func(raw any) error {
		on, mode := pgxConn(raw)
		return badConnection(s.scanInto(ctx, on, mode, list, read, query, args))
	})
}

// badConnection returns driver.ErrBadConn, which makes database/sql drop the connection, if err shows that the
// statement did not run. Otherwise it returns err.
func badConnection(err error) error {
	if err != nil && pgconn.SafeToRetry(err) {
		return driver.ErrBadConn
	}
	return err
}

// scanInto runs a statement in the given mode and stores its rows in list, a pointer to a slice. The columns are those
// of the model of its elements.
func (s *Store) scanInto(
	ctx context.Context, on *pgx.Conn, mode pgx.QueryExecMode, list any, read *queryRead, query string, args []any,
) error {
	found, err := on.Query(ctx, query, slices.Concat([]any{mode, resultFormats}, args)...)
	if err != nil {
		return err
	}
	defer found.Close()
	into := reflect.ValueOf(list).Elem()
	into.SetZero() // rows of a previous try
	var columns []scanColumn
	for found.Next() {
		if columns == nil {
			if columns, err = columnFields(s.bun.Table(into.Type().Elem()), found.FieldDescriptions()); err != nil {
				return err
			}
		}
		values := found.RawValues()
		if err := read.count(values); err != nil {
			return err
		}
		into.Grow(1)
		into.SetLen(into.Len() + 1)
		if err := setFields(on.TypeMap(), into.Index(into.Len()-1), columns, values); err != nil {
			return err
		}
	}
	return found.Err()
}

// scanColumn is a column and how its values are stored.
type scanColumn struct {
	*pgconn.FieldDescription

	field *schema.Field
	way   scanWay
}

// scanWay is the way in which a column's value is stored in its field.
type scanWay int

const (
	byPGX    scanWay = iota // decoded by pgx
	asText                  // the text is the field's value
	asTextOf                // the text is the value of the field's pointer
	asBytes                 // the bytes are the field's value
	asTime                  // the microseconds are the field's time
	asTimeOf                // the microseconds are the time of the field's pointer
)

// columnFields returns the field for each column. Text and bytes are stored directly, whatever their named type. So are
// times, because they are frequent in lists and pgx would look up a decoder for each.
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

// wayOf returns how a column is read into a field: directly for texts, bytes and times, otherwise by pgx.
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

// setFields sets the fields of a row. NULL sets the zero value. All texts of a row are substrings of one string, which
// is faster than allocating each.
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
				return fmt.Errorf("column %s: not a time", column.Name)
			}
			if column.way == asTimeOf {
				field.Set(reflect.ValueOf(&when))
			} else {
				*field.Addr().Interface().(*time.Time) = when //nolint:errcheck,forcetypeassert // guaranteed by wayOf
			}
		default:
			if err := types.Scan(column.DataTypeOID, column.Format, value, field.Addr().Interface()); err != nil {
				return fmt.Errorf("column %s: %w", column.Name, err)
			}
		}
	}
	return nil
}

// textsOf returns all texts of a row, concatenated.
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

// timestamp decodes a time, which is sent as microseconds since 2000. It returns false for infinite times.
func timestamp(value []byte) (time.Time, bool) {
	const perSecond, year2000 = 1_000_000, 946_684_800
	if len(value) != binary.Size(int64(0)) {
		return time.Time{}, false
	}
	micros := int64(binary.BigEndian.Uint64(value)) //nolint:gosec // sent in two's complement
	if micros == math.MaxInt64 || micros == math.MinInt64 {
		return time.Time{}, false
	}
	return time.Unix(micros/perSecond+year2000, micros%perSecond*int64(time.Microsecond)), true
}

func isBytes(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8
}
