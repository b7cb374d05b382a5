// Package catalog is what a seller's tickets are sold for and to whom: ticketed events, ticket types, scan zones and
// customers. The specification names these records and shows no fields of theirs; they hold what the rules of the
// other areas need, and a free object meta (decisions 8.1).
//
// # Words
//
//   - event: here what people go to, not what webhooks tell of; a domain.Event is published when one changes.
//   - root: a ROOT event stands for a series, whose dates name it as their rootEventId.
//   - parent: a GROUP or ROOT event that gathers others, which name it as their parentEventId.
//
// # What may be imported
//
// Records of another system may keep the _id they have there: tickets that are handed in name events and ticket types
// by it. An _id is unique within its seller, so no seller can take another's. Lists are therefore ordered by createdAt
// before _id (decisions 3.2).
//
// # What stays
//
// The type of an event and the event of a ticket type never change: what refers to them was checked against them. An
// event is deleted with its ticket types and scan zones, and only while no other event, ticket or scan group refers
// to it.
package catalog
