package tenant_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/tenant"
)

// Edges of organizations and sellers show the same as the lists, for each place separately.
func TestEdgesMatchLists(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	org, foreign := w.organization("Org"), w.organization("Foreign")
	seller, sibling, other := w.seller(org.ID, "Seller"), w.seller(org.ID, "Sibling"), w.seller(foreign.ID, "Other")
	at := map[string]tenant.Place{
		"owner": {OrganizationID: org.ID}, "clerk": {OrganizationID: org.ID},
		"admin": {SellerID: seller.ID}, "viewer": {SellerID: seller.ID}, "stranger": {OrganizationID: foreign.ID},
	}
	roles := map[string]domain.Role{
		"owner": domain.Admin, "clerk": domain.Developer, "admin": domain.Admin, "viewer": domain.Viewer, "stranger": domain.Admin,
	}
	callers := map[string]context.Context{
		"the platform":         w.system(),
		"no credential":        t.Context(),
		"a key":                domain.WithActor(t.Context(), &domain.Actor{Kind: domain.APIKeyActor, SellerID: seller.ID, OrgID: org.ID, FullSellerAccess: true}),
		"the organization key": domain.WithActor(t.Context(), &domain.Actor{Kind: domain.OrganizationKeyActor, OrgID: org.ID}),
	}
	users := map[string]string{}
	for _, who := range slices.Sorted(maps.Keys(at)) {
		email := who + "@example.com"
		users[who] = w.member(email, roles[who], at[who]).User.ID
		callers[who] = w.as(w.login(email)) //nolint:fatcontext // each caller has a context of its own
	}
	// The stranger is also a member of the sibling, without the right to list its members.
	w.member("stranger@example.com", domain.Developer, tenant.Place{SellerID: sibling.ID})
	callers["stranger"] = w.as(w.login("stranger@example.com"))

	sellers := []tenant.Seller{seller, sibling, other}
	organizations := []string{string(org.ID), string(foreign.ID)}
	keys := make([]string, len(sellers))
	for i, item := range sellers {
		keys[i] = item.EdgeKey()
	}
	page := domain.Page{Limit: 10}
	for who, ctx := range callers {
		t.Run(who, func(t *testing.T) {
			ofSellers, err := w.members.OfSellers(ctx, keys, struct{}{}, page)
			for _, item := range sellers {
				listed, refused := w.members.List(ctx, tenant.Place{SellerID: item.ID}, page)
				same(t, "members of "+item.Name, listed, refused, ofSellers, err, item.EdgeKey())
			}
			ofOrganizations, err := w.members.OfOrganizations(ctx, organizations, struct{}{}, page)
			for _, id := range organizations {
				listed, refused := w.members.List(ctx, tenant.Place{OrganizationID: ids.Org(id)}, page)
				same(t, "members of organization "+id, listed, refused, ofOrganizations, err, id)
			}
			below, err := w.sellers.OfOrganizations(ctx, organizations, struct{}{}, page)
			listed, refused := w.sellers.List(ctx, page)
			if domain.AsError(err).Code != domain.AsError(refused).Code {
				t.Fatalf("sellers: %v, want %v", err, refused)
			}
			shown := slices.Concat(below[organizations[0]].Items, below[organizations[1]].Items)
			if !slices.EqualFunc(byID(shown), byID(listed.Items), func(a, b tenant.Seller) bool { return a.ID == b.ID }) {
				t.Errorf("sellers %+v, want %+v", shown, listed.Items)
			}
			found, err := w.organizations.ByID(ctx, organizations)
			seen, refused := w.organizations.List(ctx, page)
			if refused != nil {
				if domain.AsError(err).Code != domain.AsError(refused).Code || len(found) > 0 {
					t.Errorf("organizations: %+v, %v, want %v", found, err, refused)
				}
				return
			}
			some, _ := errors.AsType[domain.RefusalsError](err)
			for _, organization := range seen.Items {
				if found[string(organization.ID)] != organization || some[string(organization.ID)] != nil {
					t.Errorf("organization %+v, want %+v, %v", found, organization, err)
				}
			}
			if len(found) != len(seen.Items) || len(found)+len(some) != len(organizations) {
				t.Errorf("organizations %+v, %v, want %+v", found, err, seen.Items)
			}
		})
	}
	t.Run("users are the caller and those it could list", func(t *testing.T) {
		ids := slices.Sorted(maps.Values(users))
		for who, want := range map[string][]string{
			"the platform": {"admin", "clerk", "owner", "stranger", "viewer"},
			"owner":        {"admin", "clerk", "owner", "stranger", "viewer"}, // the stranger is a member of the sibling
			"clerk":        {"clerk"},
			"admin":        {"admin", "viewer"},
			"viewer":       {"viewer"},
			"stranger":     {"stranger"},
			"a key":        nil, "no credential": nil, "the organization key": nil,
		} {
			found, err := w.users.ByID(callers[who], ids)
			some, _ := errors.AsType[domain.RefusalsError](err)
			if err != nil && some == nil {
				t.Fatal(err)
			}
			var names []string
			for name, id := range users {
				if user, seen := found[id]; seen && user.Email == name+"@example.com" {
					names = append(names, name)
				}
				if _, seen := found[id]; seen && some[id] != nil {
					t.Errorf("%s sees user %s and is refused it", who, name)
				}
			}
			if slices.Sort(names); !slices.Equal(names, want) {
				t.Errorf("%s sees %v, want %v", who, names, want)
			}
			if mayList := who == "the platform" || roles[who] == domain.Admin; mayList != (err == nil) {
				t.Errorf("%s: %v", who, err)
			}
		}
	})
}

// same compares what an edge and a list show of a place.
func same(
	t *testing.T, what string, listed domain.List[tenant.Member], refused error,
	edges map[string]domain.List[tenant.Member], err error, key string,
) {
	t.Helper()
	some, _ := errors.AsType[domain.RefusalsError](err)
	if refused != nil {
		if _, shown := edges[key]; shown || some[key] == nil || some[key].Error() != refused.Error() {
			t.Errorf("%s: %v, want %v", what, err, refused)
		}
		return
	}
	if some[key] != nil || !slices.Equal(edges[key].Items, listed.Items) {
		t.Errorf("%s: %+v, %v, want %+v", what, edges[key].Items, some[key], listed.Items)
	}
}

func byID(sellers []tenant.Seller) []tenant.Seller {
	return slices.SortedFunc(slices.Values(sellers), func(a, b tenant.Seller) int {
		if a.ID < b.ID {
			return -1
		}
		return 1
	})
}
