package sale

import (
	"context"

	"ticketgate/domain"
)

// ByID returns the seller's checkouts with the given ids, in one query (GRAPH-1). Requires checkouts:list, or a session with
// role VIEWER.
func (s Checkouts) ByID(ctx context.Context, ids []string) (map[string]Checkout, error) {
	return domain.Read(ctx, domain.GetCheckout, s.Store.CheckoutsByID, ids)
}

// ByID returns the seller's purchase intents with the given ids, in one query (GRAPH-1). Requires purchaseIntents:list, or a
// session with role VIEWER.
func (s PurchaseIntents) ByID(ctx context.Context, ids []string) (map[string]PurchaseIntent, error) {
	return domain.Read(ctx, domain.GetPurchaseIntent, s.Store.PurchaseIntentsByID, ids)
}
