package apikey

import (
	"context"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
)

// Reach selects the keys that an actor may see: keys of the seller that it acts on, and keys of organizations.
type Reach struct {
	SellerID ids.Seller
	OrgIDs   []ids.Org
	// AllOrganizations is set for the platform.
	AllOrganizations bool
}

// Store reads and writes keys.
type Store interface {
	InTx(ctx context.Context, f func(Tx) error) error
	// Keys returns all keys of an owner, oldest first.
	Keys(ctx context.Context, owner Owner) ([]Key, error)
	// NameCreators sets the names of the keys' creators, if they are within reach.
	NameCreators(ctx context.Context, reach domain.NameReach, keys []Key) error
	// Key returns a key within reach, or NOT_FOUND.
	Key(ctx context.Context, reach Reach, id string) (Key, error)
	// DefaultKey returns the seller's default key with its secret. It returns NOT_FOUND if it was not created yet.
	DefaultKey(ctx context.Context, seller ids.Seller) (Key, error)
	// FindKeys returns the keys within reach that match, oldest first. The filter's Expired refers to now.
	FindKeys(ctx context.Context, reach Reach, filter Filter, now time.Time, page domain.Page) (domain.List[Key], error)
	// KeysByID returns the keys with these ids that are within reach.
	KeysByID(ctx context.Context, reach Reach, ids []string) (map[string]Key, error)
	// UsageOf returns the usage of the keys within reach: their calls since a time, and the permissions that they ever
	// needed. If permission is set, it includes only that permission.
	UsageOf(
		ctx context.Context, reach Reach, ids []string, since time.Time, permission domain.Permission,
	) (map[string]Usage, error)
	// Seller returns a seller's organization and features. It returns NOT_FOUND if the seller does not exist.
	Seller(ctx context.Context, seller ids.Seller) (ids.Org, domain.Features, error)
}

// Tx reads and writes keys within a transaction.
type Tx interface {
	domain.Tx
	// LockOwner blocks concurrent creations for the owner, and returns its number of keys. It returns NOT_FOUND if the
	// owner does not exist.
	LockOwner(ctx context.Context, owner Owner) (int, error)
	// LockKey returns a key within reach and blocks concurrent changes to it.
	LockKey(ctx context.Context, reach Reach, id string) (Key, error)
	// DefaultKey returns the default key as the transaction sees it.
	DefaultKey(ctx context.Context, seller ids.Seller) (Key, error)
	// InsertKey stores a new key and the digest of its secret.
	InsertKey(ctx context.Context, key Key) error
	// InsertDefaultKey stores the default key, and its secret in encrypted form.
	InsertDefaultKey(ctx context.Context, key Key) error
	// UpdateKey stores a changed key. Removed permissions take effect on every process before the update returns.
	UpdateKey(ctx context.Context, key Key) error
	// ReplaceSecret stores a key with a new secret. Older secrets work until the given time at most.
	ReplaceSecret(ctx context.Context, key Key, until time.Time) error
}
