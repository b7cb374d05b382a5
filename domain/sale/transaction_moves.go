package sale

import (
	"slices"

	"ticketgate/domain"
)

// transactionMoves lists the statuses that may follow each status (SALE-3). An aborted sale may still be completed, because
// its payment may arrive late.
var transactionMoves = map[TransactionStatus][]TransactionStatus{
	TransactionNew:      {TransactionReserved, TransactionAborted, TransactionComplete, TransactionCanceled},
	TransactionReserved: {TransactionAborted, TransactionComplete, TransactionCanceled},
	TransactionAborted:  {TransactionComplete, TransactionCanceled},
	TransactionComplete: {TransactionCanceled},
	TransactionCanceled: nil,
}

// MayMove reports whether a transaction with this status can change to another one. Keeping the status is always allowed.
func (s TransactionStatus) MayMove(to TransactionStatus) bool {
	return s == to || slices.Contains(transactionMoves[s], to)
}

// The events that transactions publish.
const (
	eventComplete                           = domain.TransactionComplete
	eventReserved          domain.EventType = "transaction.reservedBySystem"
	eventCanceled          domain.EventType = "transaction.canceled"
	eventPartiallyCanceled domain.EventType = "transaction.partiallyCanceled"
)

// TransactionEvent returns the event that a change publishes, and false if it publishes none (SALE-3). Old is nil for a new
// transaction.
func TransactionEvent(old *Transaction, changed Transaction) (domain.EventType, bool) {
	if old == nil || old.Status != changed.Status {
		switch changed.Status {
		case TransactionComplete:
			return eventComplete, true
		case TransactionCanceled:
			return eventCanceled, true
		case TransactionReserved:
			return eventReserved, old == nil // only if created with this status
		case TransactionNew, TransactionAborted:
		}
		return "", false
	}
	return eventPartiallyCanceled, changed.Status.sold() && partiallyCanceled(*old, changed)
}

// sold reports whether a transaction with this status can be partially canceled. NEW transactions are not sold yet, ended
// ones have nothing left to cancel.
func (s TransactionStatus) sold() bool { return s == TransactionReserved || s == TransactionComplete }

// partiallyCanceled reports whether the change cancels more items.
func partiallyCanceled(old, changed Transaction) bool {
	before, after := canceledItems(old), canceledItems(changed)
	for item, count := range after {
		if count > before[item] {
			return true
		}
	}
	return notes(changed, PartiallyCanceled) > notes(old, PartiallyCanceled)
}

// cancels reports whether the change cancels the sale, in full or in part.
func (c transactionChange) cancels() bool {
	kind, tells := TransactionEvent(c.old, c.new.Transaction)
	return tells && (kind == eventCanceled || kind == eventPartiallyCanceled)
}

// audited returns the audit log entry of a cancellation. It contains no buyer data.
func (c transactionChange) audited() domain.Change {
	type state struct {
		Status        TransactionStatus `json:"status"`
		CanceledItems int               `json:"canceledItems"`
		Notes         int               `json:"partialCancellations"`
	}
	stateOf := func(t Transaction) state {
		result := state{Status: t.Status, Notes: notes(t, PartiallyCanceled)}
		for _, count := range canceledItems(t) {
			result.CanceledItems += count
		}
		return result
	}
	return domain.Change{
		SellerID: c.new.SellerID, Action: domain.ImportTransactions, Object: "transaction", ObjectID: c.new.ID,
	}.Diff(stateOf(*c.old), stateOf(c.new.Transaction))
}

// cancellable groups cancellable items: a cart item may have several.
type cancellable struct {
	cartItemID string
	kind       CancellableType
}

// canceledItems returns the number of canceled items per group.
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
