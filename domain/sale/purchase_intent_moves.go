package sale

import (
	"fmt"
	"slices"
	"time"

	"ticketgate/domain"
)

// purchaseIntentMoves lists the statuses that may follow each status (SALE-10). A status without an entry is final. Approval
// is optional: a seller that sells without it completes a CREATED purchase intent.
var purchaseIntentMoves = map[PurchaseIntentStatus][]PurchaseIntentStatus{
	IntentCreated:  {IntentApproved, IntentRejected, IntentExpired, IntentCancelled, IntentCompleted},
	IntentApproved: {IntentExpired, IntentCancelled, IntentCompleted},
}

// The events of changes that are not status changes. purchaseIntentEvents has the others.
const (
	intentCreated domain.EventType = "purchaseIntent.created"
	intentUpdated domain.EventType = "purchaseIntent.updated"
)

// purchaseIntentEvents maps a new status to the event that the change publishes.
var purchaseIntentEvents = map[PurchaseIntentStatus]domain.EventType{
	IntentApproved:  "purchaseIntent.approved",
	IntentRejected:  "purchaseIntent.rejected",
	IntentExpired:   "purchaseIntent.expired",
	IntentCancelled: "purchaseIntent.cancelled",
	IntentCompleted: "purchaseIntent.completed",
}

// Open reports whether a purchase intent with this status can still change.
func (s PurchaseIntentStatus) Open() bool { return len(purchaseIntentMoves[s]) > 0 }

// MayMove reports whether a purchase intent with this status can change to another one.
func (s PurchaseIntentStatus) MayMove(to PurchaseIntentStatus) bool {
	return slices.Contains(purchaseIntentMoves[s], to)
}

// Moved returns the purchase intent with a new status. If it already has that status, changed is false, since the
// caller may be repeating a call whose response it missed. A change that purchaseIntentMoves lacks is INVALID_STATE.
// From ExpiresAt on, every change except the expiry is INVALID_STATE, even if the periodic job has not run yet.
func (p PurchaseIntent) Moved(to PurchaseIntentStatus, now time.Time) (moved PurchaseIntent, changed bool, err error) {
	switch {
	case p.Status == to:
		return p, false, nil
	case !p.Status.MayMove(to):
		return p, false, domain.InvalidState(fmt.Sprintf("A purchase intent that is %s cannot become %s", p.Status, to))
	case to != IntentExpired && p.expired(now):
		return p, false, expiredIntent()
	}
	p.Status, p.UpdatedAt = to, domain.NextUpdate(now, p.UpdatedAt)
	return p, true, nil
}

// mayChange returns INVALID_STATE if the purchase intent is final or its time is over.
func (p PurchaseIntent) mayChange(now time.Time) error {
	switch {
	case !p.Status.Open():
		return domain.InvalidState(fmt.Sprintf("A purchase intent that is %s cannot be updated", p.Status))
	case p.expired(now):
		return expiredIntent()
	}
	return nil
}

func expiredIntent() error { return domain.InvalidState("This purchase intent has expired") }
