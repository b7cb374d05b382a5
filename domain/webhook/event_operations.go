package webhook

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/ids"
)

// Events implements the operations on events. Most events are published by changes of records, not by these operations.
type Events struct {
	Store Store
	// Resources defines the resources that published data may hold.
	Resources Resources
	// Seller returns a seller's organization and features, or NOT_FOUND.
	Seller func(context.Context, ids.Seller) (ids.Org, domain.Features, error)
}

// Publish stores an event of any type, with its deliveries, for the seller that the input or x-seller-id names. Only
// the platform may call it (WEBHOOK-6).
func (s Events) Publish(ctx context.Context, input NewEvent) (PublishedEvent, error) {
	actor, err := domain.AuthorizeSeller(ctx, domain.PublishEvent, input.SellerID, s.Seller)
	if err != nil {
		return PublishedEvent{}, err
	}
	data, err := input.check(s.Resources)
	if err != nil {
		return PublishedEvent{}, err
	}
	ids, err := s.Store.PublishAll(ctx, []domain.Event{input.event(actor.SellerID, data)})
	if err != nil {
		return PublishedEvent{}, err
	}
	return PublishedEvent{ids[0]}, nil
}

// PublishMany is Publish for up to 500 events of a seller. It stores all or none, and returns them in the same order.
func (s Events) PublishMany(ctx context.Context, input NewEvents) ([]PublishedEvent, error) {
	actor, err := domain.AuthorizeSeller(ctx, domain.PublishEvents, input.SellerID, s.Seller)
	if err != nil {
		return nil, err
	}
	events, err := input.check(actor.SellerID, s.Resources)
	if err != nil {
		return nil, err
	}
	ids, err := s.Store.PublishAll(ctx, events)
	published := make([]PublishedEvent, len(ids))
	for i, id := range ids {
		published[i].ID = id
	}
	return published, err
}

// EventKind describes an event type, with a sample of its data.
type EventKind struct {
	domain.EventKind
	// Sample is the data of a stored event of this type.
	Sample ecmajson.Value
}

// Types returns all event types. Any caller may call it.
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
