// Package platform provides the actor of commands: the platform itself, which has every permission.
package platform

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/tenant"
)

// Context returns ctx with the platform as the actor. Only operators can run commands.
func Context(ctx context.Context) context.Context {
	return domain.WithActor(ctx, &domain.Actor{Kind: domain.SystemActor, ID: domain.SystemID})
}

// ContextFor returns ctx with the platform acting on one seller, as the header x-seller-id does for API calls.
func ContextFor(ctx context.Context, seller tenant.Seller) context.Context {
	return domain.WithActor(ctx, &domain.Actor{
		Kind: domain.SystemActor, ID: domain.SystemID, SellerID: seller.ID, OrgID: seller.OrganizationID, Features: seller.Features(),
	})
}
