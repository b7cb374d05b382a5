// Package ticket implements the import, the lists and the lookups of tickets. Gates scan tickets, and webhooks publish
// them.
//
// A ticket is stored as the document that was imported, validated against every field and enumeration of the resource
// (TICKET-1). Next to it, the database keeps the few fields that are searched. Validation, the GraphQL type and the
// documentation are derived from the struct Ticket.
//
// Tickets follow their transaction: a ticket that names its transaction and cart item gets fields of the item's meta
// (SALE-2), and becomes INVALID if it was canceled (SALE-4). The order of the imports makes no difference. Importing
// needs tickets:create, and tickets:update for existing tickets (IMPORT-6).
package ticket
