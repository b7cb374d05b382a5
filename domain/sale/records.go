package sale

import (
	"context"

	"ticketgate/domain"
)

// ByID returns those of the seller's checkouts that the ids name, in one query (GRAPH-1): checkouts:list, or a session with VIEWER.
func (s Checkouts) ByID(ctx context.Context, ids []string) (map[string]Checkout, error) {
	return domain.Read(ctx, domain.GetCheckout, s.Store.CheckoutsByID, ids)
}

// ByID returns those of the seller's purchase intents that the ids name, in one query (GRAPH-1): purchaseIntents:list, or a session
// with VIEWER.
func (s PurchaseIntents) ByID(ctx context.Context, ids []string) (map[string]PurchaseIntent, error) {
	return domain.Read(ctx, domain.GetPurchaseIntent, s.Store.PurchaseIntentsByID, ids)
}
