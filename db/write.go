package db

import (
	"context"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/schema"
)

// change identifies a statement that writes rows of a model.
type change struct {
	kind    string
	model   reflect.Type
	columns string
}

// tableOf returns the table of a model.
func (s *Store) tableOf(model any) (*schema.Table, reflect.Value) {
	value := reflect.Indirect(reflect.ValueOf(model))
	return s.bun.Table(value.Type()), value
}

// argument returns the value of a row's field as an argument. Zero values of nullzero fields become NULL.
func argument(field *schema.Field, row reflect.Value) any {
	if field.NullZero && field.HasZeroValue(row) {
		return nil
	}
	return field.Value(row).Interface()
}

func placeholder(number int) string { return "$" + strconv.Itoa(number) }

// insert inserts a row with all columns of its model.
func (tx *Tx) insert(ctx context.Context, model any) error {
	_, err := insertOn(ctx, tx.store, tx, "", model)
	return err
}

// insertOn inserts a row and returns the number of inserted rows. conflict is the ON CONFLICT clause, such as
// "CONFLICT (id) DO UPDATE SET times = u.times + 1", where u is the model's alias.
func insertOn(ctx context.Context, s *Store, on conn, conflict string, model any) (int64, error) {
	table, row := s.tableOf(model)
	text := s.changes.of(change{"insert", row.Type(), conflict}, func() string {
		built := s.bun.NewInsert().Model(reflect.New(row.Type()).Interface())
		for i, field := range table.Fields {
			built.Value(field.Name, placeholder(i+1))
		}
		if conflict != "" {
			built.On(conflict)
		}
		return built.String()
	})
	args := make([]any, len(table.Fields))
	for i, field := range table.Fields {
		args[i] = argument(field, row)
	}
	return exec(ctx, on, text, args...)
}

// insertAll inserts rows of a model in one statement. Each argument is a column, so that the text does not depend on
// the number of rows.
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

// columnType returns the SQL type of a column, from the model or from its Go type.
func columnType(field *schema.Field) string {
	if field.UserSQLType != "" {
		return field.UserSQLType
	}
	return field.DiscoveredSQLType
}

// update writes the named columns of a model, or all if none are named. The row is identified by its id and, if the
// table has one, its seller.
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

// keyOf returns the columns that identify a row: its id and, if the table has one, its seller.
func keyOf(table *schema.Table) []*schema.Field {
	key := fieldsOf(table, []string{"id"})
	if table.HasField("seller_id") {
		key = append(key, table.FieldMap["seller_id"])
	}
	return key
}

// fieldsOf returns the fields of columns. It panics if the model lacks one of them.
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

// set adds an assignment to an update. Each $ is its next argument.
func (q *query[R]) set(text string, args ...any) *query[R] {
	q.sets = append(q.sets, condition{text, len(args)})
	q.setArgs = append(q.setArgs, args...)
	return q
}

// setFields adds assignments of columns to their values in model.
func (q *query[R]) setFields(s *Store, model *R, columns ...string) *query[R] {
	table, row := s.tableOf(model)
	for _, field := range fieldsOf(table, columns) {
		q.set(string(field.SQLName)+" = $", argument(field, row))
	}
	return q
}

// update updates the rows and returns their number.
func (q *query[R]) update(ctx context.Context, s *Store, on conn) (int64, error) {
	return exec(ctx, on, q.updateText(s), append(q.setArgs, q.args...)...)
}

// updateOne is like update, for a row that must exist. It returns NotFound(what) if it does not.
func (q *query[R]) updateOne(ctx context.Context, s *Store, on conn, what string) error {
	return changeOne(ctx, on, what, q.updateText(s), append(q.setArgs, q.args...)...)
}

// updateText returns the text of the UPDATE. Queries of the same form share it.
func (q *query[R]) updateText(s *Store) string {
	kind := make([]string, 1, 1+len(q.sets))
	kind[0] = "update"
	for _, item := range q.sets {
		kind = append(kind, item.text)
	}
	return q.text(s, strings.Join(kind, "\x00"), func(*bun.SelectQuery) string {
		built, next := s.bun.NewUpdate().Model((*R)(nil)), 1
		if q.from.table != "" {
			built.ModelTableExpr(q.from.table)
		}
		for _, item := range q.sets {
			built.Set(numbered(item, &next))
		}
		if len(q.conditions) == 0 {
			built.Where("true")
		}
		for _, item := range q.conditions {
			built.Where(numbered(item, &next))
		}
		return built.String()
	})
}

// delete deletes the rows and returns their number.
func (q *query[R]) delete(ctx context.Context, s *Store, on conn) (int64, error) {
	return exec(ctx, on, q.deleteText(s, ""), q.args...)
}

// deleteOne is like delete, for a row that must exist. It returns NotFound(what) if it does not.
func (q *query[R]) deleteOne(ctx context.Context, s *Store, on conn, what string) error {
	return changeOne(ctx, on, what, q.deleteText(s, ""), q.args...)
}

// deleteReturning deletes the rows and returns the given columns of them.
func (q *query[R]) deleteReturning(ctx context.Context, s *Store, on conn, columns string) ([]R, error) {
	return rows[R](ctx, s, on, q.deleteText(s, columns), q.args...)
}

// deleteText returns the text of the DELETE with the given RETURNING clause. Queries of the same form share it.
func (q *query[R]) deleteText(s *Store, returning string) string {
	return q.text(s, "delete\x00"+returning, func(*bun.SelectQuery) string {
		built, next := s.bun.NewDelete().Model((*R)(nil)), 1
		if q.from.table != "" {
			built.ModelTableExpr(q.from.table)
		}
		if len(q.conditions) == 0 {
			built.Where("true")
		}
		for _, item := range q.conditions {
			built.Where(numbered(item, &next))
		}
		if returning != "" {
			built.Returning(returning)
		}
		return built.String()
	})
}
