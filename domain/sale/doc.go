// Package sale implements the sale of tickets: checkouts, purchase intents, transactions and their invoices.
//
// # Transactions
//
// Transactions are imported from the platform's other services. A transaction is validated against every field and
// enumeration of the resource, stored as a document and returned as it was imported, apart from its computed fields (SALE-2):
//
//   - the total of a fee component is its amount times its value, if it has both;
//   - a cart item without _id gets one, and keeps it when the transaction is imported again;
//   - a cart item without taxRate gets the transaction's;
//   - the fields of a cart item's meta are added to the extraFields of its tickets, unless those have them;
//   - a new transaction without preferredLanguage gets the language of Accept-Language.
//
// Its status changes only as the table in transaction_moves.go allows, and an import publishes at most one transaction.*
// event for it (SALE-3). Cancellations make tickets INVALID (SALE-4) and issue cancellation invoices (SALE-8).
//
// createdAt and updatedAt are optional and not filled in. A transaction without createdAt is listed by the time of its
// first import. sellerId must be the seller that the import is for. Other references are not looked up (SALE-12).
// IMPORT-6 and IMPORT-9 describe the permissions.
//
// # Checkouts
//
// A checkout is an order that a buyer is about to pay for. It is NEW, then DETAILS once it has the buyer's details, and ends
// as COMPLETE or ABORTED. Completing it creates the transaction, its tickets, its invoice and their events in one commit
// (SALE-6). See docs/checkout.md.
package sale
