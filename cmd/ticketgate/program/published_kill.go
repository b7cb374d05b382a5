package program

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/webhook"
	"ticketgate/jobs/killpoint"
)

// publisher returns the store of published events. In a program with kill points, it can kill the process between a
// commit and the response.
func publisher(store webhook.Store) webhook.Store {
	if killpoint.Armed {
		return publisherToKill{store}
	}
	return store
}

type publisherToKill struct{ webhook.Store }

// PublishAll publishes events and then passes a kill point.
func (p publisherToKill) PublishAll(ctx context.Context, events []domain.Event) ([]string, error) {
	ids, err := p.Store.PublishAll(ctx, events)
	killpoint.At(killpoint.Committed)
	return ids, err
}
