package apikey

import (
	"context"

	"ticketgate/domain"
)

// ByID returns the keys with these ids that Get would return, in one query (GRAPH-1). If the caller may not read the
// seller's keys, each missing id gets that error.
func (k Keys) ByID(ctx context.Context, ids []string) (map[string]Key, error) {
	reach, err := authorizeReach(ctx, domain.GetAPIKey)
	if err != nil {
		return nil, err
	}
	found, err := k.Store.KeysByID(ctx, reach.Reach, ids)
	if err != nil {
		return nil, err
	}
	return found, refusedOf(reach, found, ids)
}

// UsageOf returns the usage of keys, in one query (GRAPH-1). With a permission, it includes only the use of that
// permission.
func (k Keys) UsageOf(ctx context.Context, ids []string, permission domain.Permission) (map[string]Usage, error) {
	reach, err := authorizeReach(ctx, domain.GetAPIKeyUsage)
	if err != nil {
		return nil, err
	}
	if permission != "" {
		if err := checkPermission("permission", permission); err != nil {
			return nil, err
		}
	}
	found, err := k.Store.UsageOf(ctx, reach.Reach, ids, usedSince(k.Now()), permission)
	if err != nil {
		return nil, err
	}
	return found, refusedOf(reach, found, ids)
}

func refusedOf[T any](reach authorizedReach, found map[string]T, ids []string) error {
	refused := domain.RefusalsError{}
	for _, id := range ids {
		if _, known := found[id]; !known && reach.sellerRefused != nil {
			refused[id] = reach.sellerRefused
		}
	}
	return refused.Err()
}
