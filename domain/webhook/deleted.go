package webhook

import (
	"context"
	"time"

	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
)

// CanceledAtOnce is how many deliveries one transaction cancels.
const CanceledAtOnce = 1000

// Deleted is a webhook that was deleted, whose deliveries may still be pending.
type Deleted struct {
	ID        string
	SellerID  ids.Seller
	DeletedAt time.Time
}

// afterDelete is how long deleting a webhook goes on with its deliveries; EndDeliveries does what is left.
const afterDelete = 2 * time.Second

// publishing is how long after its deletion deliveries to a webhook may still come: of events that were being published.
const publishing = time.Minute

// endDeliveries cancels pending deliveries of a webhook that has just been deleted (WEBHOOK-10).
func (s Webhooks) endDeliveries(ctx context.Context, deleted Deleted) {
	for began := s.Now(); s.Now().Sub(began) < afterDelete; {
		canceled, err := s.Store.CancelDeliveries(ctx, deleted, moment.New(s.Now()))
		if err != nil || len(canceled) < CanceledAtOnce {
			return
		}
	}
}

// EndDeliveries cancels a batch of pending deliveries of each webhook that was deleted, and returns their number. Every process
// calls it from time to time.
func (s Webhooks) EndDeliveries(ctx context.Context) (int, error) {
	deleted, err := s.Store.DeletedWebhooks(ctx)
	if err != nil {
		return 0, err
	}
	count := 0
	for _, one := range deleted {
		canceled, err := s.Store.CancelDeliveries(ctx, one, moment.New(s.Now()))
		if err == nil && len(canceled) == 0 && s.Now().Sub(one.DeletedAt) > publishing {
			err = s.Store.ForgetDeleted(ctx, one)
		}
		if count += len(canceled); err != nil {
			return count, err
		}
	}
	return count, nil
}
