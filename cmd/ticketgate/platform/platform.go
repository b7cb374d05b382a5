// Package platform provides the actor of commands: the platform, which has every permission.
package platform

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/tenant"
)

// Context returns ctx with the platform as the actor. Only commands use it, which only operators can run.
func Context(ctx context.Context) context.Context {
	return domain.WithActor(ctx, &domain.Actor{Kind: domain.SystemActor, ID: domain.SystemID})
}

// ContextFor returns ctx with the platform as the actor, acting for a seller like a call with the header x-seller-id.
func ContextFor(ctx context.Context, seller tenant.Seller) context.Context {
	return domain.WithActor(ctx, &domain.Actor{
		Kind: domain.SystemActor, ID: domain.SystemID, SellerID: seller.ID, OrgID: seller.OrganizationID, Features: seller.Features(),
	})
}
