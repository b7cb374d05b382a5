package db

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"

	"ticketgate/domain"
)

// placed is a row of a page within a parent.
type placed[R any] struct {
	Row    R      `bun:"embed:"`
	Parent string `bun:"paged_parent"`
	Place  int    `bun:"paged_place"`
}

// AfterScanRow is called by bun, as that of counted is.
func (p *placed[R]) AfterScanRow(ctx context.Context) error { return countRead(ctx, &p.Row) }

// inPageOrder ends each SELECT of a UNION ALL that a list is read from. The server then merges what it reads in the order of the page
// along an index, and stops; else it would expect few rows, and sort all of them.
const inPageOrder = "ORDER BY page"

// withoutOrder returns what a list is read from, for a statement that reads all of it.
func withoutOrder(from string) string { return strings.ReplaceAll(from, inPageOrder, "") }

// within reads a page of each parent in one statement. The condition says which rows are a parent's, and names it as parent.id:
// "t.event_id = parent.id". It is empty where the query selects from the parent's rows already. Every parent has a list, though it
// be empty.
func (l listing[R, T]) within(
	ctx context.Context, s *Store, condition string, parents []string, page domain.Page,
) (map[string]domain.List[T], error) {
	q := *l.query
	if err := l.after(&q, page); err != nil {
		return nil, err
	}
	q = q.withinParent(condition)
	key := l.keyIn(page.Order)
	from := strings.ReplaceAll(q.from, inPageOrder, "ORDER BY "+key)
	args := append(append([]any(nil), q.args...), parents, page.Limit+1)
	text := "SELECT parent.id AS paged_parent, child.* FROM unnest($" + strconv.Itoa(len(args)-1) + "::text[]) AS parent (id)" +
		" CROSS JOIN LATERAL (SELECT " + q.columns + ", row_number() OVER (ORDER BY " + key + ") AS paged_place FROM " + from +
		q.conditionText() + " ORDER BY " + key + " LIMIT $" + strconv.Itoa(len(args)) + ") AS child ORDER BY paged_parent, paged_place"
	found, err := boundedRows[placed[R]](ctx, s, text, args...)
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

// withinParent returns the query with the condition that ties its rows to their parent.
func (q query) withinParent(condition string) query {
	if condition != "" {
		q.conditions = append(slices.Clip(q.conditions), condition)
	}
	return q
}

// byID is the rows that a statement has found, by the id of what they stand for.
func byID[R, T any](found []R, err error, item func(R) (T, error), id func(T) string) (map[string]T, error) {
	if err != nil {
		return nil, err
	}
	list, err := each(found, item)
	known := make(map[string]T, len(list))
	for _, one := range list {
		known[id(one)] = one
	}
	return known, err
}

// totalsWithin counts the rows of all parents when the first is asked for.
func (l listing[R, T]) totalsWithin(
	s *Store, condition string, parents []string,
) func(ctx context.Context, parent string) (int, error) {
	var once sync.Once
	var counts map[string]int
	var err error
	return func(ctx context.Context, parent string) (int, error) {
		once.Do(func() { counts, err = l.query.totals(ctx, s, condition, parents) })
		return counts[parent], err
	}
}

// totals counts the rows of each parent.
func (q query) totals(ctx context.Context, s *Store, condition string, parents []string) (map[string]int, error) {
	type number struct {
		Parent string
		Count  int
	}
	q = q.withinParent(condition)
	args := append(append([]any(nil), q.args...), parents)
	found, err := rows[number](ctx, s, s.sql, "SELECT parent.id AS parent, (SELECT count(*) FROM "+withoutOrder(q.from)+q.conditionText()+
		") AS count FROM unnest($"+strconv.Itoa(len(args))+"::text[]) AS parent (id)", args...)
	counts := make(map[string]int, len(found))
	for _, one := range found {
		counts[one.Parent] = one.Count
	}
	return counts, err
}
