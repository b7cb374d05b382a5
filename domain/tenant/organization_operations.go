package tenant

import (
	"context"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
)

// Organizations implements the operations on organizations.
type Organizations struct {
	Store Store
	Now   func() time.Time
}

// Create creates an organization. Only the platform may call it.
func (o Organizations) Create(ctx context.Context, input NewOrganization) (Organization, error) {
	if _, err := domain.Authorize(ctx, domain.CreateOrganization); err != nil {
		return Organization{}, err
	}
	input, err := input.validate()
	if err != nil {
		return Organization{}, err
	}
	now := o.Now()
	organization := Organization{ID: ids.Org(ids.New(now)), Name: input.Name, CreatedAt: moment.New(now)}
	err = o.Store.InTx(ctx, func(tx Tx) error {
		if err := tx.InsertOrganization(ctx, organization); err != nil {
			return err
		}
		change := domain.Change{
			OrgID: organization.ID, Action: domain.CreateOrganization, Object: "organization", ObjectID: string(organization.ID),
		}
		return tx.Audit(ctx, change.Diff(nil, organization))
	})
	return organization, err
}

// List returns the organizations that the caller is a member of. The platform sees all of them.
func (o Organizations) List(ctx context.Context, page domain.Page) (domain.List[Organization], error) {
	actor, err := domain.Authorize(ctx, domain.ListOrganizations)
	if err != nil {
		return domain.List[Organization]{}, err
	}
	return o.Store.Organizations(ctx, sightOf(actor), page)
}
