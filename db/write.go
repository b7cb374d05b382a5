package db

import (
	"context"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/uptrace/bun/schema"

	"ticketgate/domain"
	"ticketgate/domain/ids"
)

// change is the shape of a statement that changes rows of a model.
type change struct {
	kind    string
	model   reflect.Type
	columns string
}

// tableOf is the table that a model describes.
func (s *Store) tableOf(model any) (*schema.Table, reflect.Value) {
	value := reflect.Indirect(reflect.ValueOf(model))
	return s.bun.Table(value.Type()), value
}

// argument is a field of a row as an argument: the zero of a field that says nullzero is NULL.
func argument(field *schema.Field, row reflect.Value) any {
	if field.NullZero && field.HasZeroValue(row) {
		return nil
	}
	return field.Value(row).Interface()
}

func placeholder(number int) string { return "$" + strconv.Itoa(number) }

// insert writes a row, with all columns of its model.
func (tx *Tx) insert(ctx context.Context, model any) error {
	table, row := tx.store.tableOf(model)
	text := tx.store.changes.of(change{kind: "insert", model: row.Type()}, func() string {
		built := tx.store.bun.NewInsert().Model(reflect.New(row.Type()).Interface())
		for i, field := range table.Fields {
			built.Value(field.Name, placeholder(i+1))
		}
		return built.String()
	})
	args := make([]any, len(table.Fields))
	for i, field := range table.Fields {
		args[i] = argument(field, row)
	}
	_, err := exec(ctx, tx, text, args...)
	return err
}

// insertAll writes rows of a model in one statement, however many they are: each of its arguments is a column.
func insertAll[R any](ctx context.Context, tx *Tx, models []R) error {
	switch len(models) {
	case 0:
		return nil
	case 1:
		return tx.insert(ctx, &models[0])
	}
	table, row := tx.store.tableOf(&models[0])
	text := tx.store.changes.of(change{kind: "insert all", model: row.Type()}, func() string {
		names, columns := make([]string, len(table.Fields)), make([]string, len(table.Fields))
		for i, field := range table.Fields {
			names[i], columns[i] = string(field.SQLName), placeholder(i+1)+"::"+columnType(field)+"[]"
		}
		return "INSERT INTO " + string(table.SQLName) + " (" + strings.Join(names, ", ") + ") SELECT * FROM unnest(" +
			strings.Join(columns, ", ") + ")"
	})
	args := make([]any, len(table.Fields))
	for i, field := range table.Fields {
		column := make([]any, len(models))
		for n := range models {
			column[n] = argument(field, reflect.ValueOf(&models[n]).Elem())
		}
		args[i] = column
	}
	_, err := exec(ctx, tx, text, args...)
	return err
}

// columnType is the type of a column: what the model says, or what bun takes for its Go type.
func columnType(field *schema.Field) string {
	if field.UserSQLType != "" {
		return field.UserSQLType
	}
	return field.DiscoveredSQLType
}

// update writes columns of a model, or all of them if none is named, to the row with its id and, in a tenant's table, its
// seller.
func (tx *Tx) update(ctx context.Context, what string, model any, columns ...string) error {
	table, row := tx.store.tableOf(model)
	key, rest := keyOf(table), table.Fields
	if len(columns) > 0 {
		rest = fieldsOf(table, columns)
	}
	rest = slices.DeleteFunc(slices.Clone(rest), func(field *schema.Field) bool { return slices.Contains(key, field) })
	fields := append(slices.Clone(rest), key...)
	text := tx.store.changes.of(change{"update", row.Type(), strings.Join(columns, " ")}, func() string {
		built := tx.store.bun.NewUpdate().Model(reflect.New(row.Type()).Interface())
		for i, field := range fields {
			if i < len(rest) {
				built.Set(string(field.SQLName) + " = " + placeholder(i+1))
			} else {
				built.Where(string(table.SQLAlias) + "." + string(field.SQLName) + " = " + placeholder(i+1))
			}
		}
		return built.String()
	})
	args := make([]any, len(fields))
	for i, field := range fields {
		args[i] = argument(field, row)
	}
	return changeOne(ctx, tx, what, text, args...)
}

// keyOf are the columns that name a row: its id and, in a tenant's table, its seller.
func keyOf(table *schema.Table) []*schema.Field {
	key := fieldsOf(table, []string{"id"})
	if table.HasField("seller_id") {
		key = append(key, table.FieldMap["seller_id"])
	}
	return key
}

// fieldsOf are the fields of the columns. One that the model does not have is a mistake of the program.
func fieldsOf(table *schema.Table, columns []string) []*schema.Field {
	fields := make([]*schema.Field, len(columns))
	for i, name := range columns {
		field, err := table.Field(name)
		if err != nil {
			panic(err)
		}
		fields[i] = field
	}
	return fields
}

// deleteFrom removes the rows of a model that meet a condition, with $n arguments, and returns how many they were.
func deleteFrom[R any](ctx context.Context, tx *Tx, condition string, args ...any) (int64, error) {
	return exec(ctx, tx, deleteText[R](tx, condition), args...)
}

// deleteText is the statement that removes the rows of a model that meet a condition.
func deleteText[R any](tx *Tx, condition string) string {
	return tx.store.changes.of(change{"delete", reflect.TypeFor[R](), condition}, func() string {
		return tx.store.bun.NewDelete().Model((*R)(nil)).Where(condition).String()
	})
}

// rowOfSeller is the condition that names one row of a seller.
const rowOfSeller = "seller_id = $1 AND id = $2"

// deleteOne removes a seller's row of a model; none is NOT_FOUND.
func deleteOne[R any](ctx context.Context, tx *Tx, what string, seller ids.Seller, id string) error {
	deleted, err := deleteFrom[R](ctx, tx, rowOfSeller, string(seller), id)
	if err == nil && deleted == 0 {
		err = domain.NotFound(what)
	}
	return err
}
