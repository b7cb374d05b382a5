package db

import (
	"context"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/apikey"
	"ticketgate/domain/ids"
	"ticketgate/domain/scan"
	"ticketgate/domain/secrets"
)

// DeviceCredential returns the credential of a device's token. It is served from the cache only if it authenticates at
// the given time.
func (c *Credentials) DeviceCredential(
	ctx context.Context, digest secrets.Digest, now time.Time,
) (apikey.DeviceCredential, error) {
	return getCached(c.lease, &c.devices, digest,
		func(device *apikey.DeviceCredential) bool { return device.Alive(now) },
		func() (apikey.DeviceCredential, error) { return c.readDevice(ctx, digest) })
}

// NoteDeviceUse records that a device made a call. It never blocks.
func (c *Credentials) NoteDeviceUse(deviceID string, at time.Time) { c.deviceUses.note(deviceID, at) }

// deviceCredentialRow is the data for authentication with a device's token, read in one statement.
type deviceCredentialRow struct {
	moveColumns

	ID             string
	SellerID       string
	OrganizationID string
	Active         bool
	ExpiresAt      *time.Time
	Webhooks       bool
	Siren          bool
}

var deviceCredentials = &source[deviceCredentialRow]{
	columns: "d.id, d.seller_id, s.organization_id, d.active, d.expires_at, s.webhooks, s.siren, " + moveFields, table: "devices AS d",
	joins: []string{"JOIN sellers s ON s.id = d.seller_id", "LEFT JOIN seller_moves v ON v.seller_id = d.seller_id"},
}

func (c *Credentials) readDevice(ctx context.Context, digest secrets.Digest) (apikey.DeviceCredential, error) {
	found, err := deviceCredentials.where("d.token_digest = $", digest[:]).row(ctx, c.store, c.store.sql, deviceName)
	if err == nil {
		err = found.elsewhere()
	}
	return apikey.DeviceCredential{
		DeviceID: found.ID, SellerID: ids.Seller(found.SellerID), OrgID: ids.Org(found.OrganizationID),
		Features: domain.Features{Webhooks: found.Webhooks, SIREN: found.Siren}, Active: found.Active,
		Expires: optionalTime(found.ExpiresAt),
	}, err
}

// Gate returns a device and its scan group. The device's time of last use may be outdated.
func (c *Credentials) Gate(ctx context.Context, seller ids.Seller, deviceID string) (scan.Gate, error) {
	gate, err := getCached(c.lease, &c.gates, deviceID,
		func(*scan.Gate) bool { return true },
		func() (scan.Gate, error) { return c.readGate(ctx, deviceID) })
	if err == nil && gate.Device.SellerID != seller {
		return scan.Gate{}, domain.NotFound(deviceName)
	}
	return gate, err
}

func (c *Credentials) readGate(ctx context.Context, deviceID string) (scan.Gate, error) {
	found, err := device(ctx, c.store, c.store.sql, devices.all().withID(deviceID))
	if err != nil || found.GroupID() == "" {
		return scan.Gate{Device: found}, err
	}
	group, err := scanGroup(ctx, c.store, c.store.sql, found.SellerID, found.GroupID(), "")
	return scan.Gate{Device: found, Group: &group}, err
}

// writeDeviceUses stores times of use, at most one per minute and device.
func (c *Credentials) writeDeviceUses(ctx context.Context, ids []string, times []time.Time) error {
	_, err := exec(ctx, c.store.sql, `
		INSERT INTO device_uses (device_id, last_used_at) SELECT id, at FROM unnest($1::text[], $2::timestamptz[]) AS used (id, at)
		ON CONFLICT (device_id) DO UPDATE SET last_used_at = excluded.last_used_at
		WHERE excluded.last_used_at >= device_uses.last_used_at + $3 * interval '1 second'`,
		ids, times, useEvery.Seconds())
	return err
}
