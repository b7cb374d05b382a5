package tenant

import (
	"context"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/listenerurl"
	"ticketgate/domain/moment"
)

// Sellers implements the operations on sellers.
type Sellers struct {
	Store Store
	Now   func() time.Time
	// Policy says which URLs invoices may be sent to.
	Policy listenerurl.Policy
	// LocalOrigins allows http://localhost as an origin of shops, for development.
	LocalOrigins bool
}

// Create creates a seller of an organization. It requires an ADMIN of the organization, a key of the organization, or
// the platform.
func (s Sellers) Create(ctx context.Context, input NewSeller) (Seller, error) {
	if _, err := domain.AuthorizeOrganization(ctx, domain.CreateSeller, input.OrganizationID); err != nil {
		return Seller{}, err
	}
	input, wrong := input.validate()
	if err := s.checkOrganization(ctx, input.OrganizationID, wrong); err != nil {
		return Seller{}, err
	}
	now := s.Now()
	seller := Seller{
		ID: ids.Seller(ids.New(now)), OrganizationID: input.OrganizationID, Name: input.Name,
		Country: input.Country, Webhooks: input.Webhooks, SIREN: input.SIREN, Meta: input.Meta,
		CreatedAt: moment.New(now), UpdatedAt: moment.New(now),
	}
	err := s.Store.InTx(ctx, func(tx Tx) error {
		if err := tx.InsertSeller(ctx, seller); err != nil {
			return err
		}
		return tx.Audit(ctx, sellerChange(domain.CreateSeller, seller).Diff(nil, seller))
	})
	return seller, err
}

// checkOrganization adds a fault to wrong if the organization does not exist.
func (s Sellers) checkOrganization(ctx context.Context, id ids.Org, wrong error) error {
	var errs domain.FieldErrors
	switch _, err := s.Store.Organization(ctx, id); {
	case domain.HasCode(err, domain.CodeNotFound):
		errs.Add("organizationId", "does not exist")
	case err != nil:
		return err
	}
	errs.Merge(wrong)
	return errs.Err()
}

// List returns the caller's sellers, including those of its organizations. The platform sees all of them.
func (s Sellers) List(ctx context.Context, page domain.Page) (domain.List[Seller], error) {
	actor, err := domain.Authorize(ctx, domain.ListSellers)
	if err != nil {
		return domain.List[Seller]{}, err
	}
	return s.Store.Sellers(ctx, sightOf(actor), page)
}

// Get returns one of the caller's sellers. A seller that is unknown, foreign or different from the one the call acts on
// is NOT_FOUND (AUTH-2).
func (s Sellers) Get(ctx context.Context, id ids.Seller) (Seller, error) {
	_, err := domain.AuthorizeSeller(ctx, domain.GetSeller, id, LookUp(s.Store))
	if domain.HasCode(err, domain.CodeValidationFailed) {
		err = domain.NotFound("Seller")
	}
	if err != nil {
		return Seller{}, err
	}
	return s.Store.Seller(ctx, id)
}

// Update changes a seller's name, country, features and settings. It requires an ADMIN of the seller or the platform. A
// disabled feature is disabled on every process once Update returns (AUTH-5).
func (s Sellers) Update(ctx context.Context, input SellerChange) (Seller, error) {
	actor, err := domain.AuthorizeSeller(ctx, domain.UpdateSeller, input.SellerID, LookUp(s.Store))
	if err != nil {
		return Seller{}, err
	}
	input, err = input.validate(s.Policy, s.LocalOrigins)
	if err != nil {
		return Seller{}, err
	}
	var after settled
	err = s.Store.InTx(ctx, func(tx Tx) error {
		before, err := read(ctx, tx, actor.SellerID)
		if err == nil {
			err = domain.Unchanged(ctx, input.ExpectedUpdatedAt, before.UpdatedAt)
		}
		if err != nil {
			return err
		}
		after = input.apply(before)
		if after.Same(before.Seller) && after.invoicingKey == before.invoicingKey {
			return nil
		}
		after.UpdatedAt = domain.NextUpdate(s.Now(), before.UpdatedAt)
		return after.write(ctx, tx, before)
	})
	return after.Seller, err
}

// read reads a seller and locks it until the end of the transaction.
func read(ctx context.Context, tx Tx, id ids.Seller) (settled, error) {
	seller, err := tx.SellerForUpdate(ctx, id)
	if err != nil || seller.Invoicing == nil {
		return settled{Seller: seller}, err
	}
	target, err := tx.InvoicingTarget(ctx, id)
	return settled{Seller: seller, invoicingKey: target.HMACKey}, err
}

// write stores a changed seller.
func (s settled) write(ctx context.Context, tx Tx, before settled) error {
	change := sellerChange(domain.UpdateSeller, s.Seller).Diff(before.audited(before), s.audited(before))
	if err := tx.Audit(ctx, change); err != nil {
		return err
	}
	return tx.UpdateSeller(ctx, s.Seller, s.invoicingKey)
}

// sellerChange returns a new audit entry for a seller, which its organization can see too.
func sellerChange(action domain.Operation, s Seller) domain.Change {
	return domain.Change{
		SellerID: s.ID, OrgID: s.OrganizationID, Action: action, Object: "seller", ObjectID: string(s.ID),
	}
}

// LookUp returns the lookup that domain.AuthorizeSeller needs.
func LookUp(store interface {
	Seller(ctx context.Context, id ids.Seller) (Seller, error)
},
) func(context.Context, ids.Seller) (ids.Org, domain.Features, error) {
	return func(ctx context.Context, id ids.Seller) (ids.Org, domain.Features, error) {
		seller, err := store.Seller(ctx, id)
		return seller.OrganizationID, seller.Features(), err
	}
}
