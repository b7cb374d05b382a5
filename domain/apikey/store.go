package apikey

import (
	"context"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
)

// Reach is which keys an actor may see: those of the seller it acts on, and those of organizations.
type Reach struct {
	SellerID ids.Seller
	OrgIDs   []ids.Org
	// AllOrganizations is the platform's reach.
	AllOrganizations bool
}

// Store is what the keys need from a database.
type Store interface {
	InTx(ctx context.Context, f func(Tx) error) error
	// Keys returns all keys of an owner, oldest first.
	Keys(ctx context.Context, owner Owner) ([]Key, error)
	// NameCreators fills in who made the keys, of those that are within reach.
	NameCreators(ctx context.Context, reach domain.NameReach, keys []Key) error
	// Key returns a key within reach; NOT_FOUND otherwise.
	Key(ctx context.Context, reach Reach, id string) (Key, error)
	// DefaultKey returns the seller's default key with its secret; NOT_FOUND when there is none yet.
	DefaultKey(ctx context.Context, seller ids.Seller) (Key, error)
	// FindKeys lists the keys within reach that match, oldest first. Those that have expired have done so by now.
	FindKeys(ctx context.Context, reach Reach, filter Filter, now time.Time, page domain.Page) (domain.List[Key], error)
	// KeysByID returns those of the keys that are within reach.
	KeysByID(ctx context.Context, reach Reach, ids []string) (map[string]Key, error)
	// UsageOf returns what the keys within reach did since a day, and all that they ever needed, or of it one permission.
	UsageOf(
		ctx context.Context, reach Reach, ids []string, since time.Time, permission domain.Permission,
	) (map[string]Usage, error)
	// Seller returns a seller's organization and features; NOT_FOUND when there is no such seller.
	Seller(ctx context.Context, seller ids.Seller) (ids.Org, domain.Features, error)
}

// Tx is what a change of keys needs.
type Tx interface {
	domain.Tx
	// LockOwner makes other creations for the owner wait, and returns how many keys it has; NOT_FOUND when
	// there is no such owner.
	LockOwner(ctx context.Context, owner Owner) (int, error)
	// LockKey returns a key within reach and makes other changes of it wait.
	LockKey(ctx context.Context, reach Reach, id string) (Key, error)
	// DefaultKey is the Store's, seen from this transaction.
	DefaultKey(ctx context.Context, seller ids.Seller) (Key, error)
	// InsertKey stores a new key and the digest of its secret.
	InsertKey(ctx context.Context, key Key) error
	// InsertDefaultKey is InsertKey for the default key, whose secret is also stored sealed.
	InsertDefaultKey(ctx context.Context, key Key) error
	// UpdateKey stores a changed key. What it may no longer do holds on every process once the change is answered.
	UpdateKey(ctx context.Context, key Key) error
	// ReplaceSecret stores a key with a new secret; its older ones work until the given instant at most.
	ReplaceSecret(ctx context.Context, key Key, until time.Time) error
}
