package domain

import (
	"context"
	"net/netip"
	"time"

	"ticketgate/domain/ids"
)

// ActorKind is the kind of caller (decisions 4.1).
type ActorKind uint8

// The kinds of caller. The zero value is nobody: no credential came with the call.
const (
	Nobody ActorKind = iota
	APIKeyActor
	OrganizationKeyActor
	UserActor
	DeviceActor
	BuyerActor
	SystemActor
)

// SystemID is the id of the platform and of what the product does by itself, wherever an actor is shown.
const SystemID = "system"

// Actor is who is calling, as the edge found out once per request.
type Actor struct {
	Kind ActorKind
	// ID is the key's, user's, device's or checkout's id, or SystemID.
	ID string
	// SellerID is the seller the call acts on; empty for an organization key or the system token that names none.
	SellerID ids.Seller
	// OrgID is the organization of an organization key, and that of the chosen seller otherwise.
	OrgID ids.Org
	// Features are those of the seller the call acts on.
	Features Features

	// Permissions and FullSellerAccess are an API key's.
	Permissions      PermissionSet
	FullSellerAccess bool

	// Memberships and SessionID are a dashboard user's.
	Memberships []Membership
	SessionID   string
}

// Membership is a user's one role at a seller or at an organization; exactly one of the two ids is set
// (decisions 4.3).
type Membership struct {
	SellerID  ids.Seller
	OrgID     ids.Org
	Role      Role
	CreatedAt time.Time
}

// Features are the modules that are switched on for a seller.
type Features struct {
	Webhooks bool `json:"webhooks"`
	SIREN    bool `json:"siren"`
}

// RoleAt returns the user's role at a seller of an organization: the greater of the role at the seller itself
// and the one at its organization. NoRole when the user is a member of neither.
func (a *Actor) RoleAt(seller ids.Seller, org ids.Org) Role {
	best := NoRole
	for _, m := range a.Memberships {
		if (m.SellerID != "" && m.SellerID == seller) || (m.OrgID != "" && m.OrgID == org) {
			best = max(best, m.Role)
		}
	}
	return best
}

// RoleAtOrganization returns the user's role at an organization itself.
func (a *Actor) RoleAtOrganization(org ids.Org) Role {
	best := NoRole
	for _, m := range a.Memberships {
		if m.OrgID != "" && m.OrgID == org {
			best = max(best, m.Role)
		}
	}
	return best
}

// CreatorType says what kind of caller made a resource (spec 2.1).
type CreatorType string

// The values of createdBy.type. APP stands only in imported records (decisions 4.1).
const (
	CreatedByUser   CreatorType = "USER"
	CreatedByApp    CreatorType = "APP"
	CreatedByAPIKey CreatorType = "API_KEY"
	CreatedBySystem CreatorType = "SYSTEM"
)

// Names lists every value in the specification's order.
func (CreatorType) Names() []string { return []string{"USER", "APP", "API_KEY", "SYSTEM"} }

// Creator is createdBy: both members are always present (spec 2.1).
type Creator struct {
	Type CreatorType `json:"type"`
	ID   string      `json:"id"`
}

// Creator returns the actor as createdBy shows it (decisions 4.8).
func (a *Actor) Creator() Creator {
	switch a.Kind {
	case UserActor:
		return Creator{Type: CreatedByUser, ID: a.ID}
	case APIKeyActor, OrganizationKeyActor:
		return Creator{Type: CreatedByAPIKey, ID: a.ID}
	case Nobody, DeviceActor, BuyerActor, SystemActor:
	}
	return Creator{Type: CreatedBySystem, ID: SystemID}
}

// Call is what the edge knows of a request besides its actor: it goes into the audit log.
type Call struct {
	RequestID string
	// Address is the caller's network address without port and zone.
	Address string
	// SharedAddress is true if Address is a proxy's that did not name its client, so that many callers may share it.
	// Throttles by address leave such calls alone (EDGE-5).
	SharedAddress bool
	// CheckoutSecret is the header checkout-secret: a buyer's.
	CheckoutSecret string
	// Origin is the page that makes a call of a checkout, as its browser names it; empty where no browser does.
	Origin string
	// IfMatch is the header If-Match of a change; nil where it was not sent.
	IfMatch *Precondition
	// Language is the Accept-Language header.
	Language string
	// UserAgent is the User-Agent header: it tells a user's sessions apart.
	UserAgent string
	// PlaceTokens are the tokens of the browser's cookies for known places, see tenant.PlaceKeys.
	PlaceTokens []string
	// Admit takes one from the caller's allowance of operations that need no credential, or is RATE_LIMITED. Nil
	// admits everybody.
	Admit func(actor *Actor) error
	// Key gathers what the call does with its API key, for the key's usage. Nil where nobody counts.
	Key *KeyCall
	// Read counts the bytes of the records that lists and edges have read for the call (LIMIT-23). Nil where nothing counts.
	Read *Reading
	// Again finds out anew who is calling, of a call that stays open. It counts as no use of the credential. Nil is
	// where no call stays open.
	Again func(ctx context.Context) (*Actor, error)
}

// Network returns what failures and rates by address are counted under: the IPv4 address, or the /64 of an IPv6 address,
// which one subscriber has in full. It is "" if the caller's address is not known.
func (c Call) Network() string {
	const subnet = 64
	return c.prefix(subnet)
}

// Subscriber returns what takes turns by address: the IPv4 address, or the /48 of an IPv6 address, of which one subscriber
// may have all networks. It is "" if the caller's address is not known.
func (c Call) Subscriber() string {
	const site = 48
	return c.prefix(site)
}

func (c Call) prefix(bits int) string {
	address, err := netip.ParseAddr(c.Address)
	if err != nil || c.SharedAddress {
		return ""
	}
	if address = address.Unmap(); address.Is4() {
		return address.String()
	}
	return netip.PrefixFrom(address.WithZone(""), bits).Masked().String()
}

type contextKey uint8

const (
	actorKey contextKey = iota
	callKey
)

// WithActor returns a context in which the actor is calling.
func WithActor(ctx context.Context, actor *Actor) context.Context {
	return context.WithValue(ctx, actorKey, actor)
}

// ActorOf returns who is calling; nobody when the edge found no credential.
func ActorOf(ctx context.Context) *Actor {
	if actor, ok := ctx.Value(actorKey).(*Actor); ok {
		return actor
	}
	return &Actor{}
}

// WithCall returns a context that carries what the edge knows of the request.
func WithCall(ctx context.Context, call Call) context.Context {
	return context.WithValue(ctx, callKey, call)
}

// CallOf returns what the edge knows of the request; the zero value outside one.
func CallOf(ctx context.Context) Call {
	call, _ := ctx.Value(callKey).(Call)
	return call
}
