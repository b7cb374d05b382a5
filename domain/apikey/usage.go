package apikey

import (
	"context"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/moment"
)

// UsageDays is the number of days, today included, for which calls are reported.
const UsageDays = 30

// Usage is the usage of a key. It is stored every few seconds, so the latest calls may be missing.
type Usage struct {
	// ID is the id of the key.
	ID string
	// Calls counts the calls of the last UsageDays days by day and status, oldest first. A call that lacks a permission
	// has status 403 in REST and 200 in GraphQL.
	Calls []DayCalls
	// Used holds the needed permissions that the key had at the time of the call, Refused those that it lacked, both
	// most recent first.
	Used    []NeededPermission
	Refused []NeededPermission
}

// DayCalls is the number of calls on a day (UTC) that had a status.
type DayCalls struct {
	Day    moment.DateTime // start of the day
	Status int
	Calls  int
}

// NeededPermission is a permission with the number of calls that needed it and the time of the last one.
type NeededPermission struct {
	Permission domain.Permission
	Calls      int
	LastAt     moment.DateTime
}

// Usage returns the usage of a key. A key of another owner is NOT_FOUND.
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

// usedSince returns the start of the first day for which calls are reported.
func usedSince(now time.Time) time.Time {
	return now.UTC().Truncate(24*time.Hour).AddDate(0, 0, 1-UsageDays)
}
