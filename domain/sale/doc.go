// Package sale is what happens when tickets are sold: transactions (spec 2.8) and what leads to them.
//
// A transaction is kept as the document that was handed in, checked against every member and enumeration of the
// specification. It comes back as it went in (decisions 1.6, 8.2) but for what the specification says is computed
// (decisions 8.6):
//
//   - a fee component's total is its amount times its value, where it has both;
//   - a cart item without _id gets one, and keeps it when the transaction is handed in again;
//   - a cart item without taxRate has the transaction's;
//   - the members of a cart item's meta become members of its tickets' extraFields, where those lack them;
//   - preferredLanguage is taken from Accept-Language when a new transaction lacks it.
//
// Decided here, where the specification is silent:
//
//   - A transaction may be created in any status. It leaves NEW for any other, RESERVED-BY-SYSTEM for all but NEW, ABORTED
//     for COMPLETE (a payment that came late) or CANCELED, COMPLETE for CANCELED only, and CANCELED never. Any other
//     change of status is INVALID_STATE.
//   - One import publishes at most one transaction.* event for each transaction: that of its move, or else
//     transaction.partiallyCanceled when further cancellable items have a cancelledAt or the history has a further
//     entry partial.canceled.
//   - What is canceled lets nobody in: the tickets of a transaction that moves to CANCELED become INVALID, and of
//     a cart item as many as it has cancellable tickets with a cancelledAt: those that are INVALID already count first, then
//     the oldest. Each of them publishes ticket.updated.
//   - createdAt and updatedAt are optional in the resource and never filled in. A transaction without createdAt stands
//     in lists where it was first imported.
//   - sellerId must be the seller that the import is for; no other identifier is looked up (decisions 1.1).
//   - Importing needs transactions:create, and transactions:update for records that exist (IMPORT-6). A new transaction that
//     changes existing tickets needs tickets:update or transactions:update (IMPORT-9).
//
// # Checkouts
//
// A checkout is what a buyer is about to buy. It is NEW, has DETAILS once the buyer has told of itself, and ends COMPLETE
// or ABORTED; nothing leaves these two. Completing it makes everything at once or nothing: transaction, tickets and events.
// docs/checkout.md says the rest (decisions 8.4).
package sale
