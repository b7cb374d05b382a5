package apikey

import (
	"context"
	"reflect"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/secrets"
)

// Keys implements the operations on API keys.
type Keys struct {
	Store Store
	Now   func() time.Time
}

// Create creates a key for the seller that the call acts on, or with OrgID for the organization, and returns it with
// its secret. If the owner has MaxKeys keys, the error is API_KEY_LIMIT_REACHED (KEY-8).
func (k Keys) Create(ctx context.Context, input NewKey) (Key, error) {
	actor, owner, err := authorizeOwner(ctx, domain.CreateAPIKey, input.OrgID)
	if err != nil {
		return Key{}, err
	}
	now := k.Now()
	key, err := input.key(owner, now)
	if err != nil {
		return Key{}, err
	}
	key = key.made(actor, now)
	err = k.Store.InTx(ctx, func(tx Tx) error {
		count, err := tx.LockOwner(ctx, owner)
		if err != nil {
			return err
		}
		if count >= MaxKeys {
			return limitReached(owner)
		}
		if err := tx.InsertKey(ctx, key); err != nil {
			return err
		}
		tx.SetResponse(key)
		return tx.Audit(ctx, key.change(domain.CreateAPIKey, nil))
	})
	return key, err
}

// List returns all keys of the seller that the call acts on, or with orgID of the organization. They are ordered oldest
// first and have no secrets.
func (k Keys) List(ctx context.Context, orgID *ids.Org) ([]Key, error) {
	actor, owner, err := authorizeOwner(ctx, domain.ListAPIKeys, orgID)
	if err != nil {
		return nil, err
	}
	keys, err := k.Store.Keys(ctx, owner)
	if err != nil {
		return nil, err
	}
	return keys, k.Store.NameCreators(ctx, owner.nameReach(actor), keys)
}

// nameReach returns the creators whose names actor may see. The actor must be allowed to read the owner's keys.
func (o Owner) nameReach(actor *domain.Actor) domain.NameReach {
	if o.SellerID == "" {
		return actor.NameReach("", o.OrgID)
	}
	return actor.NameReach(o.SellerID, actor.OrgID)
}

// Get returns a key without its secret. A key of another owner is NOT_FOUND.
func (k Keys) Get(ctx context.Context, id string) (Key, error) {
	reach, err := authorizeReach(ctx, domain.GetAPIKey)
	if err != nil {
		return Key{}, err
	}
	return within(reach, func() (Key, error) { return k.named(ctx, reach.Reach, id) }, id)
}

// named returns a key within reach with its creator's name.
func (k Keys) named(ctx context.Context, reach Reach, id string) (Key, error) {
	key, err := k.Store.Key(ctx, reach, id)
	if err != nil {
		return Key{}, err
	}
	found := []Key{key}
	err = k.Store.NameCreators(ctx, key.Owner().nameReach(domain.ActorOf(ctx)), found)
	return found[0], err
}

// Info returns the calling key, without its secret.
func (k Keys) Info(ctx context.Context) (Key, error) {
	actor, err := domain.Authorize(ctx, domain.GetAPIKeyInfo)
	if err != nil {
		return Key{}, err
	}
	reach := Reach{SellerID: actor.SellerID}
	if actor.Kind == domain.OrganizationKeyActor {
		reach = Reach{OrgIDs: []ids.Org{actor.OrgID}}
	}
	return k.Store.Key(ctx, reach, actor.ID)
}

// Permissions returns all permissions that can be assigned to a seller's key.
func (k Keys) Permissions(ctx context.Context) ([]domain.Permission, error) {
	if _, err := domain.Authorize(ctx, domain.ListPermissions); err != nil {
		return nil, err
	}
	return domain.Permissions(), nil
}

// Update changes a key and returns it without its secret. The change takes effect on every process before Update
// returns (KEY-1). An update without changes writes nothing.
func (k Keys) Update(ctx context.Context, id string, change Change) (Key, error) {
	reach, err := authorizeReach(ctx, domain.UpdateAPIKey)
	if err != nil {
		return Key{}, err
	}
	return within(reach, func() (Key, error) { return k.update(ctx, reach.Reach, id, change) }, id)
}

func (k Keys) update(ctx context.Context, reach Reach, id string, change Change) (Key, error) {
	records := domain.Records[Key, Tx]{
		Now: k.Now, InTx: k.Store.InTx,
		Read: func(ctx context.Context, _ ids.Seller, id string) (Key, error) { return k.Store.Key(ctx, reach, id) },
		Lock: func(tx Tx, ctx context.Context, _ ids.Seller, id string) (Key, error) {
			return tx.LockKey(ctx, reach, id)
		},
		Replace: Tx.UpdateKey, UpdatedAt: func(key *Key) *moment.DateTime { return &key.UpdatedAt },
		Same: func(before, after *Key) bool { return reflect.DeepEqual(before, after) },
		Follow: func(ctx context.Context, tx Tx, action domain.Operation, before, after *Key) error {
			return tx.Audit(ctx, after.change(action, before))
		},
	}
	return records.Change(ctx, domain.UpdateAPIKey, reach.SellerID, id, change.ExpectedUpdatedAt, func(_ Tx, old Key) (Key, error) {
		return change.apply(old, k.Now())
	})
}

// Rotate gives a key a new secret, increments its version, and returns it with the secret. The old secret keeps working
// during the overlap, but not beyond the key's expiry. An expired key can't be rotated.
func (k Keys) Rotate(ctx context.Context, input Rotation) (Key, error) {
	reach, err := authorizeReach(ctx, domain.RotateAPIKey)
	if err != nil {
		return Key{}, err
	}
	return within(reach, func() (Key, error) { return k.rotate(ctx, reach.Reach, input) }, input.ID)
}

func (k Keys) rotate(ctx context.Context, reach Reach, input Rotation) (key Key, err error) {
	found, err := k.Store.Key(ctx, reach, input.ID)
	if err == nil {
		_, err = input.until(found, k.Now())
	}
	if err != nil {
		return Key{}, err
	}
	secret := secrets.New(secrets.APIKey)
	err = k.Store.InTx(ctx, func(tx Tx) error {
		old, err := tx.LockKey(ctx, reach, input.ID)
		if err != nil {
			return err
		}
		now := k.Now()
		until, err := input.until(old, now)
		if err != nil {
			return err
		}
		key = old
		key.Version++
		key.Secret, key.Hint, key.UpdatedAt = secret, secrets.Hint(secret), domain.NextUpdate(now, old.UpdatedAt)
		if err := tx.ReplaceSecret(ctx, key, until); err != nil {
			return err
		}
		return tx.Audit(ctx, key.change(domain.RotateAPIKey, &old))
	})
	return key, err
}

// made returns the key with the fields that every new key gets.
func (k Key) made(actor *domain.Actor, now time.Time) Key {
	k.ID, k.Secret = ids.New(now), secrets.New(secrets.APIKey)
	k.Hint = secrets.Hint(k.Secret)
	k.CreatedBy = actor.Creator()
	k.CreatedAt = moment.New(now)
	k.UpdatedAt = k.CreatedAt
	return k
}

// change returns the audit entry of an operation on the key. old is nil for a new key.
func (k Key) change(op domain.Operation, old *Key) domain.Change {
	entry := domain.Change{SellerID: k.SellerID, OrgID: k.OrgID, Action: op, Object: "apiKey", ObjectID: k.ID}
	if old == nil {
		return entry.Diff(nil, k.audited())
	}
	return entry.Diff(old.audited(), k.audited())
}
