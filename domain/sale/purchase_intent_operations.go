package sale

import (
	"context"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
)

// PurchaseIntents implements the operations on a seller's purchase intents.
type PurchaseIntents struct {
	Store PurchaseIntentStore
	// Seller returns a seller's organization and features, or NOT_FOUND.
	Seller func(context.Context, ids.Seller) (ids.Org, domain.Features, error)
	Now    func() time.Time
}

// Create creates a purchase intent and publishes purchaseIntent.created. The buyer must satisfy the seller's identification
// rule, as in a checkout. Requires purchaseIntents:create, or a session with role MANAGER.
func (s PurchaseIntents) Create(ctx context.Context, input NewPurchaseIntent) (PurchaseIntent, error) {
	actor, err := domain.AuthorizeSeller(ctx, domain.CreatePurchaseIntent, input.SellerID, s.Seller)
	if err != nil {
		return PurchaseIntent{}, err
	}
	in, err := s.surroundings(ctx, actor.SellerID)
	if err != nil {
		return PurchaseIntent{}, err
	}
	created, err := input.created(ctx, actor, in)
	if err != nil {
		return PurchaseIntent{}, counted(ctx, s.Store, actor.SellerID, s.Now(), err)
	}
	err = s.Store.InTx(ctx, func(tx PurchaseIntentTx) error {
		if err := tx.InsertPurchaseIntent(ctx, created); err != nil {
			return err
		}
		tx.SetResponse(created)
		return created.publish(ctx, tx, intentCreated, created.audited(domain.CreatePurchaseIntent, nil))
	})
	if err != nil {
		return PurchaseIntent{}, err
	}
	return created, nil
}

// List returns a page of the seller's purchase intents, oldest first. Requires purchaseIntents:list, or a session with role
// VIEWER.
func (s PurchaseIntents) List(
	ctx context.Context, filter PurchaseIntentFilter, page domain.Page,
) (domain.List[PurchaseIntent], error) {
	return domain.ReadPage(ctx, domain.ListPurchaseIntents, s.Store.PurchaseIntents, filter, page)
}

// Get returns a purchase intent. Requires purchaseIntents:list, or a session with role VIEWER.
func (s PurchaseIntents) Get(ctx context.Context, id string) (PurchaseIntent, error) {
	return domain.Read(ctx, domain.GetPurchaseIntent, s.Store.PurchaseIntent, id)
}

// Update changes an open purchase intent and publishes purchaseIntent.updated. A change without effect writes and publishes
// nothing (SALE-11). Requires purchaseIntents:update, or a session with role MANAGER.
func (s PurchaseIntents) Update(ctx context.Context, id string, input PurchaseIntentChange) (PurchaseIntent, error) {
	actor, err := domain.AuthorizeSeller(ctx, domain.UpdatePurchaseIntent, input.SellerID, s.Seller)
	if err != nil {
		return PurchaseIntent{}, err
	}
	in, err := s.surroundings(ctx, actor.SellerID)
	if err != nil {
		return PurchaseIntent{}, err
	}
	before, err := s.Store.PurchaseIntent(ctx, actor.SellerID, id)
	if err == nil {
		_, err = before.with(ctx, input, in)
	}
	if err != nil {
		return PurchaseIntent{}, counted(ctx, s.Store, actor.SellerID, s.Now(), err)
	}
	updated, err := s.change(ctx, actor, id, func(tx PurchaseIntentTx, before PurchaseIntent) (PurchaseIntent, error) {
		if err := domain.Unchanged(ctx, input.ExpectedUpdatedAt, before.UpdatedAt); err != nil {
			return PurchaseIntent{}, err
		}
		in.catalog = tx
		after, err := before.with(ctx, input, in)
		if err != nil {
			return PurchaseIntent{}, err
		}
		if same, err := after.same(before); err != nil || same {
			return before, err
		}
		after.UpdatedAt = domain.NextUpdate(in.now, before.UpdatedAt)
		return after, after.store(ctx, tx, intentUpdated, after.audited(domain.UpdatePurchaseIntent, &before))
	})
	return updated, counted(ctx, s.Store, actor.SellerID, s.Now(), err)
}

// Approve records that the seller agrees to sell. Requires purchaseIntents:update, or a session with role MANAGER.
func (s PurchaseIntents) Approve(ctx context.Context, id string) (PurchaseIntent, error) {
	return s.move(ctx, domain.ApprovePurchaseIntent, id, IntentApproved)
}

// Reject records that the seller declines to sell. Requires purchaseIntents:update, or a session with role MANAGER.
func (s PurchaseIntents) Reject(ctx context.Context, id string) (PurchaseIntent, error) {
	return s.move(ctx, domain.RejectPurchaseIntent, id, IntentRejected)
}

// Expire ends a purchase intent before its ExpiresAt. Requires purchaseIntents:update, or a session with role MANAGER.
func (s PurchaseIntents) Expire(ctx context.Context, id string) (PurchaseIntent, error) {
	return s.move(ctx, domain.ExpirePurchaseIntent, id, IntentExpired)
}

// Cancel records that the buyer no longer wants to buy. Requires purchaseIntents:update, or a session with role MANAGER.
func (s PurchaseIntents) Cancel(ctx context.Context, id string) (PurchaseIntent, error) {
	return s.move(ctx, domain.CancelPurchaseIntent, id, IntentCancelled)
}

// Complete records that the purchase was made. The sale itself is a checkout or an imported transaction. Requires
// purchaseIntents:update, or a session with role MANAGER.
func (s PurchaseIntents) Complete(ctx context.Context, id string) (PurchaseIntent, error) {
	return s.move(ctx, domain.CompletePurchaseIntent, id, IntentCompleted)
}

// move changes the status and publishes the event. Repeating it returns the same result and publishes nothing. See
// Moved for the errors.
func (s PurchaseIntents) move(
	ctx context.Context, op domain.Operation, id string, to PurchaseIntentStatus,
) (PurchaseIntent, error) {
	actor, err := domain.Authorize(ctx, op)
	if err != nil {
		return PurchaseIntent{}, err
	}
	return s.change(ctx, actor, id, func(tx PurchaseIntentTx, before PurchaseIntent) (PurchaseIntent, error) {
		after, changed, err := before.Moved(to, s.Now())
		if err != nil || !changed {
			return after, err
		}
		return after, after.store(ctx, tx, purchaseIntentEvents[to], after.audited(op, &before))
	})
}

// change locks a purchase intent, applies changed and returns the result. Of two concurrent changes, the second sees the
// result of the first.
func (s PurchaseIntents) change(
	ctx context.Context, actor *domain.Actor, id string, changed func(PurchaseIntentTx, PurchaseIntent) (PurchaseIntent, error),
) (PurchaseIntent, error) {
	var after PurchaseIntent
	err := s.Store.InTx(ctx, func(tx PurchaseIntentTx) error {
		before, err := tx.PurchaseIntentForUpdate(ctx, actor.SellerID, id)
		if err != nil {
			return err
		}
		after, err = changed(tx, before)
		return err
	})
	if err != nil {
		return PurchaseIntent{}, err
	}
	return after, nil
}

func (s PurchaseIntents) surroundings(ctx context.Context, seller ids.Seller) (surroundings, error) {
	rules, err := s.Store.IdentificationOf(ctx, seller)
	return surroundings{catalog: s.Store, rules: rules, now: s.Now()}, err
}

// store updates a stored purchase intent, publishes its event and writes the audit log.
func (p PurchaseIntent) store(ctx context.Context, tx PurchaseIntentTx, kind domain.EventType, audited domain.Change) error {
	if err := tx.UpdatePurchaseIntent(ctx, p); err != nil {
		return err
	}
	return p.publish(ctx, tx, kind, audited)
}

// publish publishes the event of a change and writes the audit log.
func (p PurchaseIntent) publish(ctx context.Context, tx PurchaseIntentTx, kind domain.EventType, audited domain.Change) error {
	event, err := p.event(kind)
	if err != nil {
		return err
	}
	if _, err := tx.Publish(ctx, event); err != nil {
		return err
	}
	return tx.Audit(ctx, audited)
}
