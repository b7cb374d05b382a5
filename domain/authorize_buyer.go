package domain

import (
	"context"
	"crypto/subtle"

	"ticketgate/domain/secrets"

	"ticketgate/domain/ids"
)

// SecretOwner returns the seller of a checkout and the digest of its secret, or NOT_FOUND.
type SecretOwner func(ctx context.Context, checkoutID string) (ids.Seller, secrets.Digest, error)

// AuthorizeBuyer is Authorize for an operation that the buyer of the checkout may run too. If the credential has the
// right, it decides alone. Otherwise the secret in the input or in the header checkout-secret decides. A wrong secret
// gets the same error as a missing one, whether or not the checkout exists (AUTH-2). The returned actor is the caller
// from then on.
func AuthorizeBuyer(ctx context.Context, op Operation, checkoutID, secret string, owner SecretOwner) (*Actor, error) {
	if secret == "" {
		secret = CallOf(ctx).CheckoutSecret
	}
	// A text that can't be a secret costs no query.
	if kind, ok := secrets.KindOf(secret); May(ctx, op) || !rules[op].Buyer || !ok || kind != secrets.Checkout {
		return Authorize(ctx, op)
	}
	seller, digest, err := owner(ctx, checkoutID)
	sent := secrets.DigestOf(secret)
	switch {
	case HasCode(err, CodeNotFound):
		return Authorize(ctx, op) // refuses the call and counts the refusal
	case err != nil:
		return nil, err
	case subtle.ConstantTimeCompare(sent[:], digest[:]) != 1:
		return Authorize(ctx, op)
	}
	return &Actor{Kind: BuyerActor, ID: checkoutID, SellerID: seller}, nil
}

// noBuyer returns the error for a caller with neither a credential nor the checkout's secret.
func noBuyer() *Error {
	return Unauthenticated("Authentication required: send the checkout's secret in the header checkout-secret, " +
		"or an API key as Authorization: Bearer <key>")
}
