package sale

import (
	"bytes"
	"cmp"
	"context"
	"time"

	"ticketgate/domain"
)

// Submit stores the buyer's details and publishes checkout.detailsSubmitted. Requires transactions:update, a session with
// role MANAGER, or the checkout's secret. Rejected or unchanged details write and publish nothing (SALE-11). A checkout that
// has ended is INVALID_STATE.
func (s Checkouts) Submit(ctx context.Context, id, secret string, details Details) (Checkout, error) {
	if secret == "" {
		secret = details.Secret
	}
	actor, err := domain.AuthorizeBuyer(ctx, domain.SubmitDetails, id, secret, s.Store.SecretOfCheckout)
	if err != nil {
		return Checkout{}, err
	}
	with := func(found LockedCheckout) (Checkout, error) {
		if err := found.mustBeOpen(s.Now()); err != nil {
			return Checkout{}, err
		}
		return found.withDetails(details, found.Seller.Identification())
	}
	if err := s.refuse(ctx, actor, id, with); err != nil {
		return Checkout{}, counted(ctx, s.Store, actor.SellerID, s.Now(), err)
	}
	submitted, err := s.move(ctx, actor, id, secret, func(ctx context.Context, tx CheckoutTx, locked LockedCheckout) (Checkout, error) {
		changed, err := with(locked)
		if err != nil {
			return Checkout{}, err
		}
		same, err := sameDocument(changed, locked.Checkout)
		if err != nil || same {
			return changed, err
		}
		changed.UpdatedAt = domain.NextUpdate(s.Now(), locked.UpdatedAt)
		return changed, storeAndPublish(ctx, tx, changed, detailsSubmitted)
	})
	return submitted, counted(ctx, s.Store, actor.SellerID, s.Now(), err)
}

// refuse returns the error that change would have now. It takes no lock (BODY-1).
func (s Checkouts) refuse(
	ctx context.Context, actor *domain.Actor, id string, change func(LockedCheckout) (Checkout, error),
) error {
	found, err := s.Store.CheckoutToChange(ctx, actor.SellerID, id)
	if err == nil {
		err = allowOrigin(ctx, found.Seller)
	}
	if err == nil {
		_, err = change(found)
	}
	return err
}

// Abort aborts a checkout and publishes checkout.aborted. Requires transactions:update, a session with role MANAGER, or
// the checkout's secret. Aborting again returns the same result. A complete checkout is INVALID_STATE (SALE-6).
func (s Checkouts) Abort(ctx context.Context, id, secret string) (Checkout, error) {
	actor, err := domain.AuthorizeBuyer(ctx, domain.AbortCheckout, id, secret, s.Store.SecretOfCheckout)
	if err != nil {
		return Checkout{}, err
	}
	return s.move(ctx, actor, id, secret, func(ctx context.Context, tx CheckoutTx, locked LockedCheckout) (Checkout, error) {
		switch locked.Status {
		case CheckoutAborted:
			return locked.Checkout, nil
		case CheckoutComplete:
			return Checkout{}, locked.mustBeOpen(s.Now())
		case CheckoutNew, CheckoutDetails:
		}
		aborted := locked.aborted(s.Now())
		if err := storeAndPublish(ctx, tx, aborted, checkoutAborted); err != nil {
			return Checkout{}, err
		}
		return aborted, tx.Audit(ctx, aborted.moved(domain.AbortCheckout, locked.Checkout))
	})
}

// move locks a checkout, applies change and returns the result. The context passed to change has the caller as its actor, who
// may be the buyer. A buyer gets back the secret that it sent (WEBHOOK-21).
func (s Checkouts) move(
	ctx context.Context, actor *domain.Actor, id, secret string,
	change func(context.Context, CheckoutTx, LockedCheckout) (Checkout, error),
) (Checkout, error) {
	var changed Checkout
	ctx = domain.WithActor(ctx, actor)
	err := s.Store.InTx(ctx, func(tx CheckoutTx) error {
		locked, err := tx.CheckoutForUpdate(ctx, actor.SellerID, id)
		if err != nil {
			return err
		}
		if err := allowOrigin(ctx, locked.Seller); err != nil {
			return err
		}
		changed, err = change(ctx, tx, locked)
		if actor.Kind == domain.BuyerActor {
			changed.Secret = cmp.Or(secret, domain.CallOf(ctx).CheckoutSecret)
		}
		tx.SetResponse(changed)
		return err
	})
	if err != nil {
		return Checkout{}, err
	}
	return changed, nil
}

// storeAndPublish stores a checkout and publishes an event of the given type with it.
func storeAndPublish(ctx context.Context, tx CheckoutTx, checkout Checkout, kind domain.EventType) error {
	event, err := checkout.event(kind)
	if err != nil {
		return err
	}
	if err := tx.UpdateCheckout(ctx, checkout); err != nil {
		return err
	}
	_, err = tx.Publish(ctx, event)
	return err
}

func (c Checkout) aborted(now time.Time) Checkout {
	c.Status, c.UpdatedAt = CheckoutAborted, domain.NextUpdate(now, c.UpdatedAt)
	return c
}

// moved returns the audit log entry of a status change. It contains no buyer data.
func (c Checkout) moved(op domain.Operation, from Checkout) domain.Change {
	type state struct {
		Status        CheckoutStatus `json:"status"`
		TransactionID *string        `json:"transactionId,omitempty"`
	}
	return domain.Change{SellerID: c.SellerID, Action: op, Object: "checkout", ObjectID: c.ID}.
		Diff(state{from.Status, from.TransactionID}, state{c.Status, c.TransactionID})
}

func sameDocument(a, b Checkout) (bool, error) {
	before, err := a.Document()
	if err != nil {
		return false, err
	}
	after, err := b.Document()
	return bytes.Equal(before, after), err
}
