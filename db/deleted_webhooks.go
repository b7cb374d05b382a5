package db

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/webhook"
)

// deletedWebhookRow is a row of deleted_webhooks. The number of its canceled deliveries only increases.
type deletedWebhookRow struct {
	bun.BaseModel `bun:"table:deleted_webhooks,alias:x"`

	ID        string     `bun:"id,pk"`
	SellerID  ids.Seller `bun:"seller_id"`
	DeletedAt time.Time  `bun:"deleted_at"`
}

var deletedWebhooks = &source[deletedWebhookRow]{}

// noteDeleted records a deleted webhook, whose pending deliveries must be canceled.
func (tx *Tx) noteDeleted(ctx context.Context, seller ids.Seller, id string) error {
	return tx.insert(ctx, &deletedWebhookRow{ID: id, SellerID: seller, DeletedAt: tx.store.now()})
}

// DeletedWebhooks lists deleted webhooks of all sellers that may still have pending deliveries.
func (s webhookStore) DeletedWebhooks(ctx context.Context) ([]webhook.Deleted, error) {
	const most = 100
	found, err := deletedWebhooks.where(staying).orderBy("x.id").first(ctx, s.Store, s.sql, most)
	if err != nil {
		return nil, err
	}
	return each(found, func(r deletedWebhookRow) (webhook.Deleted, error) {
		return webhook.Deleted{ID: r.ID, SellerID: r.SellerID, DeletedAt: r.DeletedAt}, nil
	})
}

// PurgeDeleted deletes the record of a deleted webhook that has no pending deliveries left.
func (s webhookStore) PurgeDeleted(ctx context.Context, deleted webhook.Deleted) error {
	_, err := deletedWebhooks.of(deleted.SellerID).withID(deleted.ID).delete(ctx, s.Store, s.sql)
	return err
}

// CancelDeliveries cancels up to webhook.CanceledAtOnce pending deliveries of a deleted webhook.
func (s webhookStore) CancelDeliveries(
	ctx context.Context, deleted webhook.Deleted, at moment.DateTime,
) (canceled []webhook.Recorded, err error) {
	err = s.transact(ctx, func(tx *Tx) error {
		pending, err := tx.MatchingDeliveriesForUpdate(ctx, deleted.SellerID,
			webhook.DeliveryFilter{WebhookID: deleted.ID, State: webhook.Pending}, webhook.CanceledAtOnce)
		if err != nil || len(pending) == 0 {
			return err
		}
		canceled = make([]webhook.Recorded, len(pending))
		ids, states := make([]string, len(pending)), make([]string, len(pending))
		for i, d := range pending {
			canceled[i] = d.CancelResult(at.Time)
			ids[i], states[i] = d.ID, string(canceled[i].After.State)
		}
		if _, err := exec(ctx, tx, `UPDATE deliveries d SET state = c.state, retry_requested = false, next_attempt_at = NULL,
				updated_at = $3
			FROM unnest($1::uuid[], $2::text[]) AS c (id, state)
			WHERE d.id = ANY($1) AND d.id = c.id AND d.seller_id = $4`, ids, states, at.Time, string(deleted.SellerID)); err != nil {
			return err
		}
		_, err = deletedWebhooks.of(deleted.SellerID).withID(deleted.ID).set("canceled = canceled + $", len(ids)).
			update(ctx, tx.store, tx)
		return err
	})
	if err != nil {
		return nil, err
	}
	return canceled, nil
}
