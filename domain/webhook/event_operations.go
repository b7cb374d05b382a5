package webhook

import (
	"context"

	"ticketgate/domain"
)

// Events is what the platform can do with events directly; all others are published by the change they tell of.
type Events struct {
	Store Store
	// Seller finds a seller's organization and features, or NOT_FOUND.
	Seller func(context.Context, domain.SellerID) (domain.OrgID, domain.Features, error)
}

// Publish stores an event of any type for the seller that the input or x-seller-id names, with its deliveries. Only
// the platform itself may (decisions 8.3).
func (s Events) Publish(ctx context.Context, input NewEvent) (PublishedEvent, error) {
	actor, err := domain.AuthorizeSeller(ctx, domain.PublishEvent, input.SellerID, s.Seller)
	if err != nil {
		return PublishedEvent{}, err
	}
	if err := input.check(); err != nil {
		return PublishedEvent{}, err
	}
	event := domain.Event{SellerID: actor.SellerID, Type: input.Type, Data: input.Data.Append(nil)}
	var published PublishedEvent
	err = s.Store.InTx(ctx, func(tx Tx) (err error) {
		published.ID, err = tx.Publish(ctx, event)
		return err
	})
	return published, err
}

// Types returns the table of event types; everybody may.
func (s Events) Types(ctx context.Context) ([]domain.EventKind, error) {
	if _, err := domain.Authorize(ctx, domain.ListEventTypes); err != nil {
		return nil, err
	}
	return domain.EventKinds(), nil
}
