// Package domain is what every area stands on: who is calling, what they may do, the one error a caller may
// see, identifiers, pages, and the contract by which a change publishes its event and its audit entry. Values that know no
// caller have packages of their own: countries, moment, money, optional, secrets, texts.
//
// # Words
//
//   - actor: who is calling. An API key, an organization key, a dashboard user, an access device, a checkout's
//     buyer or the platform itself.
//   - operation: one thing an actor may do; the table in operation.go says who may.
//   - permission: what an API key needs for an operation (spec 2.1).
//   - event: something happened to a resource; it has a type of spec 6.1 and data.
//   - webhook: a seller's configuration of which events go to which listener URL.
//   - delivery: one event on its way to one webhook. attempt: one HTTP call of a delivery.
//
// # Arrows
//
// The areas (apikey, tenant, webhook, …) import this package and, downwards only, each other. Nothing below
// domain does I/O: an area declares the Store it needs, package db implements it, package cmd/ticketgate joins
// the two. Resolvers and REST handlers call the areas' operations and hold no rule of their own.
package domain
