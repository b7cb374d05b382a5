package db

import (
	"context"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/apikey"
	"ticketgate/domain/ids"
	"ticketgate/domain/scan"
	"ticketgate/domain/secrets"
	"ticketgate/domain/tenant"
)

// Credentials serves the credential checks of every request: from the cache while the process holds its lease, and
// otherwise from the database (docs/internals/credentials.md).
type Credentials struct {
	store *Store
	lease *Lease

	keys     cache[secrets.Digest, apikey.KeyCredential]
	sessions cache[secrets.Digest, tenant.SessionCredential]
	sellers  cache[ids.Seller, sellerCredential]
	devices  cache[secrets.Digest, apikey.DeviceCredential]
	gates    cache[string, scan.Gate]

	keyUses, sessionUses, deviceUses *uses
	keyCalls                         *keyCalls
}

// sellerCredential is the data of a seller that a credential check needs.
type sellerCredential struct {
	moveColumns

	OrganizationID string
	Webhooks       bool
	Siren          bool
}

var sellerCredentials = &source[sellerCredential]{
	columns: "s.organization_id, s.webhooks, s.siren, " + moveFields, table: "sellers AS s",
	joins: []string{"LEFT JOIN seller_moves v ON v.seller_id = s.id"},
}

func newCredentials(s *Store, url string) *Credentials {
	c := &Credentials{store: s}
	c.lease = newLease(s, url, c.purge)
	c.keyUses = newUses(c.writeKeyUses)
	c.sessionUses = newUses(s.touchSessions)
	c.deviceUses = newUses(c.writeDeviceUses)
	c.keyCalls = newKeyCalls(s)
	return c
}

// Credentials returns the process's credential checks, which implement the store of apikey.Authenticator.
func (s *Store) Credentials() *Credentials { return s.credentials }

// Lease returns the process's lease, which also marks the process as running.
func (s *Store) Lease() *Lease { return s.credentials.lease }

// Start starts to renew the lease and to write times of use and counts of calls. Before Start and after Stop, every
// check reads the database.
func (c *Credentials) Start(ctx context.Context) {
	c.lease.Start(ctx)
	c.keyUses.start(ctx)
	c.sessionUses.start(ctx)
	c.deviceUses.start(ctx)
	c.keyCalls.start(ctx)
}

// Stop writes pending times and counts, and then gives up the lease. ctx bounds how long this takes.
func (c *Credentials) Stop(ctx context.Context) {
	c.keyUses.stop(ctx)
	c.sessionUses.stop(ctx)
	c.deviceUses.stop(ctx)
	c.keyCalls.stop(ctx)
	c.lease.Stop(ctx)
}

// purge clears all caches.
func (c *Credentials) purge() {
	c.keys.purge()
	c.sessions.purge()
	c.sellers.purge()
	c.devices.purge()
	c.gates.purge()
}

// KeyCredential returns the credential of a key's secret. It is served from the cache only if it authenticates at the
// given time, so that an inactive key costs the same statement as an unknown one.
func (c *Credentials) KeyCredential(ctx context.Context, digest secrets.Digest, now time.Time) (apikey.KeyCredential, error) {
	return getCached(c.lease, &c.keys, digest,
		func(key *apikey.KeyCredential) bool { return key.Alive(now) },
		func() (apikey.KeyCredential, error) { return c.readKey(ctx, digest) })
}

// SessionCredential returns the credential of a session's secret. It is read again if this process has not seen the
// session for a while, since the session may have been used on another process.
func (c *Credentials) SessionCredential(
	ctx context.Context, digest secrets.Digest, now time.Time,
) (tenant.SessionCredential, error) {
	return getCached(c.lease, &c.sessions, digest,
		func(session *tenant.SessionCredential) bool {
			return session.Alive(now, session.LastUsedAt, 2*useEvery)
		},
		func() (tenant.SessionCredential, error) { return c.store.sessionCredential(ctx, digest) })
}

// Seller returns a seller's organization and features.
func (c *Credentials) Seller(ctx context.Context, seller ids.Seller) (ids.Org, domain.Features, error) {
	found, err := getCached(c.lease, &c.sellers, seller,
		func(*sellerCredential) bool { return true },
		func() (sellerCredential, error) { return c.readSeller(ctx, seller) })
	return ids.Org(found.OrganizationID), domain.Features{Webhooks: found.Webhooks, SIREN: found.Siren}, err
}

// NoteKeyUse records that a key was used. It never blocks.
func (c *Credentials) NoteKeyUse(keyID string, at time.Time) { c.keyUses.note(keyID, at) }

// NoteKeyCall counts a call by its status if it was made with a key. It never blocks.
func (c *Credentials) NoteKeyCall(call *domain.KeyCall, status int, at time.Time) {
	c.keyCalls.note(call, status, at)
}

// NoteSessionUse records that a session was used. It never blocks.
func (c *Credentials) NoteSessionUse(sessionID string, at time.Time) {
	c.sessionUses.note(sessionID, at)
}

// keyCredentialRow is the data for authentication with a key, read in one statement: the key, the expiry of this
// secret, and the seller's features.
type keyCredentialRow struct {
	moveColumns

	ID               string
	SellerID         string
	OrganizationID   string
	Active           bool
	FullSellerAccess bool
	Permissions      []domain.Permission `bun:",array"`
	ExpiresAt        *time.Time
	ValidUntil       *time.Time
	Webhooks         bool
	Siren            bool
}

var keyCredentials = &source[keyCredentialRow]{
	columns: `k.id, k.seller_id, coalesce(k.organization_id, s.organization_id) AS organization_id, k.active, k.full_seller_access,
		k.permissions, k.expires_at, x.valid_until, coalesce(s.webhooks, false) AS webhooks, coalesce(s.siren, false) AS siren,
		` + moveFields,
	table: "api_key_secrets AS x",
	joins: []string{
		"JOIN api_keys k ON k.id = x.api_key_id", "LEFT JOIN sellers s ON s.id = k.seller_id",
		"LEFT JOIN seller_moves v ON v.seller_id = k.seller_id",
	},
}

func (c *Credentials) readKey(ctx context.Context, digest secrets.Digest) (apikey.KeyCredential, error) {
	found, err := keyCredentials.where("x.digest = $", digest[:]).row(ctx, c.store, c.store.sql, keyName)
	if err == nil {
		err = found.elsewhere()
	}
	return apikey.KeyCredential{
		KeyID: found.ID, SellerID: ids.Seller(found.SellerID), OrgID: ids.Org(found.OrganizationID),
		Features: domain.Features{Webhooks: found.Webhooks, SIREN: found.Siren}, Active: found.Active,
		ExpiresAt: optionalTime(found.ExpiresAt), ValidUntil: found.ValidUntil,
		FullSellerAccess: found.FullSellerAccess, Permissions: domain.NewPermissionSet(found.Permissions),
	}, err
}

func (c *Credentials) readSeller(ctx context.Context, seller ids.Seller) (sellerCredential, error) {
	found, err := sellerCredentials.where("s.id = $", string(seller)).row(ctx, c.store, c.store.sql, "Seller")
	if err == nil {
		err = found.elsewhere()
	}
	return found, err
}

// writeKeyUses stores times of use: at most one per minute and key, across all processes.
func (c *Credentials) writeKeyUses(ctx context.Context, ids []string, times []time.Time) error {
	_, err := exec(ctx, c.store.sql, `
		INSERT INTO api_key_uses (api_key_id, last_used_at) SELECT id, at FROM unnest($1::text[], $2::timestamptz[]) AS used (id, at)
		ON CONFLICT (api_key_id) DO UPDATE SET last_used_at = excluded.last_used_at
		WHERE excluded.last_used_at >= api_key_uses.last_used_at + $3 * interval '1 second'`,
		ids, times, useEvery.Seconds())
	return err
}
