package domain

import "context"

// Position is a position in the database's write-ahead log. Every change has one. A replica at a position has all
// changes up to it.
type Position uint64

type positionKey struct{}

// FromReplica returns a context whose reads may be served by a replica that has reached position at.
func FromReplica(ctx context.Context, at Position) context.Context {
	return context.WithValue(ctx, positionKey{}, at)
}

// ReplicaPosition returns the position that a replica must have reached to serve a read. ok is false if only the
// primary may serve it.
func ReplicaPosition(ctx context.Context) (at Position, ok bool) {
	at, ok = ctx.Value(positionKey{}).(Position)
	return at, ok
}

// MayLag reports whether the dashboard may read the operation's result from a replica.
func MayLag(op Operation) bool { return rules[op].MayLag }
