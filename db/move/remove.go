package move

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

const (
	// removedAtOnce is the number of rows that one statement deletes.
	removedAtOnce = 5000
	// requestBound is the maximum duration of a request that was admitted before the fence. Until then, its writes must
	// be refused.
	requestBound = 150 * time.Second
)

// enqueuePending creates the jobs of pending deliveries on the cluster that now serves the seller.
func (m *mover) enqueuePending(ctx context.Context) error {
	rows, err := m.to.Query(ctx, `WITH waiting (id, webhook_id, hand_over, state, requested, at) AS (
			SELECT id::text, webhook_id, false, state, retry_requested, coalesce(next_attempt_at, created_at)
			FROM deliveries WHERE seller_id = $1 AND (state = 'pending' OR retry_requested)
			UNION ALL SELECT invoice_id, '', true, state, retry_requested, coalesce(next_attempt_at, created_at)
			FROM hand_overs WHERE seller_id = $1 AND (state = 'pending' OR retry_requested)
		) SELECT id, webhook_id, hand_over, false, at FROM waiting WHERE state = 'pending'
		UNION ALL SELECT id, webhook_id, hand_over, true, at FROM waiting WHERE requested`, m.Seller)
	if err != nil {
		return err
	}
	var pending []Pending
	for rows.Next() {
		var p Pending
		if err := rows.Scan(&p.ID, &p.WebhookID, &p.HandOver, &p.ByHand, &p.At); err != nil {
			return err
		}
		pending = append(pending, p)
	}
	if err := rows.Err(); err != nil || len(pending) == 0 {
		return err
	}
	m.Say("%d pending deliveries continue at cluster %s", len(pending), m.To.Name)
	for part := range slices.Chunk(pending, removedAtOnce) {
		if err := m.Wake(ctx, part); err != nil {
			return err
		}
	}
	return nil
}

// remove deletes the seller's rows from the cluster that the seller has left. Accounts are not deleted.
func (m *mover) remove(ctx context.Context) error {
	if err := m.findWebhooks(ctx); err != nil {
		return err
	}
	m.feed = -1
	removed := int64(0)
	for _, step := range m.removals() {
		for {
			done, err := m.from.Exec(ctx, step)
			if err != nil {
				return fmt.Errorf("%s: %w", step, err)
			}
			if removed += done.RowsAffected(); done.RowsAffected() < removedAtOnce {
				break
			}
		}
	}
	m.Say("%d rows removed from cluster %s", removed, m.From.Name)
	return m.unguard(ctx)
}

// removals returns statements to repeat until they delete few rows. Tables whose rows are found through other tables
// come first.
func (m *mover) removals() []string {
	var steps []string
	add := func(t table, condition string) {
		key := "(" + strings.Join(t.key, ", ") + ")"
		steps = append(steps, fmt.Sprintf("DELETE FROM %[1]s WHERE %[2]s IN (SELECT %[3]s FROM %[1]s t WHERE %[4]s LIMIT %[5]d)",
			t.name, key, strings.Join(t.key, ", "), condition, removedAtOnce))
	}
	add(named(m.tables, "set_aside"), ofWebhooks)
	for _, c := range copies {
		if c.name != "sellers" {
			add(named(m.tables, c.name), m.filled(c.rows))
		}
	}
	for _, t := range m.tables {
		counts := t.name == "list_counts" || t.name == "list_count_deltas"
		if t.isReplicated() || counts {
			add(t, "t.seller_id = '"+m.Seller+"'")
		}
	}
	return steps
}

// unguard drops the seller's triggers once no request that started before the fence can be running.
func (m *mover) unguard(ctx context.Context) error {
	var since float64
	const age = "SELECT extract(epoch FROM clock_timestamp() - changed_at) FROM seller_moves WHERE seller_id = $1"
	err := m.from.QueryRow(ctx, age, m.Seller).Scan(&since)
	if err != nil {
		return err
	}
	if left := requestBound - time.Duration(since*float64(time.Second)); left > 0 {
		if err := pause(ctx, left); err != nil {
			return err
		}
	}
	guards, err := m.guards(ctx)
	if err != nil {
		return err
	}
	for name := range guards {
		for _, suffix := range []string{"_r", "_w"} {
			if err := patiently(ctx, m.from, "DROP TRIGGER IF EXISTS "+m.name+suffix+" ON "+name); err != nil {
				return err
			}
		}
	}
	return nil
}
