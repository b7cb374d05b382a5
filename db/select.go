package db

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/uptrace/bun"

	"ticketgate/domain/ids"
)

// source is what rows R are read from: the table of their model, whose columns bun names one by one, so that a column of a later
// version disturbs nothing. It keeps the text of each shape of a query: bun builds it once, and pgx keeps it prepared.
type source[R any] struct {
	// columns are read instead of all columns of the model, which are ?TableColumns.
	columns string
	// table is read instead of the model's.
	table string
	// distinct are expressions of which each value has one row, the first in the order of the query.
	distinct string
	// group are expressions by which rows are counted together.
	group string
	// joins come after the table, each with its own word: "LEFT JOIN device_uses u ON u.device_id = d.id".
	joins []string

	texts keptTexts
}

// mostKept is how many texts of one source are kept. A caller who combines filters in ever new ways costs the time to build the
// others each time, and no memory.
const mostKept = 256

// keptTexts are the texts of statements that bun has built, by their shapes.
type keptTexts struct {
	texts sync.Map
	kept  atomic.Int32
}

// of returns the text of a shape, which build builds when it is not kept.
func (k *keptTexts) of(shape any, build func() string) string {
	if kept, ok := k.texts.Load(shape); ok {
		if text, ok := kept.(string); ok {
			return text
		}
	}
	text := build()
	if k.kept.Load() < mostKept {
		if _, there := k.texts.LoadOrStore(shape, text); !there {
			k.kept.Add(1)
		}
	}
	return text
}

// query is a SELECT from a source under construction: conditions, their arguments, order and lock. Values are always arguments; what
// shapes the text has few values.
type query[R any] struct {
	from       *source[R]
	conditions []condition
	args       []any
	order      string
	lock       string
	// sets are what an update sets, with arguments of their own.
	sets    []condition
	setArgs []any
}

// condition is one that all rows meet. Each of its first $ stands for an argument of its own, and $^ for the next of them; a $1 with
// its number is the query's.
type condition struct {
	text string
	args int
}

// all selects every row of the source.
func (from *source[R]) all() *query[R] { return &query[R]{from: from} }

// of selects a seller's rows.
func (from *source[R]) of(seller ids.Seller) *query[R] {
	return from.where("?TableAlias.seller_id = $", string(seller))
}

// where selects the rows that meet a condition; each $ in it stands for the next argument.
func (from *source[R]) where(condition string, args ...any) *query[R] {
	return from.all().where(condition, args...)
}

// where adds a condition; each $ in it stands for the next argument.
func (q *query[R]) where(text string, args ...any) *query[R] {
	q.conditions = append(q.conditions, condition{text, len(args)})
	q.args = append(q.args, args...)
	return q
}

// withID selects the row with the id.
func (q *query[R]) withID(id string) *query[R] { return q.where("?TableAlias.id = $", id) }

// withIDs selects the rows with the ids.
func (q *query[R]) withIDs(ids []string) *query[R] { return q.where("?TableAlias.id = ANY($)", ids) }

// whereIf adds a condition only when the filter is used.
func (q *query[R]) whereIf(used bool, condition string, args ...any) *query[R] {
	if used {
		q.where(condition, args...)
	}
	return q
}

// orderBy orders the rows that all returns.
func (q *query[R]) orderBy(order string) *query[R] {
	q.order = order
	return q
}

// forUpdate locks the rows, with a strength and what it is of: "NO KEY UPDATE OF d". The empty one locks none.
func (q *query[R]) forUpdate(lock string) *query[R] {
	q.lock = lock
	return q
}

// clone is the query for other conditions, which don't come into this one.
func (q *query[R]) clone() *query[R] {
	other := *q
	other.conditions = append([]condition(nil), q.conditions...)
	other.args = append([]any(nil), q.args...)
	return &other
}

// text returns the statement that bun builds of the query. Kind names what finish adds to it, and so is a part of its shape.
func (q *query[R]) text(s *Store, kind string, finish func(*bun.SelectQuery) string) string {
	var shape strings.Builder
	for _, part := range [...]string{kind, q.order, q.lock} {
		shape.WriteString(part)
		shape.WriteByte(0)
	}
	for _, one := range q.conditions {
		shape.WriteString(one.text)
		shape.WriteByte(0)
	}
	return q.from.texts.of(shape.String(), func() string { return finish(q.build(s)) })
}

// build is the query without its columns.
func (q *query[R]) build(s *Store) *bun.SelectQuery {
	built := s.bun.NewSelect().Model((*R)(nil))
	if q.from.table != "" {
		built.ModelTableExpr(tableIn(q.from.table, q.order))
	}
	for _, join := range q.from.joins {
		built.Join(join)
	}
	if q.from.distinct != "" {
		built.DistinctOn(q.from.distinct)
	}
	next := 1
	for _, one := range q.conditions {
		built.Where(numbered(one, &next))
	}
	if q.from.group != "" {
		built.GroupExpr(q.from.group)
	}
	if q.order != "" {
		built.OrderExpr(q.order)
	}
	if q.lock != "" {
		built.For(q.lock)
	}
	return built
}

// inPageOrder ends each SELECT of a UNION ALL that a list is read from. The server then merges what it reads in the order of the page
// along an index, and stops; else it would expect few rows, and sort all of them.
const inPageOrder = "ORDER BY page"

// tableIn is what a list is read from in an order; without one, all of it is read.
func tableIn(table, order string) string {
	if order != "" {
		order = "ORDER BY " + order
	}
	return strings.ReplaceAll(table, inPageOrder, order)
}

// withColumns adds what the query reads of each row.
func (q *query[R]) withColumns(built *bun.SelectQuery) *bun.SelectQuery {
	if q.from.columns == "" {
		return built.ColumnExpr("?TableColumns")
	}
	return built.ColumnExpr(q.from.columns)
}

// numbered is a condition with the numbers of its arguments, from next on.
func numbered(one condition, next *int) string {
	var text strings.Builder
	rest := one.text
	for left := one.args; left > 0; {
		before, after, found := strings.Cut(rest, "$")
		if !found {
			break
		}
		text.WriteString(before)
		text.WriteString(placeholder(*next))
		if again, peeks := strings.CutPrefix(after, "^"); peeks {
			rest = again
			continue
		}
		rest, *next, left = after, *next+1, left-1
	}
	return text.String() + rest
}

// rowsText is the statement that reads all rows.
func (q *query[R]) rowsText(s *Store) string {
	return q.text(s, "rows", func(built *bun.SelectQuery) string { return q.withColumns(built).String() })
}

// rows reads all rows, on the pool or in a transaction.
func (q *query[R]) rows(ctx context.Context, s *Store, on conn) ([]R, error) {
	return rows[R](ctx, s, on, q.rowsText(s), q.args...)
}

// counted is rows of records that a caller asks for, see countedRows.
func (q *query[R]) counted(ctx context.Context, s *Store, on conn) ([]R, error) {
	return countedRows[R](ctx, s, on, q.rowsText(s), q.args...)
}

// first is rows for at most so many.
func (q *query[R]) first(ctx context.Context, s *Store, on conn, most int) ([]R, error) {
	text := q.text(s, "first", func(built *bun.SelectQuery) string {
		return q.withColumns(built).String() + " LIMIT " + placeholder(len(q.args)+1)
	})
	return rows[R](ctx, s, on, text, append(q.clone().args, most)...)
}

// row reads the one row that there is; none is NOT_FOUND of what was looked for.
func (q *query[R]) row(ctx context.Context, s *Store, on conn, what string) (R, error) {
	return row[R](ctx, s, on, what, q.rowsText(s), q.args...)
}

// count counts the rows.
func (q *query[R]) count(ctx context.Context, s *Store, on conn) (int, error) {
	type number struct{ Count int }
	text := q.text(s, "count", func(built *bun.SelectQuery) string { return built.ColumnExpr("count(*) AS count").String() })
	result, err := row[number](ctx, s, on, "count", text, q.args...)
	return result.Count, err
}

// lockRows locks the rows without reading any of them.
func (q *query[R]) lockRows(ctx context.Context, s *Store, on conn) error {
	text := q.text(s, "lock", func(built *bun.SelectQuery) string { return built.ColumnExpr("1").String() })
	_, err := exec(ctx, on, text, q.args...)
	return err
}

// exists reports whether there is a row.
func (q *query[R]) exists(ctx context.Context, s *Store, on conn) (bool, error) {
	type found struct{ Exists bool }
	text := q.text(s, "exists", func(built *bun.SelectQuery) string {
		return "SELECT EXISTS (" + built.ColumnExpr("1").String() + ") AS exists"
	})
	result, err := row[found](ctx, s, on, "row", text, q.args...)
	return result.Exists, err
}

// readOne reads one row as its record. Without a row it returns NOT_FOUND of what was looked for.
func readOne[R, T any](
	ctx context.Context, s *Store, on conn, q *query[R], what string, item func(R) (T, error),
) (T, error) {
	found, err := q.row(ctx, s, on, what)
	if err != nil {
		var none T
		return none, err
	}
	return item(found)
}

// readAll reads all rows as their records.
func readAll[R, T any](ctx context.Context, s *Store, on conn, q *query[R], item func(R) (T, error)) ([]T, error) {
	found, err := q.rows(ctx, s, on)
	if err != nil {
		return nil, err
	}
	return each(found, item)
}
