package db

import (
	"context"

	"ticketgate/domain"
)

// selectNames selects the current names of users, keys and devices by id, for a whole page in one statement. It is
// limited to those within reach.
const selectNames = `
	SELECT 'USER' AS kind, u.id, u.email AS name FROM users u WHERE u.id = ANY($1) AND (u.id = $5 OR EXISTS (
		SELECT FROM memberships m WHERE m.user_id = u.id AND (m.seller_id = $3 OR m.organization_id = $4)))
	UNION ALL
	SELECT CASE WHEN k.seller_id IS NULL THEN 'ORGANIZATION_KEY' ELSE 'API_KEY' END, k.id, k.name
		FROM api_keys k WHERE k.id = ANY($1) AND (k.seller_id = $2 OR k.organization_id = $4)
	UNION ALL
	SELECT 'DEVICE', d.id, d.name FROM devices d WHERE d.id = ANY($1) AND d.seller_id = $2`

// named identifies an actor: its kind as in the audit log, and its id.
type named struct {
	Kind string
	ID   string
}

// names returns the current names of actors. It leaves out those that were deleted or are out of reach.
func (s *Store) names(ctx context.Context, reach domain.NameReach, ids []string) (map[named]string, error) {
	type nameRow struct {
		Kind string `bun:"kind"`
		ID   string `bun:"id"`
		Name string `bun:"name"`
	}
	names := make(map[named]string, len(ids))
	if len(ids) == 0 {
		return names, nil
	}
	found, err := rows[nameRow](ctx, s, s.sql, selectNames,
		ids, string(reach.SellerID), string(reach.MembersOf), string(reach.OrgID), reach.UserID)
	if err != nil {
		return nil, err
	}
	for _, r := range found {
		names[named{Kind: r.Kind, ID: r.ID}] = r.Name
	}
	return names, nil
}
