package db

import (
	"context"

	"ticketgate/domain/ids"
)

// The largest counts among the places of ticket t. With EXISTS, the planner would read all places of the seller.
const (
	ticketCheckins = "(SELECT coalesce(max(checkins), 0) FROM scan_places WHERE seller_id = t.seller_id AND ticket_id = t.id)"
	ticketInside   = "(SELECT coalesce(max(inside), 0) FROM scan_places WHERE seller_id = t.seller_id AND ticket_id = t.id)"
)

// SoldOfTypes counts the VALID tickets of each ticket type.
func (s ticketStore) SoldOfTypes(ctx context.Context, seller ids.Seller, types []string) (map[string]int, error) {
	return s.countsOfTypes(ctx, `SELECT type.id, (SELECT count(*) FROM tickets t WHERE t.seller_id = $1 AND t.ticket_type_id = type.id
			AND t.status = 'VALID') AS count
		FROM unnest($2::text[]) AS type (id)`, seller, types)
}

// CheckedInOfTypes counts the VALID tickets of each ticket type that have a check-in.
func (s scanStore) CheckedInOfTypes(ctx context.Context, seller ids.Seller, types []string) (map[string]int, error) {
	return s.countsOfTypes(ctx, `SELECT type.id, (SELECT count(*) FROM tickets t WHERE t.seller_id = $1 AND t.ticket_type_id = type.id
			AND t.status = 'VALID' AND `+ticketCheckins+` > 0) AS count
		FROM unnest($2::text[]) AS type (id)`, seller, types)
}

// InsideOfTypes counts the VALID tickets of each ticket type that are inside a zone of any event.
func (s scanStore) InsideOfTypes(ctx context.Context, seller ids.Seller, types []string) (map[string]int, error) {
	return s.countsOfTypes(ctx, `SELECT type.id, (SELECT count(*) FROM tickets t WHERE t.seller_id = $1 AND t.ticket_type_id = type.id
			AND t.status = 'VALID' AND `+ticketInside+` > 0) AS count
		FROM unnest($2::text[]) AS type (id)`, seller, types)
}

func (s *Store) countsOfTypes(
	ctx context.Context, statement string, seller ids.Seller, types []string,
) (map[string]int, error) {
	type countedRow struct {
		ID    string
		Count int
	}
	found, err := rows[countedRow](ctx, s, s.sql, statement, string(seller), types)
	counts := make(map[string]int, len(found))
	for _, item := range found {
		counts[item.ID] = item.Count
	}
	return counts, err
}
