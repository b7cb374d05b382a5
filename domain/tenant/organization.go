package tenant

import (
	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
)

// Organization owns sellers.
type Organization struct {
	ID        ids.Org         `json:"_id"`
	Name      string          `json:"name"`
	CreatedAt moment.DateTime `json:"createdAt"`
}

// NewOrganization is the input of createOrganization.
type NewOrganization struct {
	Name string `json:"name"`
}

// validate returns the input as it will be stored, or all of its faults.
func (n NewOrganization) validate() (NewOrganization, error) {
	var errs domain.FieldErrors
	n.Name = errs.Name("name", n.Name)
	return n, errs.Err()
}

// Sight says which organizations and sellers a caller sees in lists.
type Sight struct {
	// All is true for the platform.
	All bool
	// Organizations are visible with all their sellers.
	Organizations []ids.Org
	Sellers       []ids.Seller
}

// sightOf returns the sight of an actor: an organization key sees its organization, a user each of its places.
func sightOf(actor *domain.Actor) Sight {
	sight := Sight{All: actor.Kind == domain.SystemActor}
	if actor.Kind == domain.OrganizationKeyActor {
		sight.Organizations = []ids.Org{actor.OrgID}
	}
	for _, m := range actor.Memberships {
		if m.OrgID != "" {
			sight.Organizations = append(sight.Organizations, m.OrgID)
		} else {
			sight.Sellers = append(sight.Sellers, m.SellerID)
		}
	}
	return sight
}
