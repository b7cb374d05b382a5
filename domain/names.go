package domain

import "ticketgate/domain/ids"

// NameReach says whose names a caller may see next to their actions: the names that the caller could also read in
// lists. An empty field grants none.
type NameReach struct {
	// SellerID is the seller whose keys' and devices' names are visible.
	SellerID ids.Seller
	// MembersOf is the seller whose members' email addresses are visible.
	MembersOf ids.Seller
	// OrgID is the organization whose keys' names and members' email addresses are visible.
	OrgID ids.Org
	// UserID is the calling user, who may see its own email address.
	UserID string
}

// NameReach returns whose names the actor may see at a seller and its organization, given that it may read their
// actions.
func (a *Actor) NameReach(seller ids.Seller, org ids.Org) NameReach {
	reach := NameReach{SellerID: seller}
	if a.Kind == UserActor {
		reach.UserID = a.ID
	}
	lists := rules[ListMembers]
	if a.Kind == SystemActor || a.RoleAt(seller, org) >= lists.Role {
		reach.MembersOf = seller
	}
	if a.Kind == SystemActor || a.RoleAtOrganization(org) >= lists.OrganizationRole {
		reach.OrgID = org
	}
	return reach
}
