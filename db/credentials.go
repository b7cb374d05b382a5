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

// Credentials answers the checks of every request: from memory while the process holds its lease, and from the
// database otherwise (docs/internals/credentials.md).
type Credentials struct {
	store *Store
	lease *Lease

	keys     memory[secrets.Digest, apikey.KeyCredential]
	sessions memory[secrets.Digest, tenant.SessionCredential]
	sellers  memory[ids.Seller, sellerCredential]
	devices  memory[secrets.Digest, apikey.DeviceCredential]
	gates    memory[string, scan.Gate]

	keyUses, sessionUses, deviceUses *uses
	keyCalls                         *keyCalls
}

// sellerCredential is what a check needs of the seller that a call acts on.
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
	c.lease = newLease(s, url, c.forget)
	c.keyUses = newUses(c.writeKeyUses)
	c.sessionUses = newUses(s.touchSessions)
	c.deviceUses = newUses(c.writeDeviceUses)
	c.keyCalls = newKeyCalls(s)
	return c
}

// Credentials is the store that apikey.Authenticator declares; there is one in a process.
func (s *Store) Credentials() *Credentials { return s.credentials }

// Lease is this process's lease, which also says that it is running.
func (s *Store) Lease() *Lease { return s.credentials.lease }

// Start begins to hold the lease and to write times of use and counts of calls. Before it and after Stop every check asks the database.
func (c *Credentials) Start(ctx context.Context) {
	c.lease.Start(ctx)
	c.keyUses.start(ctx)
	c.sessionUses.start(ctx)
	c.deviceUses.start(ctx)
	c.keyCalls.start(ctx)
}

// Stop writes the times and counts that are left and gives the lease up; the context bounds how long it may take.
func (c *Credentials) Stop(ctx context.Context) {
	c.keyUses.stop(ctx)
	c.sessionUses.stop(ctx)
	c.deviceUses.stop(ctx)
	c.keyCalls.stop(ctx)
	c.lease.Stop(ctx)
}

// forget drops all that is remembered.
func (c *Credentials) forget() {
	c.keys.forget()
	c.sessions.forget()
	c.sellers.forget()
	c.devices.forget()
	c.gates.forget()
}

// KeyCredential returns what a key's secret stands for. Only one that authenticates at the given time is answered
// from memory: one that is dead costs the same statement as one that does not exist (behaviour B17).
func (c *Credentials) KeyCredential(ctx context.Context, digest secrets.Digest, now time.Time) (apikey.KeyCredential, error) {
	return remembered(c.lease, &c.keys, digest,
		func(key *apikey.KeyCredential) bool { return key.Alive(now) },
		func() (apikey.KeyCredential, error) { return c.readKey(ctx, digest) })
}

// SessionCredential returns what a session's secret stands for. One that was last used a while ago, as far as this
// process remembers, is read again: it may have been used on another.
func (c *Credentials) SessionCredential(
	ctx context.Context, digest secrets.Digest, now time.Time,
) (tenant.SessionCredential, error) {
	return remembered(c.lease, &c.sessions, digest,
		func(session *tenant.SessionCredential) bool {
			return session.Alive(now, session.LastUsedAt, 2*useEvery)
		},
		func() (tenant.SessionCredential, error) { return c.store.sessionCredential(ctx, digest) })
}

// Seller returns a seller's organization and features.
func (c *Credentials) Seller(ctx context.Context, seller ids.Seller) (ids.Org, domain.Features, error) {
	found, err := remembered(c.lease, &c.sellers, seller,
		func(*sellerCredential) bool { return true },
		func() (sellerCredential, error) { return c.readSeller(ctx, seller) })
	return ids.Org(found.OrganizationID), domain.Features{Webhooks: found.Webhooks, SIREN: found.Siren}, err
}

// NoteKeyUse remembers that a key was used; it never waits.
func (c *Credentials) NoteKeyUse(keyID string, at time.Time) { c.keyUses.note(keyID, at) }

// NoteKeyCall counts a call that was answered with a status, if it was made with a key; it never waits.
func (c *Credentials) NoteKeyCall(call *domain.KeyCall, status int, at time.Time) {
	c.keyCalls.note(call, status, at)
}

// NoteSessionUse remembers that a session was used; it never waits.
func (c *Credentials) NoteSessionUse(sessionID string, at time.Time) {
	c.sessionUses.note(sessionID, at)
}

// keyCredentialRow is what authenticating with a key needs, in one statement: the key, how long this secret of it is valid,
// and the seller's features.
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

// writeKeyUses stores times of use, at most one a minute for each key, counted over all processes (hardening K14).
func (c *Credentials) writeKeyUses(ctx context.Context, ids []string, times []time.Time) error {
	_, err := exec(ctx, c.store.sql, `
		INSERT INTO api_key_uses (api_key_id, last_used_at) SELECT id, at FROM unnest($1::text[], $2::timestamptz[]) AS used (id, at)
		ON CONFLICT (api_key_id) DO UPDATE SET last_used_at = excluded.last_used_at
		WHERE excluded.last_used_at >= api_key_uses.last_used_at + $3 * interval '1 second'`,
		ids, times, useEvery.Seconds())
	return err
}
