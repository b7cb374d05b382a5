package domain

import "context"

// Position is a place in the log of the database's changes. A change has one, and a replica has all changes up to one.
type Position uint64

type positionKey struct{}

// FromReplica returns the context of a request whose reads a replica may answer that has all changes up to a position.
func FromReplica(ctx context.Context, at Position) context.Context {
	return context.WithValue(ctx, positionKey{}, at)
}

// ReplicaPosition returns the position that a replica needs to have reached to answer a read. Without one only the primary answers.
func ReplicaPosition(ctx context.Context) (at Position, ok bool) {
	at, ok = ctx.Value(positionKey{}).(Position)
	return at, ok
}

// MayLag reports whether the dashboard takes what an operation returns from a replica.
func MayLag(op Operation) bool { return rules[op].MayLag }
