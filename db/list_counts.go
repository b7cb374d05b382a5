package db

import (
	"context"
)

// keptCount is the number of a list's rows as kept by the database (SQL-4, 0074_list_counts). The seller is the
// query's first argument.
type keptCount struct {
	// list is the table; empty if the number of rows is not kept.
	list string
	// scope is the expression for the access list whose entries are listed, or for the empty scope of all rows of a
	// seller.
	scope string
}

// wholeSeller is the scope of all of a seller's rows.
const wholeSeller = "''"

// kept returns the list with the kept count of its table, if the query has no conditions except those of its scope,
// such as the seller.
func (l listing[R, T]) kept(list, scope string, conditions int) listing[R, T] {
	if len(l.query.conditions) == conditions {
		l.count = keptCount{list, scope}
	}
	return l
}

// total returns the expression for the number of the list's rows. Both parts are read in one statement, and so at one
// time. Folded deltas are in the count only.
func (k keptCount) total() string {
	return `(coalesce((SELECT c.n FROM list_counts c WHERE c.seller_id = $1 AND c.list = '` + k.list + `' AND c.scope = ` + k.scope + `), 0)
		+ coalesce((SELECT sum(d.n) FROM list_count_deltas d
			WHERE d.seller_id = $1 AND d.list = '` + k.list + `' AND d.scope = ` + k.scope + `), 0))::bigint`
}

// totaled is a row of a page with the list's total.
type totaled[R any] struct {
	Row   R   `bun:"embed:"`
	Total int `bun:"list_total"`
}

// foldedAtOnce is the number of deltas that one statement adds to the counts, which takes some milliseconds.
const foldedAtOnce = 5000

// FoldListCounts adds deltas to the counts of lists and returns their number. Processes may run it concurrently: each
// takes deltas that no other is adding.
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
	// Deleted lists must not leave rows.
	_, err = exec(ctx, on.sql, `DELETE FROM list_counts WHERE n = 0 AND seller_id = ANY($1)`, found.Emptied)
	return found.Deltas, err
}
