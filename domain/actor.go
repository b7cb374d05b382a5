package domain

import (
	"context"
	"net/netip"
	"time"

	"ticketgate/domain/ids"
)

// ActorKind is the kind of a caller.
type ActorKind uint8

// The kinds of caller. The zero value is a call without a credential.
const (
	Nobody ActorKind = iota
	APIKeyActor
	OrganizationKeyActor
	UserActor
	DeviceActor
	BuyerActor
	SystemActor
)

// SystemID is the id of the platform and of periodic jobs in audit entries and createdBy.
const SystemID = "system"

// Actor is the caller of an operation, as established once per request.
type Actor struct {
	Kind ActorKind
	// ID is the id of the key, user, device or checkout, or SystemID.
	ID string
	// SellerID is the seller the call acts on. It is empty for an organization key or the system token without a named
	// seller.
	SellerID ids.Seller
	// OrgID is the organization of an organization key, otherwise the organization of SellerID.
	OrgID ids.Org
	// Features are the features of the seller the call acts on.
	Features Features

	// Permissions and FullSellerAccess are set for an API key only.
	Permissions      PermissionSet
	FullSellerAccess bool

	// Memberships and SessionID are set for a dashboard user only.
	Memberships []Membership
	SessionID   string
}

// Membership is a user's role at a seller or at an organization. Exactly one of the two ids is set.
type Membership struct {
	SellerID  ids.Seller
	OrgID     ids.Org
	Role      Role
	CreatedAt time.Time
}

// Features are the modules that are enabled for a seller.
type Features struct {
	Webhooks bool `json:"webhooks"`
	SIREN    bool `json:"siren"`
}

// RoleAt returns the user's role at a seller of an organization: the higher of its roles at the seller and at the
// organization. It returns NoRole if the user is a member of neither.
func (a *Actor) RoleAt(seller ids.Seller, org ids.Org) Role {
	best := NoRole
	for _, m := range a.Memberships {
		if (m.SellerID != "" && m.SellerID == seller) || (m.OrgID != "" && m.OrgID == org) {
			best = max(best, m.Role)
		}
	}
	return best
}

// RoleAtOrganization returns the user's role at the organization itself.
func (a *Actor) RoleAtOrganization(org ids.Org) Role {
	best := NoRole
	for _, m := range a.Memberships {
		if m.OrgID != "" && m.OrgID == org {
			best = max(best, m.Role)
		}
	}
	return best
}

// CreatorType is the kind of caller that created a record.
type CreatorType string

// The values of createdBy.type. APP occurs in imported records only.
const (
	CreatedByUser   CreatorType = "USER"
	CreatedByApp    CreatorType = "APP"
	CreatedByAPIKey CreatorType = "API_KEY"
	CreatedBySystem CreatorType = "SYSTEM"
)

// Names returns every value, in the order of the API reference.
func (CreatorType) Names() []string { return []string{"USER", "APP", "API_KEY", "SYSTEM"} }

// Creator is the createdBy of a record. Both fields are always set.
type Creator struct {
	Type CreatorType `json:"type"`
	ID   string      `json:"id"`
}

// Creator returns the actor in the form of createdBy.
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

// Call holds the data of a request apart from its actor. The audit log records parts of it.
type Call struct {
	RequestID string
	// Address is the caller's network address without port and zone.
	Address string
	// SharedAddress is true if Address belongs to a proxy that did not name its client, so many callers may share it.
	// Throttles by address ignore such calls (EDGE-5).
	SharedAddress bool
	// CheckoutSecret is the value of the header checkout-secret, which a buyer sends.
	CheckoutSecret string
	// Origin is the Origin header of a checkout call. It is empty if the caller is not a browser.
	Origin string
	// IfMatch is the precondition of the If-Match header, or nil without one.
	IfMatch *Precondition
	// Language is the value of the header Accept-Language.
	Language string
	// UserAgent is the value of the header User-Agent. It helps users tell their sessions apart.
	UserAgent string
	// PlaceTokens are the tokens in the browser's cookies for known places. See tenant.PlaceKeys.
	PlaceTokens []string
	// Admit takes one token from the caller's allowance for operations without a credential, or returns RATE_LIMITED.
	// Nil admits every caller.
	Admit func(actor *Actor) error
	// Key collects the permissions that the call uses, for the usage of its API key. Nil disables it.
	Key *KeyCall
	// Read counts the bytes of the records that lists and edges read for the call (LIMIT-23). Nil disables it.
	Read *Reading
	// Again authenticates the caller of a long-lived call again, without counting as a use of the credential. It is nil
	// for all other calls.
	Again func(ctx context.Context) (*Actor, error)
}

// Network returns the key for counting failures and rates by address: the IPv4 address, or the /64 of an IPv6 address,
// which one subscriber usually controls. It is "" if the caller's address is unknown or shared.
func (c Call) Network() string {
	const subnet = 64
	return c.prefix(subnet)
}

// Subscriber returns the key for taking turns by address: the IPv4 address, or the /48 of an IPv6 address, which one
// subscriber may control. It is "" if the caller's address is unknown or shared.
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

// WithActor returns a context whose caller is actor.
func WithActor(ctx context.Context, actor *Actor) context.Context {
	return context.WithValue(ctx, actorKey, actor)
}

// ActorOf returns the caller. Without a credential it returns the zero Actor, whose kind is Nobody.
func ActorOf(ctx context.Context) *Actor {
	if actor, ok := ctx.Value(actorKey).(*Actor); ok {
		return actor
	}
	return &Actor{}
}

// WithCall returns a context that carries call.
func WithCall(ctx context.Context, call Call) context.Context {
	return context.WithValue(ctx, callKey, call)
}

// CallOf returns the call of the request, or the zero value outside a request.
func CallOf(ctx context.Context) Call {
	call, _ := ctx.Value(callKey).(Call)
	return call
}
