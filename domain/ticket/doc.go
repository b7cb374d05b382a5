// Package ticket holds the ticket resource (spec 2.9): what the platform's other services hand in, gates look up and scan,
// and webhooks tell of.
//
// A ticket is kept as the document that was handed in, checked against every member and enumeration of the specification
// and otherwise unchanged: numbers, free objects and unused members come back as they went in (decisions 1.6, 8.2). Beside
// it stand the few members that are searched by. The struct Ticket is the table of the resource: the check, the GraphQL
// type and the documentation come from it.
//
// Decided here, where the specification is silent:
//
//   - createdAt and updatedAt may be left out: a new ticket then has the time of the import, a known one keeps its
//     createdAt, and its updatedAt becomes the time of the import when anything else changed.
//   - sellerId must be the seller that the import is for; no other identifier is looked up (decisions 1.1).
//   - An _id names one ticket among all sellers, a barcode one ticket of a seller.
//   - A member that the resource does not have is refused: it would be lost on receivers that read the specification.
//   - Members of one kind of seat (name for _type 7, seatType and seatName for _type 6) are refused on the other.
//   - A ticket that names its transaction and cart item gets the members of that item's meta which its extraFields lack
//     (decisions 8.6), whichever of the two is imported first. Those that it has from an earlier meta go with that meta.
//   - A ticket of a canceled transaction is INVALID whatever its own service says, and of a cart item as many as it has
//     canceled: those that say so first. Here, too, it does not matter which of the two is imported first.
//   - Importing needs tickets:create, and tickets:update for records that exist (IMPORT-6).
package ticket
