// Package domain is the common base of all areas: the caller and its rights, the error that callers see, ids, pages,
// and the contract by which a change publishes its event and its audit entry. Value types that do not depend on the
// caller have their own packages: countries, moment, money, optional, secrets, texts.
//
// # Words
//
//   - actor: the caller. An API key, an organization key, a dashboard user, an access device, a checkout's
//     buyer or the platform itself.
//   - operation: one thing an actor may do. The table in operation.go lists its callers.
//   - permission: what an API key needs for an operation.
//   - event: a change of a resource, with a type (see event.go) and data.
//   - webhook: a seller's configuration of which events go to which listener URL.
//   - delivery: one event for one webhook. attempt: one HTTP call of a delivery.
//
// # Dependencies
//
// The areas (apikey, tenant, webhook, …) import this package and, downwards only, each other. No package under domain
// does I/O: an area declares the Store it needs, package db implements it, and cmd/ticketgate connects the two.
// Resolvers and REST handlers call the operations of the areas and contain no rules of their own.
package domain
