package sale

import (
	"slices"

	"ticketgate/domain"
)

// transactionMoves is the one table of which status may follow which (decisions 8.2): nothing leaves CANCELED, and nothing
// goes back to NEW. An aborted sale may still be completed: its payment may come late.
var transactionMoves = map[TransactionStatus][]TransactionStatus{
	TransactionNew:      {TransactionReserved, TransactionAborted, TransactionComplete, TransactionCanceled},
	TransactionReserved: {TransactionAborted, TransactionComplete, TransactionCanceled},
	TransactionAborted:  {TransactionComplete, TransactionCanceled},
	TransactionComplete: {TransactionCanceled},
	TransactionCanceled: nil,
}

// MayMove tells whether a transaction of this status may get another one; staying is no move and always allowed.
func (s TransactionStatus) MayMove(to TransactionStatus) bool {
	return s == to || slices.Contains(transactionMoves[s], to)
}

// The events that transactions publish (spec 6.1).
const (
	eventComplete                           = domain.TransactionComplete
	eventReserved          domain.EventType = "transaction.reservedBySystem"
	eventCanceled          domain.EventType = "transaction.canceled"
	eventPartiallyCanceled domain.EventType = "transaction.partiallyCanceled"
)

// TransactionEvent is the one event that tells how a transaction changed, or false for a change that none tells of. old is
// nil for a transaction that is created.
func TransactionEvent(old *Transaction, changed Transaction) (domain.EventType, bool) {
	if old == nil || old.Status != changed.Status {
		switch changed.Status {
		case TransactionComplete:
			return eventComplete, true
		case TransactionCanceled:
			return eventCanceled, true
		case TransactionReserved:
			return eventReserved, old == nil // "created as" (spec 6.1)
		case TransactionNew, TransactionAborted:
		}
		return "", false
	}
	return eventPartiallyCanceled, changed.Status.sold() && partiallyCanceled(*old, changed)
}

// sold tells what a part can be taken back of: nothing was sold of what is NEW, and nothing is left of what is over.
func (s TransactionStatus) sold() bool { return s == TransactionReserved || s == TransactionComplete }

// partiallyCanceled tells whether something more is canceled than was before.
func partiallyCanceled(old, changed Transaction) bool {
	before, after := canceledItems(old), canceledItems(changed)
	for item, count := range after {
		if count > before[item] {
			return true
		}
	}
	return notes(changed, PartiallyCanceled) > notes(old, PartiallyCanceled)
}

// cancels tells whether the change takes the sale back, wholly or in part.
func (c transactionChange) cancels() bool {
	kind, tells := TransactionEvent(c.old, c.new.Transaction)
	return tells && (kind == eventCanceled || kind == eventPartiallyCanceled)
}

// audited is what the audit log keeps of a cancellation: how far it went, and nothing of the buyer.
func (c transactionChange) audited() domain.Change {
	type state struct {
		Status        TransactionStatus `json:"status"`
		CanceledItems int               `json:"canceledItems"`
		Notes         int               `json:"partialCancellations"`
	}
	stateOf := func(t Transaction) state {
		made := state{Status: t.Status, Notes: notes(t, PartiallyCanceled)}
		for _, count := range canceledItems(t) {
			made.CanceledItems += count
		}
		return made
	}
	return domain.Change{
		SellerID: c.new.SellerID, Action: domain.ImportTransactions, Object: "transaction", ObjectID: c.new.ID,
	}.Diff(stateOf(*c.old), stateOf(c.new.Transaction))
}

// cancellable is what tells cancellable items apart: several may stand for one item of the cart.
type cancellable struct {
	cartItemID string
	kind       CancellableType
}

// canceledItems counts what is canceled, each cancellable item being one unit.
func canceledItems(t Transaction) map[cancellable]int {
	count := map[cancellable]int{}
	if t.CancellationInfo == nil {
		return count
	}
	for _, item := range t.CancellationInfo.CancellableItems {
		if item.CancelledAt != nil {
			count[cancellable{item.CartItemID, item.Type}]++
		}
	}
	return count
}

func notes(t Transaction, kind HistoryType) (count int) {
	for _, entry := range t.HistoryEntries {
		if entry.Type != nil && *entry.Type == kind {
			count++
		}
	}
	return count
}
