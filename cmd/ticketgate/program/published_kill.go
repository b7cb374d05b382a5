package program

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/webhook"
	"ticketgate/jobs/killpoint"
)

// publisher is the store of published events. In a program with kill points it passes one between a commit and its answer.
func publisher(store webhook.Store) webhook.Store {
	if killpoint.Armed {
		return publisherToKill{store}
	}
	return store
}

type publisherToKill struct{ webhook.Store }

// PublishAll publishes, and may not live to tell.
func (p publisherToKill) PublishAll(ctx context.Context, events []domain.Event) ([]string, error) {
	ids, err := p.Store.PublishAll(ctx, events)
	killpoint.At(killpoint.Committed)
	return ids, err
}
