package program

import (
	"context"
	"database/sql"
	"errors"

	_ "github.com/jackc/pgx/v5/stdlib" // driver for the operator's connection

	"ticketgate/db/move"
	"ticketgate/domain/webhook"
	"ticketgate/jobs"
)

// WakePending creates jobs for pending deliveries on the cluster to which their seller has moved.
func WakePending(ctx context.Context, url string, pending []move.Pending) (err error) {
	owner, err := sql.Open("pgx", url)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, owner.Close()) }()
	wakeUps := make([]webhook.WakeUp, len(pending))
	for i, p := range pending {
		wakeUps[i] = webhook.WakeUp{DeliveryID: p.ID, WebhookID: p.WebhookID, HandOver: p.HandOver, Lane: webhook.RetryLane, At: p.At}
		if p.ByHand {
			wakeUps[i].Lane = webhook.ByHandLane
		}
	}
	text, args, err := jobs.NewQueue().Enqueue(wakeUps)
	if err == nil {
		_, err = owner.ExecContext(ctx, text, args...)
	}
	return err
}
