package domain

import (
	"context"
	"crypto/sha256"
)

// IdempotentRequest is a request that its sender may repeat without doing its work twice: the second one gets
// the first one's answer, unless its query or its body differs (decisions 2.3).
type IdempotentRequest struct {
	// Scope is whose key it is and for what: actor, seller and path. Two callers never meet.
	Scope string
	// Key is the Idempotency-Key as sent.
	Key string
	// Digest is of the body and the query, as they were sent.
	Digest [sha256.Size]byte
}

type idempotencyKey struct{}

// WithIdempotentRequest returns a context whose first change remembers its answer under the request's key.
func WithIdempotentRequest(ctx context.Context, request IdempotentRequest) context.Context {
	return context.WithValue(ctx, idempotencyKey{}, request)
}

// IdempotentRequestOf returns the request whose answer is to be remembered, if there is one.
func IdempotentRequestOf(ctx context.Context) (IdempotentRequest, bool) {
	request, ok := ctx.Value(idempotencyKey{}).(IdempotentRequest)
	return request, ok
}

// AnsweredBefore ends a change whose request another one with the same key has already made: nothing of it
// stays, and the door gives the first one's answer.
func AnsweredBefore() *Error {
	return NewError(CodeAnsweredBefore, "A request with this Idempotency-Key has already been answered")
}
