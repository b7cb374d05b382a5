package db

import (
	"bytes"
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"reflect"

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
	var fields []*schema.Field
	for found.Next() {
		if fields == nil {
			if fields, err = columnFields(table, found.FieldDescriptions()); err != nil {
				return nil, err
			}
		}
		values := found.RawValues()
		if err := read.count(values); err != nil {
			return nil, err
		}
		var row T
		if err := setFields(on.TypeMap(), reflect.ValueOf(&row).Elem(), fields, found.FieldDescriptions(), values); err != nil {
			return nil, err
		}
		list = append(list, row)
	}
	return list, found.Err()
}

// columnFields finds the field of each column.
func columnFields(table *schema.Table, columns []pgconn.FieldDescription) ([]*schema.Field, error) {
	fields := make([]*schema.Field, len(columns))
	for i, column := range columns {
		if fields[i] = table.LookupField(column.Name); fields[i] == nil {
			return nil, fmt.Errorf("%s has no column %s", table, column.Name)
		}
	}
	return fields, nil
}

func setFields(
	types *pgtype.Map, row reflect.Value, fields []*schema.Field, columns []pgconn.FieldDescription, values [][]byte,
) error {
	for i, value := range values {
		if value == nil {
			continue // null is the field's zero value
		}
		if err := scanValue(types, fields[i].Value(row), &columns[i], value); err != nil {
			return fmt.Errorf("column %s: %w", columns[i].Name, err)
		}
	}
	return nil
}

// scanValue sets a field to a value that is not null. Texts and bytes are taken as they are, whatever the name of their type; pgx
// does the rest.
func scanValue(types *pgtype.Map, field reflect.Value, column *pgconn.FieldDescription, value []byte) error {
	switch plain := column.Format == pgx.TextFormatCode; {
	case plain && field.Kind() == reflect.String:
		field.SetString(string(value))
	case isBytes(field.Type()) && (plain || column.DataTypeOID == pgtype.ByteaOID):
		field.SetBytes(bytes.Clone(value))
	case plain && field.Kind() == reflect.Pointer && field.Type().Elem().Kind() == reflect.String:
		field.Set(reflect.New(field.Type().Elem()))
		field.Elem().SetString(string(value))
	default:
		return types.Scan(column.DataTypeOID, column.Format, value, field.Addr().Interface())
	}
	return nil
}

func isBytes(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8
}
