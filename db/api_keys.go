package db

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"ticketgate/domain"
	"ticketgate/domain/apikey"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/secrets"
)

// keyRow is a row of api_keys. A key belongs to either a seller or an organization. The digests of its secrets are in a
// separate table, because a rotated key has two for a while. Only the default key has a sealed secret: it can be shown
// again.
type keyRow struct {
	bun.BaseModel `bun:"table:api_keys,alias:k"`

	ID               string     `bun:"id,pk"`
	SellerID         string     `bun:"seller_id,nullzero"`
	OrganizationID   string     `bun:"organization_id,nullzero"`
	Name             string     `bun:"name"`
	Hint             string     `bun:"hint"`
	Version          int        `bun:"version"`
	Active           bool       `bun:"active"`
	IsDefault        bool       `bun:"is_default"`
	FullSellerAccess bool       `bun:"full_seller_access"`
	Permissions      []string   `bun:"permissions,array"`
	ExpiresAt        *time.Time `bun:"expires_at"`
	SealedSecret     []byte     `bun:"sealed_secret"`
	CreatedByType    string     `bun:"created_by_type"`
	CreatedByID      string     `bun:"created_by_id"`
	CreatedAt        time.Time  `bun:"created_at"`
	UpdatedAt        time.Time  `bun:"updated_at"`
	LastUsedAt       *time.Time `bun:"last_used_at,scanonly"`
}

// apiKeys includes the time of last use, but not the sealed secret, which is read only when it is shown.
var (
	apiKeys = &source[keyRow]{
		columns: `k.id, k.seller_id, k.organization_id, k.name, k.hint, k.version, k.active, k.is_default, k.full_seller_access,
			k.permissions, k.expires_at, k.created_by_type, k.created_by_id, k.created_at, k.updated_at, u.last_used_at`,
		joins: keyUses,
	}
	shownKeys = &source[keyRow]{columns: "?TableColumns, u.last_used_at", joins: keyUses}
	keyUses   = []string{"LEFT JOIN api_key_uses u ON u.api_key_id = k.id"}
)

const keyName = "API key"

// keySecretRow is a row of api_key_secrets: the digest of one secret of a key.
type keySecretRow struct {
	bun.BaseModel `bun:"table:api_key_secrets,alias:x"`

	Digest     []byte     `bun:"digest,pk"`
	KeyID      string     `bun:"api_key_id"`
	ValidUntil *time.Time `bun:"valid_until"`
}

var keySecrets = &source[keySecretRow]{}

func keyRowOf(k apikey.Key) *keyRow {
	stored := &keyRow{
		ID: k.ID, SellerID: string(k.SellerID), OrganizationID: string(k.OrgID), Name: k.Name, Hint: k.Hint,
		Version: k.Version, Active: k.Active, FullSellerAccess: k.HasFullAccess(), Permissions: plain(k.Permissions),
		CreatedByType: string(k.CreatedBy.Type), CreatedByID: k.CreatedBy.ID,
		CreatedAt: k.CreatedAt.Time, UpdatedAt: k.UpdatedAt.Time,
	}
	if k.ExpiresAt != nil {
		stored.ExpiresAt = &k.ExpiresAt.Time
	}
	return stored
}

func (r keyRow) toDomain() apikey.Key {
	key := apikey.Key{
		ID: r.ID, SellerID: ids.Seller(r.SellerID), OrgID: ids.Org(r.OrganizationID), Name: r.Name, Hint: r.Hint,
		Version: r.Version, Active: r.Active, ExpiresAt: optionalTime(r.ExpiresAt), LastUsedAt: optionalTime(r.LastUsedAt),
		CreatedBy: domain.Creator{Type: domain.CreatorType(r.CreatedByType), ID: r.CreatedByID},
		CreatedAt: moment.New(r.CreatedAt), UpdatedAt: moment.New(r.UpdatedAt),
	}
	if !key.OfOrganization() {
		full := r.FullSellerAccess
		key.FullSellerAccess, key.Permissions = &full, make([]domain.Permission, 0, len(r.Permissions))
		for _, permission := range r.Permissions {
			key.Permissions = append(key.Permissions, domain.Permission(permission))
		}
	}
	return key
}

func optionalTime(when *time.Time) *moment.DateTime {
	if when == nil {
		return nil
	}
	known := moment.New(*when)
	return &known
}

// sealedFor returns the name under which a default key's secret is sealed. A sealed secret that is copied to another
// key or seller can't be opened.
func (r keyRow) sealedFor() string { return "api_keys/" + r.SellerID + "/" + r.ID }

// APIKeys returns the store of package apikey.
func (s *Store) APIKeys() apikey.Store {
	return apiKeyStore{s, transactor[apikey.Tx]{s, func(tx *Tx) apikey.Tx { return tx }}}
}

type apiKeyStore struct {
	*Store
	transactor[apikey.Tx]
}

func keysOf(owner apikey.Owner) *query[keyRow] {
	return apiKeys.where("k.seller_id = $ OR k.organization_id = $", string(owner.SellerID), string(owner.OrgID))
}

// Keys returns all keys of an owner, oldest first.
func (s apiKeyStore) Keys(ctx context.Context, owner apikey.Owner) ([]apikey.Key, error) {
	return readAll(ctx, s.Store, s.sql, keysOf(owner).orderBy("k.id"), keyRow.key)
}

// NameCreators sets the names of the keys' creators, if they are within reach.
func (s apiKeyStore) NameCreators(ctx context.Context, reach domain.NameReach, keys []apikey.Key) error {
	creators := make([]string, len(keys))
	for i, key := range keys {
		creators[i] = key.CreatedBy.ID
	}
	names, err := s.names(ctx, reach, creators)
	for i, key := range keys {
		name := names[named{Kind: string(key.CreatedBy.Type), ID: key.CreatedBy.ID}]
		if name == "" && key.CreatedBy.Type == domain.CreatedByAPIKey { // CreatedBy does not distinguish the two kinds of keys
			name = names[named{Kind: actorKindNames[domain.OrganizationKeyActor], ID: key.CreatedBy.ID}]
		}
		keys[i].CreatorName = optionalText(name)
	}
	return err
}

// Key returns a key within reach.
func (s apiKeyStore) Key(ctx context.Context, reach apikey.Reach, id string) (apikey.Key, error) {
	return keyWithin(ctx, s.Store, s.sql, reach, id, "")
}

// DefaultKey returns a seller's default key with its secret.
func (s apiKeyStore) DefaultKey(ctx context.Context, seller ids.Seller) (apikey.Key, error) {
	return defaultKey(ctx, s.Store, s.sql, seller)
}

// Seller returns a seller's organization and features.
func (s apiKeyStore) Seller(ctx context.Context, seller ids.Seller) (ids.Org, domain.Features, error) {
	return s.credentials.Seller(ctx, seller)
}

func keyWithin(ctx context.Context, s *Store, on conn, reach apikey.Reach, id, lock string) (apikey.Key, error) {
	found, err := keysWithin(reach).withID(id).forUpdate(lock).row(ctx, s, on, keyName)
	return found.toDomain(), err
}

func keysWithin(reach apikey.Reach) *query[keyRow] {
	return apiKeys.where("k.seller_id = $ OR k.organization_id = ANY($) OR ($ AND k.organization_id IS NOT NULL)",
		string(reach.SellerID), plain(reach.OrgIDs), reach.AllOrganizations)
}

// KeysByID returns keys within reach by id.
func (s apiKeyStore) KeysByID(ctx context.Context, reach apikey.Reach, ids []string) (map[string]apikey.Key, error) {
	found, err := keysWithin(reach).withIDs(ids).rows(ctx, s.Store, s.sql)
	return byID(found, err, keyRow.key, func(k apikey.Key) string { return k.ID })
}

func (r keyRow) key() (apikey.Key, error) { return r.toDomain(), nil }

// FindKeys lists the keys within reach that match the filter.
func (s apiKeyStore) FindKeys(
	ctx context.Context, reach apikey.Reach, f apikey.Filter, now time.Time, page domain.Page,
) (domain.List[apikey.Key], error) {
	// The second condition finds keys by index. With the first alone, the planner expects so many rows that it scans
	// the keys of all sellers.
	q := apiKeys.where("k.seller_id = $ OR k.organization_id = ANY($)", string(reach.SellerID), plain(reach.OrgIDs)).
		where("k.id = ANY(ARRAY(SELECT o.id FROM api_keys o WHERE o.seller_id = $1 OR o.organization_id = ANY($2)))").
		filteredBy(nil,
			filter{
				condition: "(k.full_seller_access OR k.permissions @> ARRAY[$::text] OR ($ AND k.organization_id IS NOT NULL))",
				kind:      "text", args: []any{string(f.Permission), domain.OrganizationKeyMay(f.Permission)}, used: f.Permission != "",
			},
			filter{
				condition: "coalesce(k.expires_at <= $, false) = $", kind: "timestamptz", args: []any{now, f.Expired},
				used: f.Expired != nil,
			},
			whether("k.active", f.Active), at("k.expires_at >= $", f.ExpiresFrom), at("k.expires_at < $", f.ExpiresUntil),
			at("coalesce(u.last_used_at, '-infinity') < $", f.UnusedSince))
	return listing[keyRow, apikey.Key]{query: q, id: "k.id", item: keyRow.key}.page(ctx, s.Store, page)
}

func defaultKey(ctx context.Context, s *Store, on conn, seller ids.Seller) (apikey.Key, error) {
	found, err := shownKeys.of(seller).where("k.is_default").row(ctx, s, on, keyName)
	if err != nil {
		return apikey.Key{}, err
	}
	secret, err := s.sealer.Open(found.sealedFor(), found.SealedSecret)
	key := found.toDomain()
	key.Secret = string(secret)
	return key, err
}

// LockOwner locks the owner, so that no other key is created for it, and counts its keys. NO KEY allows writes of rows
// that only refer to the owner.
func (tx *Tx) LockOwner(ctx context.Context, owner apikey.Owner) (int, error) {
	var err error
	if owner.OrgID != "" {
		_, err = organizations.all().withID(string(owner.OrgID)).forUpdate("NO KEY UPDATE").row(ctx, tx.store, tx, "Organization")
	} else {
		_, err = sellers.all().withID(string(owner.SellerID)).forUpdate("NO KEY UPDATE").row(ctx, tx.store, tx, "Seller")
	}
	if err != nil {
		return 0, err
	}
	// A separate statement sees rows that were committed while the previous one waited for the lock.
	return keysOf(owner).count(ctx, tx.store, tx)
}

// LockKey returns a key within reach and locks it.
func (tx *Tx) LockKey(ctx context.Context, reach apikey.Reach, id string) (apikey.Key, error) {
	return keyWithin(ctx, tx.store, tx, reach, id, "NO KEY UPDATE OF k")
}

// DefaultKey reads the default key within the transaction.
func (tx *Tx) DefaultKey(ctx context.Context, seller ids.Seller) (apikey.Key, error) {
	return defaultKey(ctx, tx.store, tx, seller)
}

// InsertKey stores a new key and the digest of its secret. It leaves the credential epoch unchanged: no process can
// have cached the new secret, so it works at once.
func (tx *Tx) InsertKey(ctx context.Context, key apikey.Key) error {
	return tx.insertKey(ctx, keyRowOf(key), key.Secret)
}

// InsertDefaultKey is like InsertKey, for the default key, whose secret can be shown again.
func (tx *Tx) InsertDefaultKey(ctx context.Context, key apikey.Key) error {
	stored := keyRowOf(key)
	stored.IsDefault, stored.SealedSecret = true, tx.store.sealer.Seal(stored.sealedFor(), []byte(key.Secret))
	return tx.insertKey(ctx, stored, key.Secret)
}

func (tx *Tx) insertKey(ctx context.Context, stored *keyRow, secret string) error {
	if err := tx.insert(ctx, stored); err != nil {
		return err
	}
	return tx.insertSecret(ctx, stored.ID, secret)
}

func (tx *Tx) insertSecret(ctx context.Context, keyID, secret string) error {
	digest := secrets.DigestOf(secret)
	return tx.insert(ctx, &keySecretRow{Digest: digest[:], KeyID: keyID})
}

// UpdateKey writes the columns that an update of a key can change.
func (tx *Tx) UpdateKey(ctx context.Context, key apikey.Key) error {
	stored := keyRowOf(key)
	err := apiKeys.all().withID(key.ID).
		setFields(tx.store, stored, "name", "active", "full_seller_access", "permissions", "expires_at", "updated_at").
		updateOne(ctx, tx.store, tx, keyName)
	if err != nil {
		return err
	}
	return tx.bumpEpoch(ctx)
}

// ReplaceSecret stores a key with a new secret. Older secrets expire at until, or earlier if they already had an
// earlier expiry (LEAST ignores NULL). Expired secrets are deleted.
func (tx *Tx) ReplaceSecret(ctx context.Context, key apikey.Key, until time.Time) error {
	stored := keyRowOf(key)
	sealed := tx.store.sealer.Seal(stored.sealedFor(), []byte(key.Secret))
	err := apiKeys.all().withID(key.ID).setFields(tx.store, stored, "hint", "version", "updated_at").
		set("sealed_secret = CASE WHEN is_default THEN $::bytea END", sealed).updateOne(ctx, tx.store, tx, keyName)
	if err != nil {
		return err
	}
	if _, err := keySecrets.where("x.api_key_id = $", key.ID).set("valid_until = least(valid_until, $)", until).
		update(ctx, tx.store, tx); err != nil {
		return err
	}
	if _, err := keySecrets.where("x.api_key_id = $ AND x.valid_until <= $", key.ID, tx.store.now()).
		delete(ctx, tx.store, tx); err != nil {
		return err
	}
	if err := tx.insertSecret(ctx, stored.ID, key.Secret); err != nil {
		return err
	}
	return tx.bumpEpoch(ctx)
}
