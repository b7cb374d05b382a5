package apikey

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/ids"
)

// DefaultOf is the input of defaultApiKey.
type DefaultOf struct {
	SellerID ids.Seller `json:"sellerId"`
}

// Default returns a seller's default key with its secret, and creates it on the first call (KEY-6). An inactive default
// key is returned unchanged. The error is NOT_FOUND if the seller does not exist or belongs to another organization.
func (k Keys) Default(ctx context.Context, input DefaultOf) (Key, error) {
	actor, err := k.authorizeDefault(ctx, input.SellerID)
	if err != nil {
		return Key{}, err
	}
	if input.SellerID == "" {
		return Key{}, domain.Invalid("sellerId", "is required")
	}
	key, err := k.Store.DefaultKey(ctx, input.SellerID)
	if domain.HasCode(err, domain.CodeNotFound) {
		return k.makeDefault(ctx, actor)
	}
	return key, err
}

// authorizeDefault is AuthorizeSeller, except that a seller that the actor can't access is NOT_FOUND. The seller is
// looked up only after the credential and the seller header were found valid, so any later validation error concerns
// the seller.
func (k Keys) authorizeDefault(ctx context.Context, seller ids.Seller) (*domain.Actor, error) {
	lookedUp := false
	actor, err := domain.AuthorizeSeller(ctx, domain.GetDefaultAPIKey, seller,
		func(ctx context.Context, named ids.Seller) (ids.Org, domain.Features, error) {
			lookedUp = true
			if !plausible(string(named)) {
				return "", domain.Features{}, domain.NotFound("Seller")
			}
			return k.Store.Seller(ctx, named)
		})
	if lookedUp && domain.HasCode(err, domain.CodeValidationFailed) {
		return nil, domain.NotFound("Seller")
	}
	return actor, err
}

// makeDefault creates the key while holding the lock of the seller's row. Of two concurrent calls, the second returns
// the key that the first created.
func (k Keys) makeDefault(ctx context.Context, actor *domain.Actor) (key Key, err error) {
	now := k.Now()
	created := Key{Name: DefaultKeyName, SellerID: actor.SellerID, Active: true, Version: 1}
	created = created.withAccess(true, nil).made(actor, now)
	err = k.Store.InTx(ctx, func(tx Tx) error {
		if _, err := tx.LockOwner(ctx, created.Owner()); err != nil {
			return err
		}
		if key, err = tx.DefaultKey(ctx, actor.SellerID); !domain.HasCode(err, domain.CodeNotFound) {
			return err
		}
		key = created
		if err := tx.InsertDefaultKey(ctx, key); err != nil {
			return err
		}
		return tx.Audit(ctx, key.change(domain.GetDefaultAPIKey, nil))
	})
	return key, err
}
