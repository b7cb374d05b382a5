package db

import (
	"context"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/uptrace/bun"

	"ticketgate/domain/ids"
)

// source is where rows of type R are read from. The default is the table of the model R. Its columns are listed by
// name, so that columns added by later versions do no harm. The texts of its queries are built once by bun and kept,
// and pgx keeps the statements prepared.
type source[R any] struct {
	// columns replaces the columns of the model, ?TableColumns.
	columns string
	// table replaces the table of the model.
	table string
	// distinct has expressions for DISTINCT ON: of the rows with equal values, only the first in the query's order is
	// read.
	distinct string
	// group has the expressions of GROUP BY.
	group string
	// joins follow the table. They include the keyword, as in "LEFT JOIN device_uses u ON u.device_id = d.id".
	joins []string

	texts textCache
}

// maxCached is the maximum number of texts kept per source. Beyond that, texts of unusual combinations of filters are
// built each time.
const maxCached = 256

// textCache has the texts of statements that bun has built, by shape.
type textCache struct {
	texts sync.Map
	kept  atomic.Int32
}

// of returns the text of a shape. It calls build if the text is not kept.
func (k *textCache) of(shape any, build func() string) string {
	if kept, ok := k.texts.Load(shape); ok {
		if text, ok := kept.(string); ok {
			return text
		}
	}
	text := build()
	if k.kept.Load() < maxCached {
		if _, there := k.texts.LoadOrStore(shape, text); !there {
			k.kept.Add(1)
		}
	}
	return text
}

// query is a SELECT under construction: a source, conditions with their arguments, an order and a lock. Values must be
// arguments. Anything that becomes part of the text must have few possible values.
type query[R any] struct {
	from       *source[R]
	conditions []condition
	args       []any
	order      string
	lock       string
	// sets are the assignments of an UPDATE. They have arguments of their own.
	sets    []condition
	setArgs []any
}

// condition is a SQL condition. Each $ is its next argument, and $^ is the argument of the next $. A numbered
// placeholder such as $1 is an argument of the whole query.
type condition struct {
	text string
	args int
}

// usual is the capacity for conditions and arguments that suffices for most queries.
const usual = 4

// all selects every row of the source.
func (from *source[R]) all() *query[R] {
	return &query[R]{from: from, conditions: make([]condition, 0, usual), args: make([]any, 0, usual)}
}

// of selects the rows of a seller.
func (from *source[R]) of(seller ids.Seller) *query[R] {
	return from.where("?TableAlias.seller_id = $", string(seller))
}

// where selects the rows that meet a condition. Each $ is the next argument.
func (from *source[R]) where(condition string, args ...any) *query[R] {
	return from.all().where(condition, args...)
}

// where adds a condition. Each $ is the next argument.
func (q *query[R]) where(text string, args ...any) *query[R] {
	q.conditions = append(q.conditions, condition{text, len(args)})
	q.args = append(q.args, args...)
	return q
}

// withID adds the condition that the row has the id.
func (q *query[R]) withID(id string) *query[R] { return q.where("?TableAlias.id = $", id) }

// withIDs adds the condition that the row has one of the ids.
func (q *query[R]) withIDs(ids []string) *query[R] { return q.where("?TableAlias.id = ANY($)", ids) }

// whereIf adds the condition only if used is set.
func (q *query[R]) whereIf(used bool, condition string, args ...any) *query[R] {
	if used {
		q.where(condition, args...)
	}
	return q
}

// orderBy sets the order of the rows.
func (q *query[R]) orderBy(order string) *query[R] {
	q.order = order
	return q
}

// forUpdate locks the rows. lock is the strength and optionally the table, such as "NO KEY UPDATE OF d". If empty, no
// row is locked.
func (q *query[R]) forUpdate(lock string) *query[R] {
	q.lock = lock
	return q
}

// clone returns a copy of the query. Changes of the copy don't affect the original.
func (q *query[R]) clone() *query[R] {
	other := *q
	other.conditions = append([]condition(nil), q.conditions...)
	other.args = append([]any(nil), q.args...)
	return &other
}

// text returns the statement that bun builds for the query. kind identifies what finish adds to it, and is part of the
// shape.
func (q *query[R]) text(s *Store, kind string, finish func(*bun.SelectQuery) string) string {
	size := len(kind) + len(q.order) + len(q.lock) + len("\x00\x00\x00")
	for i := range q.conditions {
		size += len(q.conditions[i].text) + len("\x00")
	}
	var shape strings.Builder
	shape.Grow(size)
	for _, part := range [...]string{kind, q.order, q.lock} {
		shape.WriteString(part)
		shape.WriteByte(0)
	}
	for _, item := range q.conditions {
		shape.WriteString(item.text)
		shape.WriteByte(0)
	}
	return q.from.texts.of(shape.String(), func() string { return finish(q.build(s)) })
}

// build returns the query without its columns.
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
	for _, item := range q.conditions {
		built.Where(numbered(item, &next))
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

// inPageOrder ends each SELECT of a UNION ALL from which a list is read. The server then merges the rows along indexes
// in the order of the page, and stops early. Otherwise the planner would expect few rows and sort all of them.
const inPageOrder = "ORDER BY page"

// tableIn returns the table expression of a list with its order filled in.
func tableIn(table, order string) string {
	if order != "" {
		order = "ORDER BY " + order
	}
	return strings.ReplaceAll(table, inPageOrder, order)
}

// withColumns adds the columns to read.
func (q *query[R]) withColumns(built *bun.SelectQuery) *bun.SelectQuery {
	if q.from.columns == "" {
		return built.ColumnExpr("?TableColumns")
	}
	return built.ColumnExpr(q.from.columns)
}

// numbered returns the text of a condition with its arguments numbered from next.
func numbered(item condition, next *int) string {
	var text strings.Builder
	rest := item.text
	for left := item.args; left > 0; {
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

// rowsText returns the statement that reads all rows of the query.
func (q *query[R]) rowsText(s *Store) string {
	return q.text(s, "rows", func(built *bun.SelectQuery) string { return q.withColumns(built).String() })
}

// rows reads all rows of the query, on the pool or in a transaction.
func (q *query[R]) rows(ctx context.Context, s *Store, on conn) ([]R, error) {
	return rows[R](ctx, s, on, q.rowsText(s), q.args...)
}

// lockedByIDs reads rows by id and locks them in the order of the ids. It looks up each id separately. With a list of
// ids, a plan made while the table was small would read all rows of the seller.
func (q *query[R]) lockedByIDs(ctx context.Context, s *Store, on conn, ids []string) ([]R, error) {
	ordered := slices.Compact(slices.Sorted(slices.Values(ids)))
	return rows[R](ctx, s, on, q.lockedText(s), append(q.args, ordered)...)
}

// lockedText returns the statement of lockedByIDs.
func (q *query[R]) lockedText(s *Store) string {
	q.where("?TableAlias.id = wanted.id").forUpdate("NO KEY UPDATE")
	return q.text(s, "locked", func(built *bun.SelectQuery) string {
		return "SELECT found.* FROM unnest(" + placeholder(len(q.args)+1) + "::text[]) AS wanted (id)" +
			" CROSS JOIN LATERAL (" + q.withColumns(built).String() + ") AS found"
	})
}

// counted is like rows, but uses countedRows, for records that a caller requested.
func (q *query[R]) counted(ctx context.Context, s *Store, on conn) ([]R, error) {
	return countedRows[R](ctx, s, on, q.rowsText(s), q.args...)
}

// first reads up to most rows of the query.
func (q *query[R]) first(ctx context.Context, s *Store, on conn, most int) ([]R, error) {
	text := q.text(s, "first", func(built *bun.SelectQuery) string {
		return q.withColumns(built).String() + " LIMIT " + placeholder(len(q.args)+1)
	})
	return rows[R](ctx, s, on, text, append(q.clone().args, most)...)
}

// row reads a single row. It returns NotFound(what) if there is none.
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

// lockRows locks the rows without reading them.
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

// readOne reads a single row and converts it with item. It returns NotFound(what) if there is none.
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

// readAll reads all rows and converts them with item.
func readAll[R, T any](ctx context.Context, s *Store, on conn, q *query[R], item func(R) (T, error)) ([]T, error) {
	found, err := q.rows(ctx, s, on)
	if err != nil {
		return nil, err
	}
	return each(found, item)
}
