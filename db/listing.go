package db

import (
	"context"
	"strings"

	"github.com/uptrace/bun"

	"ticketgate/domain"
)

// contains returns the LIKE pattern for a substring, with %, _ and \ escaped.
func contains(text string) string {
	return "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(text) + "%"
}

// listing is a list of records that can be read as a REST page or as a GraphQL connection.
type listing[R, T any] struct {
	query *query[R]
	id    string             // the column of _id, such as "k.id"
	item  func(R) (T, error) // converts a row to the domain type
	// created is the column of createdAt, by which the list is ordered before _id. If empty, the list is ordered by _id
	// alone. That is correct for records that are never imported with an _id of their own.
	created string
	// count is the count that the database maintains for the list, if any.
	count keptCount
}

// key returns the list's ORDER BY expression for the direction "" or " DESC". All columns have the same direction, so
// that one index serves both.
func (l listing[R, T]) key(direction string) string {
	if l.created == "" {
		return l.id + direction
	}
	return l.created + direction + ", " + l.id + direction
}

// keyIn returns key for an order.
func (l listing[R, T]) keyIn(order domain.ListOrder) string {
	if order == domain.NewestFirst {
		return l.key(" DESC")
	}
	return l.key("")
}

// after returns the query for the rows after the page's cursor.
func (l listing[R, T]) after(page domain.Page) (*query[R], error) {
	q, behind := l.query.clone(), " > "
	if page.Order == domain.NewestFirst {
		behind = " < "
	}
	switch {
	case page.After == nil:
	case l.created == "":
		q.where(l.id+behind+"$", page.After.ID)
	case page.After.CreatedAt == nil:
		return nil, domain.Invalid("after", domain.NotACursor)
	default:
		q.where("("+l.key("")+")"+behind+"($, $)", page.After.CreatedAt.Time, page.After.ID)
	}
	return q, nil
}

// page reads one page of the list, and one more row to find out whether there are more.
func (l listing[R, T]) page(ctx context.Context, s *Store, page domain.Page) (domain.List[T], error) {
	q, err := l.after(page)
	if err != nil {
		return domain.List[T]{}, err
	}
	q.orderBy(l.keyIn(page.Order))
	// The total counts all matching rows, regardless of the cursor.
	list := domain.List[T]{Total: func(ctx context.Context) (int, error) { return l.total(ctx, s) }}
	var found []R
	if page.Total && l.count.list != "" {
		found, err = l.totaledRows(ctx, s, q, page, &list)
	} else {
		found, err = countedRows[R](ctx, s, s.sql, q.pageText(s, "page", ""), append(q.args, page.Limit+1, page.Skip)...)
	}
	if err != nil {
		return domain.List[T]{}, err
	}
	if len(found) > page.Limit {
		found, list.HasMore = found[:page.Limit], true
	}
	list.Items, err = each(found, l.item)
	return list, err
}

// totaledRows reads a page together with the total of the list. A page without rows has no total.
func (l listing[R, T]) totaledRows(
	ctx context.Context, s *Store, q *query[R], page domain.Page, list *domain.List[T],
) ([]R, error) {
	text := q.pageText(s, "page with total", l.count.total()+" AS list_total")
	found, err := countedRows[totaled[R]](ctx, s, s.sql, text, append(q.args, page.Limit+1, page.Skip)...)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	total, rows := found[0].Total, make([]R, len(found))
	for i := range found {
		rows[i] = found[i].Row
	}
	list.Total = func(context.Context) (int, error) { return total, nil }
	return rows, nil
}

// pageText returns the statement for a page. Its last arguments are the limit and the offset. column is an additional
// column to read, if not empty.
func (q *query[R]) pageText(s *Store, kind, column string) string {
	return q.text(s, kind, func(built *bun.SelectQuery) string {
		built = q.withColumns(built)
		if column != "" {
			built = built.ColumnExpr(column)
		}
		return built.String() + " LIMIT " + placeholder(len(q.args)+1) + " OFFSET " + placeholder(len(q.args)+2)
	})
}

// total returns the number of all rows of the list.
func (l listing[R, T]) total(ctx context.Context, s *Store) (int, error) {
	if l.count.list == "" {
		return l.query.count(ctx, s, s.sql)
	}
	type number struct{ Count int }
	text := l.query.text(s, "kept count", func(*bun.SelectQuery) string { return "SELECT " + l.count.total() + " AS count" })
	found, err := row[number](ctx, s, s.sql, "count", text, l.query.args...)
	return found.Count, err
}

// each converts rows to domain values.
func each[R, T any](found []R, item func(R) (T, error)) ([]T, error) {
	items := make([]T, 0, len(found))
	for _, r := range found {
		elem, err := item(r)
		if err != nil {
			return nil, err
		}
		items = append(items, elem)
	}
	return items, nil
}
