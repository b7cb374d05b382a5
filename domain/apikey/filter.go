package apikey

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
)

// Filter narrows a list of keys. A zero field does not filter.
type Filter struct {
	// Permission selects the keys that have this permission, in their list or through full access. Keys of an
	// organization match if they may use it.
	Permission domain.Permission `graphql:"permission"`
	Active     *bool             `graphql:"active"`
	Expired    *bool             `graphql:"expired"`
	// OrganizationKeys adds the keys of the seller's organization.
	OrganizationKeys bool `graphql:"organizationKeys"`
	// ExpiresFrom is included, ExpiresUntil is not.
	ExpiresFrom  *moment.DateTime `graphql:"expiresFrom"`
	ExpiresUntil *moment.DateTime `graphql:"expiresUntil"`
	// UnusedSince selects the keys that were last used before it, or never.
	UnusedSince *moment.DateTime `graphql:"unusedSince"`
}

// Check returns all errors of the filter.
func (f Filter) Check() error {
	if f.Permission == "" {
		return nil
	}
	return checkPermission("permission", f.Permission)
}

func checkPermission(path string, permission domain.Permission) error {
	if !permission.Valid() {
		return domain.Invalid(path, "must be a permission of seller keys, such as customers:list")
	}
	return nil
}

// Find returns the matching keys of the seller that the call acts on or, with orgID, of the organization, without
// secrets. Requires a session with role DEVELOPER at the seller, or ADMIN at the organization.
func (k Keys) Find(ctx context.Context, orgID *ids.Org, filter Filter, page domain.Page) (domain.List[Key], error) {
	actor, owner, err := authorizeOwner(ctx, domain.FindAPIKeys, orgID)
	if err != nil {
		return domain.List[Key]{}, err
	}
	if err := filter.Check(); err != nil {
		return domain.List[Key]{}, err
	}
	reach := Reach{SellerID: owner.SellerID}
	if owner.OrgID != "" {
		reach.OrgIDs = []ids.Org{owner.OrgID}
	} else if filter.OrganizationKeys {
		if _, err := domain.AuthorizeOrganization(ctx, domain.FindAPIKeys, actor.OrgID); err != nil {
			return domain.List[Key]{}, err
		}
		reach.OrgIDs = []ids.Org{actor.OrgID}
	}
	found, err := k.Store.FindKeys(ctx, reach, filter, k.Now(), page)
	if err != nil {
		return domain.List[Key]{}, err
	}
	return found, k.Store.NameCreators(ctx, owner.nameReach(actor), found.Items)
}
