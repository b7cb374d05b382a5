package db

import (
	"context"
	"slices"
	"sync"

	"github.com/uptrace/bun"

	"ticketgate/domain"
)

// placed is a row of a page, with its parent and its place within the page.
type placed[R any] struct {
	Row    R      `bun:"embed:"`
	Parent string `bun:"paged_parent"`
	Place  int    `bun:"paged_place"`
}

// within reads one page for each parent in one statement. condition relates rows to their parent, parent.id, as in
// "t.event_id = parent.id". It is empty if the source has only the parent's rows. The result has a list for every
// parent, even if it is empty.
func (l listing[R, T]) within(
	ctx context.Context, s *Store, condition string, parents []string, page domain.Page,
) (map[string]domain.List[T], error) {
	q, err := l.after(page)
	if err != nil {
		return nil, err
	}
	key := l.keyIn(page.Order)
	q.whereIf(condition != "", condition).orderBy(key)
	text := q.text(s, "within", func(built *bun.SelectQuery) string {
		child := q.withColumns(built).ColumnExpr("row_number() OVER (ORDER BY " + key + ") AS paged_place")
		return "SELECT parent.id AS paged_parent, child.* FROM unnest(" + placeholder(len(q.args)+1) + "::text[]) AS parent (id)" +
			" CROSS JOIN LATERAL (" + child.String() + " LIMIT " + placeholder(len(q.args)+2) + ") AS child" +
			" ORDER BY paged_parent, paged_place"
	})
	found, err := countedRows[placed[R]](ctx, s, s.sql, text, append(q.args, parents, page.Limit+1)...)
	if err != nil {
		return nil, err
	}
	totals := l.totalsWithin(s, condition, parents)
	lists := make(map[string]domain.List[T], len(parents))
	for _, parent := range parents {
		lists[parent] = domain.List[T]{Items: []T{}, Total: func(ctx context.Context) (int, error) { return totals(ctx, parent) }}
	}
	for _, row := range found {
		list := lists[row.Parent]
		if list.HasMore = row.Place > page.Limit; !list.HasMore {
			item, err := l.item(row.Row)
			if err != nil {
				return nil, err
			}
			list.Items = append(list.Items, item)
		}
		lists[row.Parent] = list
	}
	return lists, nil
}

// ofParent returns the condition that a column has the parent's id. If a leading filter is used, the condition is
// written so that no index serves it: the planner would expect few rows per parent, and read all rows of a large one.
func ofParent(column string, leading []filter) string {
	if slices.ContainsFunc(leading, func(f filter) bool { return f.used }) {
		return column + " IS NOT DISTINCT FROM parent.id"
	}
	return column + " = parent.id"
}

// byID converts rows to records and returns them by id.
func byID[R, T any](found []R, err error, item func(R) (T, error), id func(T) string) (map[string]T, error) {
	if err != nil {
		return nil, err
	}
	list, err := each(found, item)
	known := make(map[string]T, len(list))
	for _, elem := range list {
		known[id(elem)] = elem
	}
	return known, err
}

// totalsWithin returns a function that returns a parent's total. The first call counts the rows of all parents.
func (l listing[R, T]) totalsWithin(
	s *Store, condition string, parents []string,
) func(ctx context.Context, parent string) (int, error) {
	var once sync.Once
	var counts map[string]int
	var err error
	return func(ctx context.Context, parent string) (int, error) {
		once.Do(func() {
			if l.count.list != "" {
				counts, err = l.keptTotals(ctx, s, parents)
				return
			}
			counts, err = l.query.clone().whereIf(condition != "", condition).totals(ctx, s, parents)
		})
		return counts[parent], err
	}
}

// ofParents returns the statement that reads a number for each parent. number is its SQL expression. The parents are
// the last argument of the query.
func (q *query[R]) ofParents(number string) string {
	return "SELECT parent.id AS parent, (" + number + ") AS count FROM unnest(" + placeholder(len(q.args)+1) + "::text[]) AS parent (id)"
}

// totals counts the rows of each parent.
func (q *query[R]) totals(ctx context.Context, s *Store, parents []string) (map[string]int, error) {
	return q.numbers(ctx, s, q.text(s, "totals", func(built *bun.SelectQuery) string {
		return q.ofParents(built.ColumnExpr("count(*)").String())
	}), parents)
}

// keptTotals returns the total of each parent that the database maintains.
func (l listing[R, T]) keptTotals(ctx context.Context, s *Store, parents []string) (map[string]int, error) {
	return l.query.numbers(ctx, s, l.query.text(s, "kept totals", func(*bun.SelectQuery) string {
		return l.query.ofParents(l.count.total())
	}), parents)
}

// numbers runs a statement of ofParents.
func (q *query[R]) numbers(ctx context.Context, s *Store, text string, parents []string) (map[string]int, error) {
	type number struct {
		Parent string
		Count  int
	}
	found, err := rows[number](ctx, s, s.sql, text, append(q.clone().args, parents)...)
	counts := make(map[string]int, len(found))
	for _, item := range found {
		counts[item.Parent] = item.Count
	}
	return counts, err
}
