package domain

import (
	"context"
	"crypto/sha256"
)

// IdempotentRequest is a request that its sender may repeat without repeating its effect. A repetition returns the
// first response, unless its query or body differs.
type IdempotentRequest struct {
	// Scope identifies the owner and purpose of the key: actor, seller and path. Keys of two callers never collide.
	Scope string
	// Key is the Idempotency-Key as sent.
	Key string
	// Digest is the digest of the body and the query as sent.
	Digest [sha256.Size]byte
}

type idempotencyKey struct{}

// WithIdempotentRequest returns a context whose first change stores its response under the request's key.
func WithIdempotentRequest(ctx context.Context, request IdempotentRequest) context.Context {
	return context.WithValue(ctx, idempotencyKey{}, request)
}

// IdempotentRequestOf returns the request whose response is to be stored, if there is one.
func IdempotentRequestOf(ctx context.Context) (IdempotentRequest, bool) {
	request, ok := ctx.Value(idempotencyKey{}).(IdempotentRequest)
	return request, ok
}

// AlreadyAnswered returns the error that ends a change whose request was already made with the same key. The change is
// rolled back and the API returns the first response.
func AlreadyAnswered() *Error {
	return NewError(CodeAnsweredBefore, "A request with this Idempotency-Key has already been answered")
}
