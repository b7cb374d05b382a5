package domain

import "ticketgate/domain/ids"

// NameReach says whose names a caller may read beside what they did: those that it could read where they are listed.
// A place that is empty is none.
type NameReach struct {
	// SellerID is the seller whose keys and devices have names.
	SellerID ids.Seller
	// MembersOf is the seller whose members' e-mails may be read.
	MembersOf ids.Seller
	// OrgID is the organization whose keys have names and whose members' e-mails may be read.
	OrgID ids.Org
	// UserID is the user who asks, and may know its own e-mail.
	UserID string
}

// NameReach returns whose names the actor may read at a seller and its organization, once it may read what they did.
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
