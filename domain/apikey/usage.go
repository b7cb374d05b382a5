package apikey

import (
	"context"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/moment"
)

// UsageDays is how far back the calls of a key are told, today included.
const UsageDays = 30

// Usage is what was done with a key. It is written every few seconds, so that the last calls may be missing.
type Usage struct {
	// ID is the key's.
	ID string
	// Calls are those of the last days by day and status, oldest first. A call that names a permission the key lacks is
	// one with status 403 through REST, and 200 through GraphQL.
	Calls []DayCalls
	// Used and Refused are the permissions that calls needed, those that the key had and those that it lacked at the time;
	// the most recent first.
	Used    []NeededPermission
	Refused []NeededPermission
}

// DayCalls is how many calls of a day in UTC were answered with a status.
type DayCalls struct {
	Day    moment.DateTime // its first instant
	Status int
	Calls  int
}

// NeededPermission is a permission that calls needed, how many they were and when the last one was.
type NeededPermission struct {
	Permission domain.Permission
	Calls      int
	LastAt     moment.DateTime
}

// Usage returns what was done with a key; another owner's is NOT_FOUND.
func (k Keys) Usage(ctx context.Context, id string) (Usage, error) {
	reach, err := authorizeReach(ctx, domain.GetAPIKeyUsage)
	if err != nil {
		return Usage{}, err
	}
	key, err := within(reach, func() (Key, error) { return k.Store.Key(ctx, reach.Reach, id) }, id)
	if err != nil {
		return Usage{}, err
	}
	usage, err := k.Store.UsageOf(ctx, reach.Reach, []string{key.ID}, usedSince(k.Now()), "")
	return usage[key.ID], err
}

// usedSince is the first instant of the days of which calls are told.
func usedSince(now time.Time) time.Time {
	return now.UTC().Truncate(24*time.Hour).AddDate(0, 0, 1-UsageDays)
}
