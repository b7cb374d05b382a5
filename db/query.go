package db

import (
	"context"
	"strconv"
	"strings"

	"ticketgate/domain"
)

// query is a SELECT under construction: fixed text, conditions, arguments. The set of texts stays small, so
// that the server's prepared statements do.
type query struct {
	columns    string
	from       string
	conditions []string
	args       []any
}

// selectFrom begins a query, such as selectFrom("k.*", "api_keys k"). What it selects from may have arguments, from $1 on.
func selectFrom(columns, from string, args ...any) *query {
	return &query{columns: columns, from: from, args: args}
}

// where adds a condition; each $ in it stands for the next argument.
func (q *query) where(condition string, args ...any) *query {
	for _, arg := range args {
		q.args = append(q.args, arg)
		condition = strings.Replace(condition, "$", "\x00"+strconv.Itoa(len(q.args)), 1)
	}
	q.conditions = append(q.conditions, strings.ReplaceAll(condition, "\x00", "$"))
	return q
}

// whereIf adds a condition only when the filter is used.
func (q *query) whereIf(used bool, condition string, args ...any) *query {
	if used {
		q.where(condition, args...)
	}
	return q
}

// whereIn adds a condition that a column has one of the values, if there are any.
func whereIn[T ~string](q *query, column string, values []T) {
	q.whereIf(len(values) > 0, column+" = ANY($)", plain(values))
}

func (q *query) conditionText() string {
	if len(q.conditions) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(q.conditions, " AND ")
}

// contains is the argument for LIKE that finds text anywhere: %, _ and \ stand for themselves.
func contains(text string) string {
	return "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(text) + "%"
}

// listing is a list in either shape of page (decisions 3.2).
type listing[R, T any] struct {
	query *query
	id    string             // the column of _id, such as "k.id"
	item  func(R) (T, error) // from row to domain
	// created is the column of createdAt, for what may be imported under an _id of its own: the list is ordered by it
	// first. Empty orders by _id alone.
	created string
}

// key is what the list is ordered by, in the direction "" or " DESC": all of its columns in the same one, so that the index
// of the one order is read backwards for the other.
func (l listing[R, T]) key(direction string) string {
	if l.created == "" {
		return l.id + direction
	}
	return l.created + direction + ", " + l.id + direction
}

// keyIn is the key in the direction of an order.
func (l listing[R, T]) keyIn(order domain.ListOrder) string {
	if order == domain.NewestFirst {
		return l.key(" DESC")
	}
	return l.key("")
}

// after adds the condition that a row comes behind the page's cursor.
func (l listing[R, T]) after(q *query, page domain.Page) error {
	behind := " > "
	if page.Order == domain.NewestFirst {
		behind = " < "
	}
	switch {
	case page.After == nil:
	case l.created == "":
		q.where(l.id+behind+"$", page.After.ID)
	case page.After.CreatedAt == nil:
		return domain.Invalid("after", domain.NotACursor)
	default:
		q.where("("+l.key("")+")"+behind+"($, $)", page.After.CreatedAt.Time, page.After.ID)
	}
	return nil
}

// page reads one page and one row more, which tells whether there are more.
func (l listing[R, T]) page(ctx context.Context, s *Store, page domain.Page) (domain.List[T], error) {
	count := *l.query // without the cursor: total counts all that match
	q := *l.query
	if err := l.after(&q, page); err != nil {
		return domain.List[T]{}, err
	}
	args := append(append([]any(nil), q.args...), page.Limit+1, page.Skip)
	text := "SELECT " + q.columns + " FROM " + q.from + q.conditionText() + " ORDER BY " + l.keyIn(page.Order) +
		" LIMIT $" + strconv.Itoa(len(args)-1) + " OFFSET $" + strconv.Itoa(len(args))
	found, err := countedRows[R](ctx, s, s.sql, text, args...)
	if err != nil {
		return domain.List[T]{}, err
	}
	list := domain.List[T]{Total: func(ctx context.Context) (int, error) { return count.total(ctx, s) }}
	if len(found) > page.Limit {
		found, list.HasMore = found[:page.Limit], true
	}
	list.Items, err = each(found, l.item)
	return list, err
}

// total counts all rows that match.
func (q *query) total(ctx context.Context, s *Store) (int, error) {
	type number struct{ Count int }
	result, err := row[number](ctx, s, s.sql, "count", "SELECT count(*) AS count FROM "+q.from+q.conditionText(), q.args...)
	return result.Count, err
}

// each turns rows into what they stand for.
func each[R, T any](found []R, item func(R) (T, error)) ([]T, error) {
	items := make([]T, 0, len(found))
	for _, r := range found {
		one, err := item(r)
		if err != nil {
			return nil, err
		}
		items = append(items, one)
	}
	return items, nil
}
