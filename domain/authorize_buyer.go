package domain

import (
	"context"
	"crypto/subtle"

	"ticketgate/domain/secrets"

	"ticketgate/domain/ids"
)

// SecretOwner finds whose checkout an id is and the digest of its secret, or NOT_FOUND.
type SecretOwner func(ctx context.Context, checkoutID string) (ids.Seller, secrets.Digest, error)

// AuthorizeBuyer is Authorize for what the buyer of a checkout may do as well. A credential that may do the operation
// decides alone; otherwise the secret does, which came in the input or in the header checkout-secret. A wrong secret is
// answered like none, whether there is such a checkout or not (decisions 2.3, 4.4). The actor that is returned is calling
// from then on.
func AuthorizeBuyer(ctx context.Context, op Operation, checkoutID, secret string, owner SecretOwner) (*Actor, error) {
	if secret == "" {
		secret = CallOf(ctx).CheckoutSecret
	}
	// What can't be a secret costs no query.
	if kind, ok := secrets.KindOf(secret); May(ctx, op) || !rules[op].Buyer || !ok || kind != secrets.Checkout {
		return Authorize(ctx, op)
	}
	seller, digest, err := owner(ctx, checkoutID)
	sent := secrets.DigestOf(secret)
	switch {
	case HasCode(err, CodeNotFound):
		return Authorize(ctx, op) // is refused, and counted as such
	case err != nil:
		return nil, err
	case subtle.ConstantTimeCompare(sent[:], digest[:]) != 1:
		return Authorize(ctx, op)
	}
	return &Actor{Kind: BuyerActor, ID: checkoutID, SellerID: seller}, nil
}

// noBuyer is the one answer to whoever has neither a credential nor the checkout's secret.
func noBuyer() *Error {
	return Unauthenticated("Authentication required: send the checkout's secret in the header checkout-secret, " +
		"or an API key as Authorization: Bearer <key>")
}
