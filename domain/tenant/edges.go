package tenant

import (
	"context"
	"strings"

	"ticketgate/domain"
	"ticketgate/domain/ids"
)

// ByID returns the organizations with the ids, in one query (GRAPH-1). An organization that List does not show the
// caller is NOT_FOUND.
func (o Organizations) ByID(ctx context.Context, ids []string) (map[string]Organization, error) {
	actor, err := domain.Authorize(ctx, domain.ListOrganizations)
	if err != nil {
		return nil, err
	}
	found, err := o.Store.OrganizationsByID(ctx, sightOf(actor), ids)
	if err != nil {
		return nil, err
	}
	refused := domain.RefusalsError{}
	for _, id := range ids {
		if _, seen := found[id]; !seen {
			refused[id] = domain.NotFound("Organization")
		}
	}
	return found, refused.Err()
}

// OfOrganizations returns a page of each organization's sellers, in one query (GRAPH-1). It shows the same sellers as
// List.
func (s Sellers) OfOrganizations(
	ctx context.Context, organizations []string, _ struct{}, page domain.Page,
) (map[string]domain.List[Seller], error) {
	actor, err := domain.Authorize(ctx, domain.ListSellers)
	if err != nil {
		return nil, err
	}
	return s.Store.SellersOfOrganizations(ctx, sightOf(actor), organizations, page)
}

// OfOrganizations returns a page of each organization's own members, in one query (GRAPH-1). An organization whose
// members the caller may not list gets an error of its own.
func (m Members) OfOrganizations(
	ctx context.Context, organizations []string, _ struct{}, page domain.Page,
) (map[string]domain.List[Member], error) {
	var allowed []Place
	refused := domain.RefusalsError{}
	for _, id := range organizations {
		place := Place{OrganizationID: ids.Org(id)}
		if _, err := domain.AuthorizeOrganization(ctx, domain.ListMembers, place.OrganizationID); err != nil {
			refused[id] = err
			continue
		}
		allowed = append(allowed, place)
	}
	return m.of(ctx, allowed, refused, page, func(at Place) string { return string(at.OrganizationID) })
}

const placeSeparator = "/"

// EdgeKey returns the seller's id combined with its organization's. With both, the members of many sellers are
// authorized without reading the sellers.
func (s Seller) EdgeKey() string { return string(s.OrganizationID) + placeSeparator + string(s.ID) }

// OfSellers returns a page of each seller's own members by the sellers' edge keys, in one query (GRAPH-1). A seller
// whose members the caller may not list gets an error of its own.
func (m Members) OfSellers(
	ctx context.Context, sellers []string, _ struct{}, page domain.Page,
) (map[string]domain.List[Member], error) {
	var allowed []Place
	refused, keys := domain.RefusalsError{}, map[ids.Seller]string{}
	for _, key := range sellers {
		organization, id, _ := strings.Cut(key, placeSeparator)
		place := Place{SellerID: ids.Seller(id)}
		known := func(context.Context, ids.Seller) (ids.Org, domain.Features, error) {
			return ids.Org(organization), domain.Features{}, nil
		}
		if _, err := domain.AuthorizeSeller(ctx, domain.ListMembers, place.SellerID, known); err != nil {
			refused[key] = err
			continue
		}
		keys[place.SellerID], allowed = key, append(allowed, place)
	}
	return m.of(ctx, allowed, refused, page, func(at Place) string { return keys[at.SellerID] })
}

// of returns the members of the allowed places.
func (m Members) of(
	ctx context.Context, allowed []Place, refused domain.RefusalsError, page domain.Page, key func(Place) string,
) (map[string]domain.List[Member], error) {
	if len(allowed) == 0 {
		return nil, refused.Err()
	}
	found, err := m.Store.MembersOfPlaces(ctx, allowed, page)
	if err != nil {
		return nil, err
	}
	lists := make(map[string]domain.List[Member], len(found))
	for place, list := range found {
		lists[key(place)] = list
	}
	return lists, refused.Err()
}

// ByID returns the users with the ids, in one query (GRAPH-1): the caller, and users that the caller could list as
// members of some place. If the caller may not list members at all, every other user is refused.
func (u Users) ByID(ctx context.Context, ids []string) (map[string]User, error) {
	actor := domain.ActorOf(ctx)
	if err := domain.MayCall(ctx, domain.ListMembers); err != nil {
		return u.itself(ctx, actor, ids, err)
	}
	reach := MemberReach{All: actor.Kind == domain.SystemActor, UserID: actor.ID}
	for _, membership := range actor.Memberships {
		switch {
		case membership.Role < domain.Admin:
		case membership.OrgID != "":
			reach.Organizations = append(reach.Organizations, membership.OrgID)
		default:
			reach.Sellers = append(reach.Sellers, membership.SellerID)
		}
	}
	return u.Store.UsersByID(ctx, reach, ids)
}

// itself returns the caller and refuses all other users.
func (u Users) itself(ctx context.Context, actor *domain.Actor, ids []string, refusal error) (map[string]User, error) {
	found, refused := map[string]User{}, domain.RefusalsError{}
	for _, id := range ids {
		if actor.Kind != domain.UserActor || id != actor.ID {
			refused[id] = refusal
			continue
		}
		own, err := u.Store.UsersByID(ctx, MemberReach{UserID: actor.ID}, []string{id})
		if err != nil {
			return nil, err
		}
		found = own
	}
	return found, refused.Err()
}

// MemberReach says which users a caller could list as members.
type MemberReach struct {
	// All is true for the platform.
	All bool
	// UserID is the caller, which may always see itself.
	UserID string
	// Organizations are the organizations whose members, and whose sellers' members, the caller may list.
	Organizations []ids.Org
	Sellers       []ids.Seller
}
