package db

import (
	"context"
)

// keptCount is the count of a list's rows that the database keeps (0074_list_counts). The seller is the query's first argument.
type keptCount struct {
	// list is the table. Lists whose number of rows is not kept have none.
	list string
	// scope is the expression for the access list whose entries are listed, or for the empty scope of a seller's rows.
	scope string
}

// wholeSeller is the scope of all of a seller's rows.
const wholeSeller = "''"

// kept is the list with the kept count of its table, if the only conditions are those of its scope, such as that of the seller.
func (l listing[R, T]) kept(list, scope string, conditions int) listing[R, T] {
	if len(l.query.conditions) == conditions {
		l.count = keptCount{list, scope}
	}
	return l
}

// total is the expression for the count of the query's list. Both parts are of one statement, and so of one moment: what has been
// folded is in the count alone.
func (k keptCount) total() string {
	return `(coalesce((SELECT c.n FROM list_counts c WHERE c.seller_id = $1 AND c.list = '` + k.list + `' AND c.scope = ` + k.scope + `), 0)
		+ coalesce((SELECT sum(d.n) FROM list_count_deltas d
			WHERE d.seller_id = $1 AND d.list = '` + k.list + `' AND d.scope = ` + k.scope + `), 0))::bigint`
}

// totaled is a row of a page with the total of its list.
type totaled[R any] struct {
	Row   R   `bun:"embed:"`
	Total int `bun:"list_total"`
}

// foldedAtOnce is how many deltas are added to the counts in one statement, which takes some milliseconds.
const foldedAtOnce = 5000

// FoldListCounts adds deltas to the counts of lists, and returns how many. Processes may do it at the same time: each takes deltas
// that no other is adding.
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
	// A list that was deleted must not leave a row.
	_, err = exec(ctx, on.sql, `DELETE FROM list_counts WHERE n = 0 AND seller_id = ANY($1)`, found.Emptied)
	return found.Deltas, err
}
