package webhook

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
)

// Events is what the platform can do with events directly; all others are published by the change they tell of.
type Events struct {
	Store Store
	// Resources are the tables that published data is held to.
	Resources Resources
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
	data, err := input.check(s.Resources)
	if err != nil {
		return PublishedEvent{}, err
	}
	event := domain.Event{SellerID: actor.SellerID, Type: input.Type, Data: data.Append(nil)}
	var published PublishedEvent
	err = s.Store.InTx(ctx, func(tx Tx) (err error) {
		published.ID, err = tx.Publish(ctx, event)
		return err
	})
	return published, err
}

// EventKind is a row of the table of event types with data as it is sent.
type EventKind struct {
	domain.EventKind
	// Sample is the data of an event of this type as it was stored.
	Sample ecmajson.Value
}

// Types returns the table of event types; everybody may.
func (s Events) Types(ctx context.Context) ([]EventKind, error) {
	if _, err := domain.Authorize(ctx, domain.ListEventTypes); err != nil {
		return nil, err
	}
	kinds := domain.EventKinds()
	catalogue := make([]EventKind, len(kinds))
	for i, kind := range kinds {
		catalogue[i] = EventKind{kind, Sample(kind.Type)}
	}
	return catalogue, nil
}
