package db

import (
	"context"
)

// keptCount identifies a number of rows that the database maintains for a list (SQL-4, migration 0074_list_counts). The
// seller is the query's first argument.
type keptCount struct {
	// list is the name of the table. It is empty if the list has no such count.
	list string
	// scope is the SQL expression of the access list whose entries are counted, or wholeSeller.
	scope string
}

// wholeSeller is the scope of counts of all of a seller's rows.
const wholeSeller = "''"

// kept returns the list with the count of its table, if the query has no conditions apart from those of the scope.
func (l listing[R, T]) kept(list, scope string, conditions int) listing[R, T] {
	if len(l.query.conditions) == conditions {
		l.count = keptCount{list, scope}
	}
	return l
}

// total returns a SQL expression for the number of the list's rows: the count and the deltas that were not added to it
// yet. Both are read in one statement and therefore at the same time.
func (k keptCount) total() string {
	return `(coalesce((SELECT c.n FROM list_counts c WHERE c.seller_id = $1 AND c.list = '` + k.list + `' AND c.scope = ` + k.scope + `), 0)
		+ coalesce((SELECT sum(d.n) FROM list_count_deltas d
			WHERE d.seller_id = $1 AND d.list = '` + k.list + `' AND d.scope = ` + k.scope + `), 0))::bigint`
}

// totaled is a row of a page, with the total of the list.
type totaled[R any] struct {
	Row   R   `bun:"embed:"`
	Total int `bun:"list_total"`
}

// foldedAtOnce is the number of deltas that one statement adds to the counts. It takes a few milliseconds.
const foldedAtOnce = 5000

// FoldListCounts adds deltas to the counts of lists and returns the number of deltas. Several processes may run it at
// the same time. Each handles deltas that no other is handling.
func (s *Store) FoldListCounts(ctx context.Context) (int, error) {
	type foldedRow struct {
		Deltas  int
		Emptied []string `bun:",array"`
	}
	on := s.recording
	found, err := row[foldedRow](ctx, on, on.sql, "count", `WITH due AS (
			SELECT seller_id, list, scope, id FROM list_count_deltas ORDER BY seller_id, list, scope, id LIMIT $1 FOR UPDATE SKIP LOCKED
		), taken AS (
			DELETE FROM list_count_deltas d USING due
			WHERE d.seller_id = due.seller_id AND d.list = due.list AND d.scope = due.scope AND d.id = due.id
			RETURNING d.seller_id, d.list, d.scope, d.n
		), folded AS (
			INSERT INTO list_counts AS c (seller_id, list, scope, n)
			SELECT seller_id, list, scope, sum(n) FROM taken GROUP BY seller_id, list, scope ORDER BY seller_id, list, scope
			ON CONFLICT (seller_id, list, scope) DO UPDATE SET n = c.n + excluded.n
			RETURNING c.seller_id, c.n
		)
		SELECT (SELECT count(*) FROM taken) AS deltas,
			ARRAY(SELECT DISTINCT seller_id FROM folded WHERE n = 0) AS emptied`, foldedAtOnce)
	if err != nil || len(found.Emptied) == 0 {
		return found.Deltas, err
	}
	// Lists that were deleted must not leave rows.
	_, err = exec(ctx, on.sql, `DELETE FROM list_counts WHERE n = 0 AND seller_id = ANY($1)`, found.Emptied)
	return found.Deltas, err
}
