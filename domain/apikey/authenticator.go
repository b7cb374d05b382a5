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

// Credentials holds the credentials of a request, as received.
type Credentials struct {
	// Bearer holds every Authorization header.
	Bearer []string
	// SessionCookie is the dashboard's session cookie. REST ignores cookies and leaves it empty (KEY-5).
	SessionCookie string
	// DeviceTokens holds every token header, which access devices send.
	DeviceTokens []string
	// SellerHeader is x-seller-id. It chooses the seller that a caller with several sellers acts on.
	SellerHeader string
	// Watching marks the periodic check of an open subscription, which does not count as use of the credential.
	Watching bool
}

// WellFormed reports whether the decisive credential has a valid format. Authenticate rejects all others without a
// query.
func (c Credentials) WellFormed() bool {
	var kinds []secrets.Kind
	var secret string
	switch {
	case len(c.Bearer) > 0:
		secret, _ = Bearer(c.Bearer)
		kinds = []secrets.Kind{secrets.APIKey, secrets.Session}
	case len(c.DeviceTokens) == 1:
		secret, kinds = c.DeviceTokens[0], []secrets.Kind{secrets.Device}
	default:
		secret, kinds = c.SessionCookie, []secrets.Kind{secrets.Session}
	}
	kind, ok := secrets.KindOf(secret)
	return ok && slices.Contains(kinds, kind)
}

// KeyCredential holds what authentication needs to know about an API key's secret.
type KeyCredential struct {
	KeyID            string
	SellerID         ids.Seller
	OrgID            ids.Org // the key's own organization, or that of its seller
	Features         domain.Features
	Active           bool
	ExpiresAt        *moment.DateTime // of the key
	ValidUntil       *time.Time       // of this secret, if a rotation replaced it
	FullSellerAccess bool
	Permissions      domain.PermissionSet
}

// Alive reports whether the secret authenticates at now. At either deadline it no longer does (KEY-1).
func (c *KeyCredential) Alive(now time.Time) bool {
	return c.Active && !reached(c.ExpiresAt, now) && (c.ValidUntil == nil || now.Before(*c.ValidUntil))
}

// CredentialStore looks up credentials. It may cache them, but a change of a credential is visible on every process
// as soon as the call that made it returns (KEY-1).
type CredentialStore interface {
	// KeyCredential returns the key of a secret, even if it is inactive or expired. It returns NOT_FOUND if none
	// matches.
	KeyCredential(ctx context.Context, digest secrets.Digest, now time.Time) (KeyCredential, error)
	// SessionCredential returns the session of a secret, even if it has ended. It returns NOT_FOUND if none matches.
	SessionCredential(ctx context.Context, digest secrets.Digest, now time.Time) (tenant.SessionCredential, error)
	// DeviceCredential returns the device of a token, even if it is inactive or expired. It returns NOT_FOUND if none
	// matches.
	DeviceCredential(ctx context.Context, digest secrets.Digest, now time.Time) (DeviceCredential, error)
	// Seller returns a seller's organization and features. It returns NOT_FOUND if the seller does not exist.
	Seller(ctx context.Context, seller ids.Seller) (ids.Org, domain.Features, error)
	// NoteKeyUse, NoteDeviceUse and NoteSessionUse record the use of a credential. They never block.
	NoteKeyUse(keyID string, at time.Time)
	NoteDeviceUse(deviceID string, at time.Time)
	NoteSessionUse(sessionID string, at time.Time)
}

// Authenticator determines the actor from the credentials of a request.
type Authenticator struct {
	Store CredentialStore
	// SystemTokens are the digests of TICKETGATE_SYSTEM_TOKEN, two during a rotation.
	SystemTokens []secrets.Digest
	// SessionIdle is how long a session may go unused. It is at least five minutes, since uses are recorded once a
	// minute.
	SessionIdle time.Duration
	Now         func() time.Time
}

// badCredential returns the same error for every credential that does not authenticate (KEY-2).
func badCredential() error { return domain.Unauthenticated(domain.BadKeyMessage) }

// Authenticate returns the calling actor, or the anonymous actor if the request carries no credential. A malformed,
// unknown, inactive or expired credential is UNAUTHENTICATED, always with the same message (KEY-2). A seller that the
// caller can't access is NOT_FOUND. If the database can't be reached, the error is UNAVAILABLE, never UNAUTHENTICATED.
func (a *Authenticator) Authenticate(ctx context.Context, sent Credentials) (*domain.Actor, error) {
	if sent.Watching {
		a = a.quietly()
	}
	switch {
	case len(sent.Bearer) > 0:
		token, ok := Bearer(sent.Bearer)
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

// byToken distinguishes the kinds of token by their format, so that a mistyped token costs no query.
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
	case secrets.Device, secrets.Checkout: // sent in their own headers
	case secrets.Invitation, secrets.Reset: // sent in the input of the operation that redeems them
	}
	return nil, badCredential()
}

// isSystem reports whether digest belongs to a system token. It compares with all tokens in constant time.
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

// ofOneSeller returns an actor whose credential belongs to one seller. It rejects a header that names another seller
// (KEY-5), since the call would act on a seller that the caller did not mean.
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

// actingOn returns the actor with the seller that the header names, if any. The platform may name any seller, an
// organization's key only sellers of that organization.
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

// lookUp returns a seller's organization and features. An id that can't exist is NOT_FOUND without a query.
func (a *Authenticator) lookUp(ctx context.Context, seller ids.Seller) (ids.Org, domain.Features, error) {
	if !plausible(string(seller)) {
		return "", domain.Features{}, domain.NotFound("Seller")
	}
	return a.Store.Seller(ctx, seller)
}
