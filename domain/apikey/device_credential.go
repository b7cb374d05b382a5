package apikey

import (
	"context"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/secrets"
)

// DeviceCredential is what an access device's token stands for: everything that a check needs.
type DeviceCredential struct {
	DeviceID string
	SellerID ids.Seller
	OrgID    ids.Org // the one that the seller belongs to
	Features domain.Features
	Active   bool
	Expires  *moment.DateTime
}

// Alive tells whether the token authenticates at an instant; from Expires itself on it does not (decisions 4.7).
func (c *DeviceCredential) Alive(now time.Time) bool { return c.Active && !reached(c.Expires, now) }

// device finds the device whose token came in the header token, once. A mistyped one costs no query.
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
