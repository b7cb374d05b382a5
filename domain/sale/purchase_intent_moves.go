package sale

import (
	"fmt"
	"slices"
	"time"

	"ticketgate/domain"
)

// purchaseIntentMoves is the one table of which status may follow which (decisions 8.4); what has no row is final. Approval
// is a step that a seller may take, not one that it must: who sells without it completes what was created.
var purchaseIntentMoves = map[PurchaseIntentStatus][]PurchaseIntentStatus{
	IntentCreated:  {IntentApproved, IntentRejected, IntentExpired, IntentCancelled, IntentCompleted},
	IntentApproved: {IntentExpired, IntentCancelled, IntentCompleted},
}

// The events of what is no move; those of moves stand in purchaseIntentEvents (spec 6.1).
const (
	intentCreated domain.EventType = "purchaseIntent.created"
	intentUpdated domain.EventType = "purchaseIntent.updated"
)

// purchaseIntentEvents are the events that moves publish, by the status that they lead to.
var purchaseIntentEvents = map[PurchaseIntentStatus]domain.EventType{
	IntentApproved:  "purchaseIntent.approved",
	IntentRejected:  "purchaseIntent.rejected",
	IntentExpired:   "purchaseIntent.expired",
	IntentCancelled: "purchaseIntent.cancelled",
	IntentCompleted: "purchaseIntent.completed",
}

// Open tells whether anything may still become of a purchase intent.
func (s PurchaseIntentStatus) Open() bool { return len(purchaseIntentMoves[s]) > 0 }

// MayMove tells whether a purchase intent of this status may get another one.
func (s PurchaseIntentStatus) MayMove(to PurchaseIntentStatus) bool {
	return slices.Contains(purchaseIntentMoves[s], to)
}

// Moved is what becomes of a purchase intent by a move. A move that was made before changes nothing and is no error: the
// caller may not have heard of it. INVALID_STATE is a move that the table lacks, and every one but the expiry from expiresAt
// on, also while no job has come by yet.
func (p PurchaseIntent) Moved(to PurchaseIntentStatus, now time.Time) (moved PurchaseIntent, changed bool, err error) {
	switch {
	case p.Status == to:
		return p, false, nil
	case !p.Status.MayMove(to):
		return p, false, domain.InvalidState(fmt.Sprintf("A purchase intent that is %s can't become %s", p.Status, to))
	case to != IntentExpired && p.expired(now):
		return p, false, expiredIntent()
	}
	p.Status, p.UpdatedAt = to, domain.NextUpdate(now, p.UpdatedAt)
	return p, true, nil
}

// mayChange refuses to update what is final or over.
func (p PurchaseIntent) mayChange(now time.Time) error {
	switch {
	case !p.Status.Open():
		return domain.InvalidState(fmt.Sprintf("A purchase intent that is %s can't be updated", p.Status))
	case p.expired(now):
		return expiredIntent()
	}
	return nil
}

func expiredIntent() error { return domain.InvalidState("This purchase intent has expired") }
