package apikey

import (
	"context"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/secrets"
)

// DeviceCredential holds what authentication needs to know about a device token.
type DeviceCredential struct {
	DeviceID string
	SellerID ids.Seller
	OrgID    ids.Org // the seller's organization
	Features domain.Features
	Active   bool
	Expires  *moment.DateTime
}

// Alive reports whether the token authenticates at now. At Expires it no longer does (KEY-1).
func (c *DeviceCredential) Alive(now time.Time) bool { return c.Active && !reached(c.Expires, now) }

// device authenticates the token header, which must occur exactly once. A malformed token costs no query.
func (a *Authenticator) device(ctx context.Context, tokens []string, seller string) (*domain.Actor, error) {
	token := tokens[0]
	if kind, ok := secrets.KindOf(token); len(tokens) > 1 || !ok || kind != secrets.Device {
		return nil, badCredential()
	}
	now := a.Now()
	device, err := a.Store.DeviceCredential(ctx, secrets.DigestOf(token), now)
	if domain.HasCode(err, domain.CodeNotFound) || (err == nil && !device.Alive(now)) {
		return nil, badCredential()
	}
	if err != nil {
		return nil, err
	}
	a.Store.NoteDeviceUse(device.DeviceID, now)
	return ofOneSeller(domain.Actor{
		Kind: domain.DeviceActor, ID: device.DeviceID, SellerID: device.SellerID, OrgID: device.OrgID, Features: device.Features,
	}, seller)
}
