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

// EnqueuePending creates jobs for pending deliveries on the cluster to which their seller has moved.
func EnqueuePending(ctx context.Context, url string, pending []move.Pending) (err error) {
	owner, err := sql.Open("pgx", url)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, owner.Close()) }()
	pendingJobs := make([]webhook.Job, len(pending))
	for i, p := range pending {
		pendingJobs[i] = webhook.Job{DeliveryID: p.ID, WebhookID: p.WebhookID, HandOver: p.HandOver, Queue: webhook.RetryQueue, At: p.At}
		if p.ByHand {
			pendingJobs[i].Queue = webhook.ManualQueue
		}
	}
	text, args, err := jobs.NewEnqueuer().Enqueue(pendingJobs)
	if err == nil {
		_, err = owner.ExecContext(ctx, text, args...)
	}
	return err
}
