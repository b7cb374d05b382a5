package apikey

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/ids"
)

// authorizeOwner authorizes an operation on the keys of one owner: the organization with orgID, or the seller that the
// call acts on.
func authorizeOwner(ctx context.Context, op domain.Operation, orgID *ids.Org) (*domain.Actor, Owner, error) {
	if orgID != nil {
		actor, err := domain.AuthorizeOrganization(ctx, op, *orgID)
		return actor, Owner{OrgID: *orgID}, err
	}
	actor, err := domain.Authorize(ctx, op)
	if err != nil {
		return nil, Owner{}, err
	}
	return actor, Owner{SellerID: actor.SellerID}, nil
}

// authorizedReach is a Reach. If it excludes the seller's keys, sellerRefused says why.
type authorizedReach struct {
	Reach
	sellerRefused error
}

// authorizeReach authorizes an operation on a key by id. Only reading the key shows whether it belongs to a seller or
// an organization, so authorizeReach collects all owners that the actor may access.
func authorizeReach(ctx context.Context, op domain.Operation) (authorizedReach, error) {
	var reach authorizedReach
	actor, err := domain.Authorize(ctx, op)
	if err == nil {
		reach.SellerID = actor.SellerID
	} else {
		actor, reach.sellerRefused = domain.ActorOf(ctx), err
	}
	for _, membership := range actor.Memberships {
		if membership.OrgID == "" {
			continue
		}
		if _, err := domain.AuthorizeOrganization(ctx, op, membership.OrgID); err == nil {
			reach.OrgIDs = append(reach.OrgIDs, membership.OrgID)
		}
	}
	reach.AllOrganizations = actor.Kind == domain.SystemActor
	if reach.sellerRefused != nil && len(reach.OrgIDs) == 0 && !reach.AllOrganizations {
		return reach, reach.sellerRefused
	}
	return reach, nil
}

// within runs act on the key with this id. If the actor may not access the seller's keys, it gets that error instead of
// NOT_FOUND.
func within(reach authorizedReach, act func() (Key, error), id string) (Key, error) {
	key, err := Key{}, error(domain.NotFound("API key"))
	if plausible(id) {
		key, err = act()
	}
	if reach.sellerRefused != nil && domain.HasCode(err, domain.CodeNotFound) {
		err = reach.sellerRefused
	}
	if err != nil {
		return Key{}, err
	}
	return key, nil
}

// plausible reports whether a caller's id can exist. The database would reject some texts that have no record either
// way.
func plausible(id string) bool {
	var errs domain.FieldErrors
	errs.Reference("id", id)
	return !errs.Any()
}
