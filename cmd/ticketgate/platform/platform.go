// Package platform is who a command acts as: the platform itself, which may do everything.
package platform

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/tenant"
)

// Context is the context in which a command does operations: nobody can type it who is not the operator.
func Context(ctx context.Context) context.Context {
	return domain.WithActor(ctx, &domain.Actor{Kind: domain.SystemActor, ID: domain.SystemID})
}

// ContextFor is asPlatform acting on one seller, as the header x-seller-id says it elsewhere.
func ContextFor(ctx context.Context, seller tenant.Seller) context.Context {
	return domain.WithActor(ctx, &domain.Actor{
		Kind: domain.SystemActor, ID: domain.SystemID, SellerID: seller.ID, OrgID: seller.OrganizationID, Features: seller.Features(),
	})
}
