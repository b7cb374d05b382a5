package db

import (
	"context"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/apikey"
)

type dayCallsRow struct {
	Day    time.Time
	Status int
	Calls  int
}

type neededPermissionRow struct {
	Permission domain.Permission
	Granted    bool
	Calls      int
	LastAt     time.Time
}

// Usage returns what a key did since a day, and all that it ever needed.
func (s apiKeyStore) Usage(ctx context.Context, keyID string, since time.Time) (apikey.Usage, error) {
	usage := apikey.Usage{ID: keyID}
	days, err := rows[dayCallsRow](ctx, s.Store, s.sql,
		"SELECT day, status, calls FROM api_key_calls WHERE api_key_id = $1 AND day >= $2 ORDER BY day, status", keyID, since)
	if err != nil {
		return apikey.Usage{}, err
	}
	for _, r := range days {
		usage.Calls = append(usage.Calls, apikey.DayCalls{Day: domain.NewDateTime(r.Day), Status: r.Status, Calls: r.Calls})
	}
	needed, err := rows[neededPermissionRow](ctx, s.Store, s.sql, `SELECT permission, granted, calls, last_at FROM api_key_needs
		WHERE api_key_id = $1 ORDER BY last_at DESC, permission`, keyID)
	for _, r := range needed {
		permission := apikey.NeededPermission{Permission: r.Permission, Calls: r.Calls, LastAt: domain.NewDateTime(r.LastAt)}
		if r.Granted {
			usage.Used = append(usage.Used, permission)
		} else {
			usage.Refused = append(usage.Refused, permission)
		}
	}
	return usage, err
}
