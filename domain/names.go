package domain

import "ticketgate/domain/ids"

// NameReach limits the names that a caller may see in audit entries and similar records. They are the names that the
// caller could also read in lists. An empty field grants none.
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

// NameReach returns the names that the actor may see at a seller and its organization. It assumes that the actor may
// read the records that show these names.
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
