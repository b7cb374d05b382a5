package apikey

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/ids"
)

// authorizeOwner decides for an operation on the keys of one owner: the organization's that is named, else those
// of the seller the call acts on (decisions 4.4).
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

// authorizedReach is a Reach and, when it leaves the seller's keys out, the error that says why.
type authorizedReach struct {
	Reach
	sellerRefused error
}

// authorizeReach decides for an operation on a key that is only known by its id: whether it is a seller's or an
// organization's shows when it is read, so all that the actor may reach is gathered before (decisions 4.4).
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

// within acts on the key with an id. An actor that was refused the seller's keys hears that, and not that the
// key does not exist.
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

// plausible tells whether an id from outside can name anything: what the database would refuse as text is
// simply unknown (decisions 1.1).
func plausible(id string) bool {
	var problems domain.Problems
	problems.Reference("id", id)
	return !problems.Any()
}
