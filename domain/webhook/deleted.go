package webhook

import (
	"context"
	"time"

	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
)

// CanceledAtOnce is the maximum number of deliveries that one transaction cancels.
const CanceledAtOnce = 1000

// Deleted is a deleted webhook that may still have pending deliveries.
type Deleted struct {
	ID        string
	SellerID  ids.Seller
	DeletedAt time.Time
}

// afterDelete is how long deleting a webhook spends on canceling its deliveries. EndDeliveries cancels the rest.
const afterDelete = 2 * time.Second

// publishing is how long after the deletion new deliveries to a webhook can still appear, from concurrent publications.
const publishing = time.Minute

// endDeliveries cancels pending deliveries of a webhook that was just deleted (WEBHOOK-10).
func (s Webhooks) endDeliveries(ctx context.Context, deleted Deleted) {
	for started := s.Now(); s.Now().Sub(started) < afterDelete; {
		canceled, err := s.Store.CancelDeliveries(ctx, deleted, moment.New(s.Now()))
		if err != nil || len(canceled) < CanceledAtOnce {
			return
		}
	}
}

// EndDeliveries cancels a batch of pending deliveries for each deleted webhook, and returns how many it canceled. Every
// process calls it periodically.
func (s Webhooks) EndDeliveries(ctx context.Context) (int, error) {
	deleted, err := s.Store.DeletedWebhooks(ctx)
	if err != nil {
		return 0, err
	}
	count := 0
	for _, item := range deleted {
		canceled, err := s.Store.CancelDeliveries(ctx, item, moment.New(s.Now()))
		if err == nil && len(canceled) == 0 && s.Now().Sub(item.DeletedAt) > publishing {
			err = s.Store.PurgeDeleted(ctx, item)
		}
		if count += len(canceled); err != nil {
			return count, err
		}
	}
	return count, nil
}
