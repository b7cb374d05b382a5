package db

import (
	"context"

	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/webhook"
)

// noteDeleted remembers a webhook whose pending deliveries are to be canceled.
func (tx *Tx) noteDeleted(ctx context.Context, seller ids.Seller, id string) error {
	_, err := exec(ctx, tx, "INSERT INTO deleted_webhooks (id, seller_id, deleted_at) VALUES ($1, $2, $3)",
		id, string(seller), tx.store.now())
	return err
}

// DeletedWebhooks lists webhooks whose deliveries may still be pending, of all sellers.
func (s webhookStore) DeletedWebhooks(ctx context.Context) ([]webhook.Deleted, error) {
	const most = 100
	return rows[webhook.Deleted](ctx, s.Store, s.sql,
		"SELECT id, seller_id, deleted_at FROM deleted_webhooks ORDER BY id LIMIT $1", most)
}

// ForgetDeleted removes the note of a webhook that has no pending deliveries.
func (s webhookStore) ForgetDeleted(ctx context.Context, deleted webhook.Deleted) error {
	_, err := exec(ctx, s.sql, "DELETE FROM deleted_webhooks WHERE id = $1 AND seller_id = $2", deleted.ID, string(deleted.SellerID))
	return err
}

// CancelDeliveries ends pending deliveries of a deleted webhook, at most webhook.CanceledAtOnce.
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
			canceled[i] = d.CalledOff(at.Time)
			ids[i], states[i] = d.ID, string(canceled[i].After.State)
		}
		if _, err := exec(ctx, tx, `UPDATE deliveries d SET state = c.state, retry_requested = false, next_attempt_at = NULL,
				updated_at = $3
			FROM unnest($1::uuid[], $2::text[]) AS c (id, state)
			WHERE d.id = ANY($1) AND d.id = c.id AND d.seller_id = $4`, ids, states, at.Time, string(deleted.SellerID)); err != nil {
			return err
		}
		_, err = exec(ctx, tx, "UPDATE deleted_webhooks SET canceled = canceled + $3 WHERE id = $1 AND seller_id = $2",
			deleted.ID, string(deleted.SellerID), len(ids))
		return err
	})
	if err != nil {
		return nil, err
	}
	return canceled, nil
}
