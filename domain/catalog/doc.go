// Package catalog manages a seller's ticketed events, ticket types, scan zones and customers. The records have the
// fields that the rules of other packages need, and a free-form object, meta.
//
// # Terms
//
//   - event: a ticketed event. The events that webhooks receive are of type domain.Event. A change of a record publishes
//     one.
//   - root: a ROOT event is a series. Its dates refer to it by rootEventId.
//   - parent: a GROUP or ROOT event that contains others, which refer to it by parentEventId.
//
// Records of other systems can keep their _id (CATALOG-2). Events form a hierarchy without cycles (CATALOG-3).
// CATALOG-1 describes what can't be changed or deleted.
package catalog
