package sale

import (
	"context"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
)

// PurchaseIntents is what can be done with a seller's purchase intents.
type PurchaseIntents struct {
	Store PurchaseIntentStore
	// Seller finds a seller's organization and features, or NOT_FOUND.
	Seller func(context.Context, ids.Seller) (ids.Org, domain.Features, error)
	Now    func() time.Time
}

// Create makes a purchase intent and publishes purchaseIntent.created: purchaseIntents:create, or a session with MANAGER.
// The buyer is held to the seller's identification rule as in a checkout (spec 4.5).
func (s PurchaseIntents) Create(ctx context.Context, input NewPurchaseIntent) (PurchaseIntent, error) {
	actor, err := domain.AuthorizeSeller(ctx, domain.CreatePurchaseIntent, input.SellerID, s.Seller)
	if err != nil {
		return PurchaseIntent{}, err
	}
	in, err := s.surroundings(ctx, actor.SellerID)
	if err != nil {
		return PurchaseIntent{}, err
	}
	made, err := input.made(ctx, actor, in)
	if err != nil {
		return PurchaseIntent{}, counted(ctx, s.Store, actor.SellerID, s.Now(), err)
	}
	err = s.Store.InTx(ctx, func(tx PurchaseIntentTx) error {
		if err := tx.InsertPurchaseIntent(ctx, made); err != nil {
			return err
		}
		tx.Answer(made)
		return made.tell(ctx, tx, intentCreated, made.audited(domain.CreatePurchaseIntent, nil))
	})
	if err != nil {
		return PurchaseIntent{}, err
	}
	return made, nil
}

// List returns the seller's purchase intents that match, oldest first: purchaseIntents:list, or a session with VIEWER.
func (s PurchaseIntents) List(
	ctx context.Context, filter PurchaseIntentFilter, page domain.Page,
) (domain.List[PurchaseIntent], error) {
	return domain.ReadPage(ctx, domain.ListPurchaseIntents, s.Store.PurchaseIntents, filter, page)
}

// Get returns one purchase intent: purchaseIntents:list, or a session with VIEWER.
func (s PurchaseIntents) Get(ctx context.Context, id string) (PurchaseIntent, error) {
	return domain.Read(ctx, domain.GetPurchaseIntent, s.Store.PurchaseIntent, id)
}

// Update changes a purchase intent that is open and publishes purchaseIntent.updated: purchaseIntents:update, or a session
// with MANAGER. A change that changes nothing writes and publishes nothing (decisions 7.10).
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

// Approve says that the seller will sell: purchaseIntents:update, or a session with MANAGER.
func (s PurchaseIntents) Approve(ctx context.Context, id string) (PurchaseIntent, error) {
	return s.move(ctx, domain.ApprovePurchaseIntent, id, IntentApproved)
}

// Reject says that the seller will not sell: purchaseIntents:update, or a session with MANAGER.
func (s PurchaseIntents) Reject(ctx context.Context, id string) (PurchaseIntent, error) {
	return s.move(ctx, domain.RejectPurchaseIntent, id, IntentRejected)
}

// Expire ends a purchase intent before its time: purchaseIntents:update, or a session with MANAGER.
func (s PurchaseIntents) Expire(ctx context.Context, id string) (PurchaseIntent, error) {
	return s.move(ctx, domain.ExpirePurchaseIntent, id, IntentExpired)
}

// Cancel says that the buyer does not want any more: purchaseIntents:update, or a session with MANAGER.
func (s PurchaseIntents) Cancel(ctx context.Context, id string) (PurchaseIntent, error) {
	return s.move(ctx, domain.CancelPurchaseIntent, id, IntentCancelled)
}

// Complete says that the purchase was made: purchaseIntents:update, or a session with MANAGER. The sale itself is a checkout
// or an imported transaction.
func (s PurchaseIntents) Complete(ctx context.Context, id string) (PurchaseIntent, error) {
	return s.move(ctx, domain.CompletePurchaseIntent, id, IntentCompleted)
}

// move makes one move and publishes its event. Repeated it answers the same and publishes nothing; see Moved for what is
// refused.
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

// change runs a change of one purchase intent that is locked: of two that come at once the second sees what the first did.
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

// store writes a purchase intent that exists and tells of it.
func (p PurchaseIntent) store(ctx context.Context, tx PurchaseIntentTx, kind domain.EventType, audited domain.Change) error {
	if err := tx.UpdatePurchaseIntent(ctx, p); err != nil {
		return err
	}
	return p.tell(ctx, tx, kind, audited)
}

// tell publishes the one event of a change, and keeps the change in the audit log.
func (p PurchaseIntent) tell(ctx context.Context, tx PurchaseIntentTx, kind domain.EventType, audited domain.Change) error {
	event, err := p.event(kind)
	if err != nil {
		return err
	}
	if _, err := tx.Publish(ctx, event); err != nil {
		return err
	}
	return tx.Audit(ctx, audited)
}
