package db

import (
	"cmp"
	"context"
	"slices"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/apikey"
	"ticketgate/domain/moment"
)

// usageRow is one of three things, as Part says: a key, its calls with one status on one day, or a permission that its
// calls needed.
type usageRow struct {
	KeyID      string            `bun:"key_id"`
	Part       string            `bun:"part"`
	At         time.Time         `bun:"at"`
	Status     int               `bun:"status"`
	Permission domain.Permission `bun:"permission"`
	Granted    bool              `bun:"granted"`
	Calls      int               `bun:"calls"`
}

// Values of usageRow.Part.
const (
	usedKey   = "key"
	callsPart = "calls"
	needsPart = "needs"
)

// usageKeysInReach is the condition of keysWithin, with the argument numbers of UsageOf.
const usageKeysInReach = "(k.seller_id = $2 OR k.organization_id = ANY($3) OR ($4 AND k.organization_id IS NOT NULL))"

// UsageOf returns the calls of keys within reach since a day, and the permissions that they have ever needed. If
// permission is set, only that permission is included.
func (s apiKeyStore) UsageOf(
	ctx context.Context, reach apikey.Reach, ids []string, since time.Time, permission domain.Permission,
) (map[string]apikey.Usage, error) {
	found, err := rows[usageRow](ctx, s.Store, s.sql, `SELECT k.id AS key_id, '`+usedKey+`' AS part, k.created_at AS at, 0 AS status,
			'' AS permission, false AS granted, 0::bigint AS calls FROM api_keys k WHERE k.id = ANY($1) AND `+usageKeysInReach+`
		UNION ALL SELECT k.id, '`+callsPart+`', c.day, c.status, '', false, c.calls
		FROM api_keys k JOIN api_key_calls c ON c.api_key_id = k.id AND c.day >= $5 WHERE k.id = ANY($1) AND `+usageKeysInReach+`
		UNION ALL SELECT k.id, '`+needsPart+`', n.last_at, 0, n.permission, n.granted, n.calls
		FROM api_keys k JOIN api_key_needs n ON n.api_key_id = k.id AND ($6 = '' OR n.permission = $6)
		WHERE k.id = ANY($1) AND `+usageKeysInReach,
		ids, string(reach.SellerID), plain(reach.OrgIDs), reach.AllOrganizations, since, string(permission))
	all := make(map[string]apikey.Usage, len(ids))
	for _, r := range found {
		usage := all[r.KeyID]
		usage.ID = r.KeyID
		needed := apikey.NeededPermission{Permission: r.Permission, Calls: r.Calls, LastAt: moment.New(r.At)}
		switch {
		case r.Part == callsPart:
			usage.Calls = append(usage.Calls, apikey.DayCalls{Day: needed.LastAt, Status: r.Status, Calls: r.Calls})
		case r.Part == needsPart && r.Granted:
			usage.Used = append(usage.Used, needed)
		case r.Part == needsPart:
			usage.Refused = append(usage.Refused, needed)
		}
		all[r.KeyID] = usage
	}
	for _, usage := range all {
		slices.SortFunc(usage.Calls, func(a, b apikey.DayCalls) int {
			return cmp.Or(a.Day.Compare(b.Day.Time), cmp.Compare(a.Status, b.Status))
		})
		slices.SortFunc(usage.Used, latestFirst)
		slices.SortFunc(usage.Refused, latestFirst)
	}
	return all, err
}

func latestFirst(a, b apikey.NeededPermission) int {
	return cmp.Or(b.LastAt.Compare(a.LastAt.Time), cmp.Compare(a.Permission, b.Permission))
}
