// Package relay shows domain lists as connections, the shape that Relay, Apollo and urql know. It is apart from
// package graph because the generated executor imports it.
package relay
