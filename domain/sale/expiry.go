package sale

import (
	"context"
	"time"

	"ticketgate/domain"
)

// Expire aborts checkouts whose time is over and returns their number. A periodic job calls it in every process.
// Concurrent calls take different checkouts.
func (s Checkouts) Expire(ctx context.Context) (int, error) {
	return expire(ctx, s.Now, s.Store.InTx, CheckoutTx.ExpiredCheckouts,
		func(ctx context.Context, tx CheckoutTx, expired Checkout, now time.Time) (domain.Event, error) {
			aborted := expired.aborted(now)
			if err := tx.UpdateCheckout(ctx, aborted); err != nil {
				return domain.Event{}, err
			}
			return aborted.event(checkoutAborted)
		})
}

// ExpireDue expires open purchase intents whose time is over and returns their number. Like Expire, it is called by a
// periodic job.
func (s PurchaseIntents) ExpireDue(ctx context.Context) (int, error) {
	return expire(ctx, s.Now, s.Store.InTx, PurchaseIntentTx.DuePurchaseIntents,
		func(ctx context.Context, tx PurchaseIntentTx, due PurchaseIntent, now time.Time) (domain.Event, error) {
			expired, _, err := due.Moved(IntentExpired, now)
			if err != nil {
				return domain.Event{}, err
			}
			if err := tx.UpdatePurchaseIntent(ctx, expired); err != nil {
				return domain.Event{}, err
			}
			return expired.event(purchaseIntentEvents[IntentExpired])
		})
}

// expiredAtOnce limits the records per database transaction, so that transactions stay short.
const expiredAtOnce = 100

// expire ends records whose time is over, in batches of one database transaction each, and publishes their events. Due
// locks and returns a batch. end stores the new state of a record and returns its event.
func expire[Tx interface {
	PublishAll(ctx context.Context, events []domain.Event) ([]string, error)
}, R any](
	ctx context.Context, now func() time.Time, inTx func(context.Context, func(Tx) error) error,
	due func(Tx, context.Context, time.Time, int) ([]R, error),
	end func(context.Context, Tx, R, time.Time) (domain.Event, error),
) (total int, err error) {
	for {
		count := 0
		err = inTx(ctx, func(tx Tx) error {
			at := now()
			expired, err := due(tx, ctx, at, expiredAtOnce)
			if count = len(expired); err != nil || count == 0 {
				return err
			}
			events := make([]domain.Event, count)
			for i, record := range expired {
				if events[i], err = end(ctx, tx, record, at); err != nil {
					return err
				}
			}
			_, err = tx.PublishAll(ctx, events)
			return err
		})
		if total += count; err != nil || count < expiredAtOnce {
			return total, err
		}
	}
}
