package sale

import (
	"context"

	"ticketgate/domain"
)

// intentsAtOnce keeps the database transactions of ExpireDue short: others wait for none of them.
const intentsAtOnce = 100

// ExpireDue expires open purchase intents whose time is over and tells how many. It is no operation of a caller's: a
// periodic job of every process calls it, and those that run at the same time take different ones.
func (s PurchaseIntents) ExpireDue(ctx context.Context) (int, error) {
	for total := 0; ; {
		count, err := s.expireSome(ctx)
		if total += count; err != nil || count < intentsAtOnce {
			return total, err
		}
	}
}

func (s PurchaseIntents) expireSome(ctx context.Context) (count int, err error) {
	now := s.Now()
	err = s.Store.InTx(ctx, func(tx PurchaseIntentTx) error {
		due, err := tx.DuePurchaseIntents(ctx, now, intentsAtOnce)
		if count = len(due); err != nil || count == 0 {
			return err
		}
		events := make([]domain.Event, 0, count)
		for _, one := range due {
			expired, _, err := one.Moved(IntentExpired, now)
			if err != nil {
				return err
			}
			if err := tx.UpdatePurchaseIntent(ctx, expired); err != nil {
				return err
			}
			event, err := expired.event(purchaseIntentEvents[IntentExpired])
			if err != nil {
				return err
			}
			events = append(events, event)
		}
		_, err = tx.PublishAll(ctx, events)
		return err
	})
	return count, err
}
