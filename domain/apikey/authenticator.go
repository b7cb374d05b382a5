package apikey

import (
	"context"
	"crypto/subtle"
	"slices"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/secrets"
	"ticketgate/domain/tenant"
)

// Credentials is what a request brings to say who is calling, as it came.
type Credentials struct {
	// Bearer holds every Authorization header.
	Bearer []string
	// SessionCookie is the dashboard's cookie; doors that ignore cookies leave it empty (decisions 4.3).
	SessionCookie string
	// DeviceTokens holds every header token of an access device.
	DeviceTokens []string
	// SellerHeader is x-seller-id: which seller a caller with several acts on.
	SellerHeader string
	// Watching tells that a call which stays open is looked at anew: that is no use of the credential.
	Watching bool
}

// WellFormed reports whether the credential that counts has the form of one that is looked up. Authenticate refuses every
// other without a query.
func (c Credentials) WellFormed() bool {
	var kinds []secrets.Kind
	var secret string
	switch {
	case len(c.Bearer) > 0:
		secret, _ = bearer(c.Bearer)
		kinds = []secrets.Kind{secrets.APIKey, secrets.Session}
	case len(c.DeviceTokens) == 1:
		secret, kinds = c.DeviceTokens[0], []secrets.Kind{secrets.Device}
	default:
		secret, kinds = c.SessionCookie, []secrets.Kind{secrets.Session}
	}
	kind, ok := secrets.KindOf(secret)
	return ok && slices.Contains(kinds, kind)
}

// KeyCredential is what a key's secret stands for: everything that a check needs.
type KeyCredential struct {
	KeyID            string
	SellerID         ids.Seller
	OrgID            ids.Org // the organization's own key, or the one that the seller belongs to
	Features         domain.Features
	Active           bool
	ExpiresAt        *moment.DateTime // of the key
	ValidUntil       *time.Time       // of this secret, when a rotation has replaced it
	FullSellerAccess bool
	Permissions      domain.PermissionSet
}

// Alive tells whether the secret authenticates at an instant. Both deadlines are exact: from the instant itself
// on it does not (decisions 4.7).
func (c *KeyCredential) Alive(now time.Time) bool {
	return c.Active && !reached(c.ExpiresAt, now) && (c.ValidUntil == nil || now.Before(*c.ValidUntil))
}

// CredentialStore looks up what a request brings. Its answers may come from memory, but a change of a credential
// shows in them on every process from the moment the change was answered (decisions 4.7).
type CredentialStore interface {
	// KeyCredential returns what a key's secret stands for, dead or alive; NOT_FOUND when it is nobody's.
	KeyCredential(ctx context.Context, digest secrets.Digest, now time.Time) (KeyCredential, error)
	// SessionCredential returns what a session's secret stands for, dead or alive; NOT_FOUND when it is nobody's.
	SessionCredential(ctx context.Context, digest secrets.Digest, now time.Time) (tenant.SessionCredential, error)
	// DeviceCredential returns what a device's token stands for, dead or alive; NOT_FOUND when it is nobody's.
	DeviceCredential(ctx context.Context, digest secrets.Digest, now time.Time) (DeviceCredential, error)
	// Seller returns a seller's organization and features; NOT_FOUND when there is no such seller.
	Seller(ctx context.Context, seller ids.Seller) (ids.Org, domain.Features, error)
	// NoteKeyUse, NoteSessionUse and NoteDeviceUse remember that a credential was used; they never wait.
	NoteKeyUse(keyID string, at time.Time)
	NoteDeviceUse(deviceID string, at time.Time)
	NoteSessionUse(sessionID string, at time.Time)
}

// Authenticator turns the credentials of a request into the actor that is calling.
type Authenticator struct {
	Store CredentialStore
	// SystemTokens are the digests of TICKETGATE_SYSTEM_TOKEN: two while rotating (decisions 4.2).
	SystemTokens []secrets.Digest
	// SessionIdle is how long a session may lie unused; five minutes at least, since uses are noted once a minute.
	SessionIdle time.Duration
	Now         func() time.Time
}

// badCredential is the one answer to every credential that does not authenticate (decisions 2.3).
func badCredential() error { return domain.Unauthenticated(domain.BadKeyMessage) }

// Authenticate returns who is calling; nobody when the request brings no credential at all. A credential that is
// malformed, unknown, inactive or expired is UNAUTHENTICATED with one text for all of them, a seller that is not
// there for the caller NOT_FOUND, and a database that can't be asked UNAVAILABLE, never a refusal.
func (a *Authenticator) Authenticate(ctx context.Context, sent Credentials) (*domain.Actor, error) {
	if sent.Watching {
		a = a.quietly()
	}
	switch {
	case len(sent.Bearer) > 0:
		token, ok := bearer(sent.Bearer)
		if !ok {
			return nil, badCredential()
		}
		return a.byToken(ctx, token, sent.SellerHeader)
	case len(sent.DeviceTokens) > 0:
		return a.device(ctx, sent.DeviceTokens, sent.SellerHeader)
	case sent.SessionCookie != "":
		if kind, ok := secrets.KindOf(sent.SessionCookie); !ok || kind != secrets.Session {
			return nil, badCredential()
		}
		return a.session(ctx, secrets.DigestOf(sent.SessionCookie), sent.SellerHeader)
	}
	return &domain.Actor{}, nil
}

// byToken tells the kinds of token apart by their form, so that a mistyped one costs no query.
func (a *Authenticator) byToken(ctx context.Context, token, seller string) (*domain.Actor, error) {
	digest := secrets.DigestOf(token)
	if a.isSystem(digest) {
		return a.actingOn(ctx, domain.Actor{Kind: domain.SystemActor, ID: domain.SystemID}, seller)
	}
	kind, wellFormed := secrets.KindOf(token)
	if !wellFormed {
		return nil, badCredential()
	}
	switch kind {
	case secrets.APIKey:
		return a.key(ctx, digest, seller)
	case secrets.Session:
		return a.session(ctx, digest, seller)
	case secrets.Device, secrets.Checkout: // they have headers of their own
	case secrets.Invitation, secrets.Reset: // they are in the input of the one operation that takes them
	}
	return nil, badCredential()
}

// isSystem compares with every token of the platform in constant time.
func (a *Authenticator) isSystem(digest secrets.Digest) bool {
	found := 0
	for i := range a.SystemTokens {
		found |= subtle.ConstantTimeCompare(digest[:], a.SystemTokens[i][:])
	}
	return found == 1
}

func (a *Authenticator) key(ctx context.Context, digest secrets.Digest, seller string) (*domain.Actor, error) {
	now := a.Now()
	key, err := a.Store.KeyCredential(ctx, digest, now)
	if domain.HasCode(err, domain.CodeNotFound) || (err == nil && !key.Alive(now)) {
		return nil, badCredential()
	}
	if err != nil {
		return nil, err
	}
	a.Store.NoteKeyUse(key.KeyID, now)
	domain.CallOf(ctx).Key.By(key.KeyID)
	actor := domain.Actor{
		Kind: domain.APIKeyActor, ID: key.KeyID, SellerID: key.SellerID, OrgID: key.OrgID, Features: key.Features,
		Permissions: key.Permissions, FullSellerAccess: key.FullSellerAccess,
	}
	if key.SellerID != "" {
		return ofOneSeller(actor, seller)
	}
	actor.Kind = domain.OrganizationKeyActor
	return a.actingOn(ctx, actor, seller)
}

// ofOneSeller is the actor whose credential belongs to one seller. A header that names another one is refused, as a
// session's is (decisions 4.3): its sender means a seller that it would not get.
func ofOneSeller(actor domain.Actor, seller string) (*domain.Actor, error) {
	if seller != "" && ids.Seller(seller) != actor.SellerID {
		return nil, domain.NotFound("Seller")
	}
	return &actor, nil
}

func (a *Authenticator) session(ctx context.Context, digest secrets.Digest, seller string) (*domain.Actor, error) {
	now := a.Now()
	session, err := a.Store.SessionCredential(ctx, digest, now)
	if domain.HasCode(err, domain.CodeNotFound) || (err == nil && !session.Alive(now, session.LastUsedAt, a.SessionIdle)) {
		return nil, badCredential()
	}
	if err != nil {
		return nil, err
	}
	a.Store.NoteSessionUse(session.SessionID, now)
	return session.Actor(ctx, ids.Seller(seller), a.lookUp)
}

// actingOn is the actor with the seller that the header names, if it names one: any for the platform, one of its
// own for an organization's key (decisions 4.4).
func (a *Authenticator) actingOn(ctx context.Context, actor domain.Actor, seller string) (*domain.Actor, error) {
	if seller == "" {
		return &actor, nil
	}
	org, features, err := a.lookUp(ctx, ids.Seller(seller))
	if err != nil {
		return nil, err
	}
	if actor.Kind == domain.OrganizationKeyActor && org != actor.OrgID {
		return nil, domain.NotFound("Seller")
	}
	actor.SellerID, actor.OrgID, actor.Features = ids.Seller(seller), org, features
	return &actor, nil
}

// lookUp finds a seller; what can't be an id is unknown without a query.
func (a *Authenticator) lookUp(ctx context.Context, seller ids.Seller) (ids.Org, domain.Features, error) {
	if !plausible(string(seller)) {
		return "", domain.Features{}, domain.NotFound("Seller")
	}
	return a.Store.Seller(ctx, seller)
}
