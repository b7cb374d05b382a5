package apis

import (
	"slices"
	"testing"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/cmd/ticketgate/demo"
	"ticketgate/domain"
	"ticketgate/domain/apikey"
	"ticketgate/domain/optional"
	"ticketgate/domain/secrets"
)

// principal is a kind of caller with everything that the expected result of its calls depends on.
type principal struct {
	name string
	// headers identify the caller. If permitted is set, it returns them for each operation.
	headers   apitest.Caller
	permitted func(*testing.T, domain.Permission) apitest.Caller
	kind      domain.ActorKind
	// invalid means that the credential is invalid. elsewhere means that x-seller-id names a seller that the caller
	// can't act for.
	invalid, elsewhere bool
	// holds reports whether a key has a permission.
	holds func(wanted domain.Permission) bool
	// role is the role at the seller that the caller acts on, and organizationRole the role at that seller's
	// organization.
	role, organizationRole domain.Role
	// seller is the seller that the caller acts on, unless that is the seller of the targets.
	seller *demo.Seller
	// names means that the caller sends x-seller-id.
	names bool
}

// actsOn returns the seller that the caller acts on.
func (p principal) actsOn(m *matrix) demo.Seller {
	if p.seller != nil {
		return *p.seller
	}
	return m.own
}

func all(domain.Permission) bool { return true }

func none(domain.Permission) bool { return false }

// strangers returns callers that may never change anything of the seller: without a valid credential, or with another
// seller's.
func (m *matrix) strangers(t *testing.T) []principal {
	t.Helper()
	inactive := m.makeKey(t, apikey.NewKey{FullSellerAccess: optional.Some(true), Active: optional.Some(false)})
	expired := m.makeKey(t, apikey.NewKey{FullSellerAccess: optional.Some(true)})
	_, err := m.SQL.ExecContext(t.Context(), "UPDATE api_keys SET expires_at = now() - interval '1 millisecond' WHERE id = $1", expired.ID)
	systemtest.Must(t, err)
	loggedOut := m.Session(t, m.own.AdminEmail, m.own.AdminPassword)
	if o := m.ThroughGraphQL(t, loggedOut, apitest.Call{Operation: domain.Logout}); o.Result != true {
		t.Fatal(o)
	}
	return []principal{
		{name: "nobody", kind: domain.Nobody},
		{name: "a malformed key", headers: apitest.Bearer("key_nonsense"), invalid: true},
		{name: "an unknown key", headers: apitest.Bearer(secrets.New(secrets.APIKey)), invalid: true},
		{name: "an inactive key", headers: apitest.Bearer(inactive.Secret), invalid: true},
		{name: "an expired key", headers: apitest.Bearer(expired.Secret), invalid: true},
		{name: "a session that was logged out", headers: loggedOut, invalid: true},
		{name: "an unknown device", headers: apitest.Caller{"Token": secrets.New(secrets.Device)}, invalid: true},
		{name: "a key without permissions", headers: apitest.Bearer(m.makeKey(t, apikey.NewKey{}).Secret), kind: domain.APIKeyActor, holds: none},
		{name: "another organization's key", headers: apitest.Bearer(m.Demo.Organizations[1].Key).On(m.own.SellerID), elsewhere: true},
		{name: "another seller's key that names the seller", headers: apitest.Bearer(m.other.APIKey).On(m.own.SellerID), elsewhere: true},
		{
			name: "another seller's device that names the seller", kind: domain.DeviceActor,
			headers: apitest.DeviceOf(m.other).On(m.own.SellerID), elsewhere: true,
		},
		{
			name:    "another seller's admin who names the seller",
			headers: m.Session(t, m.other.AdminEmail, m.other.AdminPassword).On(m.own.SellerID), elsewhere: true,
		},
	}
}

// others returns callers that act on the other seller and change its objects.
func (m *matrix) others(t *testing.T) []principal {
	t.Helper()
	other := &m.other
	return []principal{
		{name: "another seller's key", headers: apitest.Bearer(other.APIKey), kind: domain.APIKeyActor, holds: all, seller: other},
		{
			name: "an admin of another seller", headers: m.Session(t, other.AdminEmail, other.AdminPassword), kind: domain.UserActor,
			role: domain.Admin, seller: other,
		},
		{name: "another seller's device", headers: apitest.DeviceOf(*other), kind: domain.DeviceActor, seller: other},
	}
}

// besides are additional permissions that a key needs to see a whole response: a scan and its simulation return a ticket.
var besides = map[domain.Permission][]domain.Permission{"scans:create": {"tickets:list"}, "scans:list": {"tickets:list"}}

// insiders returns callers of every kind that act on the seller, and a caller of another seller of the organization.
func (m *matrix) insiders(t *testing.T) []principal {
	t.Helper()
	neighbor := &m.Demo.Sellers[3] // without the webhooks feature
	only := m.keyOf(t, func(wanted domain.Permission) []domain.Permission {
		return slices.DeleteFunc(append([]domain.Permission{wanted}, besides[wanted]...), func(p domain.Permission) bool { return p == "" })
	})
	but := m.keyOf(t, func(wanted domain.Permission) []domain.Permission {
		return slices.DeleteFunc(domain.Permissions(), func(p domain.Permission) bool { return p == wanted })
	})
	own := m.own
	return []principal{
		// First, because the others create remote lists, which a lookup would ask.
		{name: "a device", headers: apitest.DeviceOf(own), kind: domain.DeviceActor},
		{name: "a key with full access", headers: apitest.Bearer(own.APIKey), kind: domain.APIKeyActor, holds: all},
		{name: "a key with the one permission", permitted: only, kind: domain.APIKeyActor, holds: all},
		{name: "a key with every other permission", permitted: but, kind: domain.APIKeyActor, holds: none},
		{
			name: "a key of a seller without the feature", headers: apitest.Bearer(neighbor.APIKey), kind: domain.APIKeyActor, holds: all,
			seller: neighbor,
		},
		{name: "a viewer", headers: m.Session(t, own.ViewerEmail, own.ViewerPassword), kind: domain.UserActor, role: domain.Viewer},
		{name: "a manager", headers: m.SellerMember(t, own, domain.Manager), kind: domain.UserActor, role: domain.Manager},
		{name: "a developer", headers: m.SellerMember(t, own, domain.Developer), kind: domain.UserActor, role: domain.Developer},
		{name: "an admin", headers: m.Session(t, own.AdminEmail, own.AdminPassword), kind: domain.UserActor, role: domain.Admin},
		{
			name: "a viewer of the organization", headers: m.OrganizationMember(t, own, domain.Viewer).On(own.SellerID),
			kind: domain.UserActor, role: domain.Viewer, organizationRole: domain.Viewer,
		},
		{
			name: "an admin of the organization", headers: m.OrganizationMember(t, own, domain.Admin).On(own.SellerID),
			kind: domain.UserActor, role: domain.Admin, organizationRole: domain.Admin,
		},
		{name: "the organization's key", headers: apitest.Bearer(m.Demo.Organizations[0].Key), kind: domain.OrganizationKeyActor, names: true},
		{name: "the platform", headers: apitest.Bearer(systemtest.SystemToken), kind: domain.SystemActor, names: true},
	}
}

func (m *matrix) makeKey(t *testing.T, input apikey.NewKey) apikey.Key {
	t.Helper()
	input.Name = ownMark + " caller"
	key, err := m.Do.Keys.Create(m.ActingOn(t, m.own), input)
	systemtest.Must(t, err)
	return key
}

// keyOf creates a key whose permissions change before each operation. A key for each would exceed the limit of a hundred.
func (m *matrix) keyOf(
	t *testing.T, permissions func(wanted domain.Permission) []domain.Permission,
) func(*testing.T, domain.Permission) apitest.Caller {
	t.Helper()
	key := m.makeKey(t, apikey.NewKey{})
	return func(t *testing.T, wanted domain.Permission) apitest.Caller {
		t.Helper()
		_, err := m.Do.Keys.Update(m.ActingOn(t, m.own), key.ID, apikey.Change{Permissions: optional.Some(permissions(wanted))})
		systemtest.Must(t, err)
		return apitest.Bearer(key.Secret)
	}
}

// verdict returns the expected code of the call, computed independently of the product. An empty code means success.
func (p principal) verdict(operation domain.Operation, s sample, at target) domain.Code {
	rule := s.rule(operation)
	switch {
	case p.invalid:
		return domain.CodeUnauthenticated
	case p.elsewhere:
		return domain.CodeNotFound
	case rule.Public:
		return ""
	case p.kind == domain.Nobody:
		return domain.CodeUnauthenticated
	}
	if refused := p.refused(rule); refused != "" {
		return refused
	}
	missing := at != ownTarget || (p.seller != nil && s.target != "")
	unknown := domain.CodeNotFound
	if s.unknown != "" {
		unknown = s.unknown
	}
	if s.answers {
		missing = false
	}
	switch {
	case p.kind == domain.UserActor && s.ofOrganization && (missing || p.organizationRole == domain.NoRole):
		return domain.CodeNotFound
	case p.kind == domain.UserActor && s.ofOrganization && p.organizationRole < rule.OrganizationRole:
		return domain.CodeForbidden
	case p.kind == domain.UserActor && s.namesSeller && missing:
		return unknown
	case p.kind == domain.UserActor && !s.ofOrganization && !rule.AnySession && p.role < rule.Role:
		return domain.CodeForbidden
	case rule.Feature != "" && p.seller != nil && !p.seller.Webhooks:
		return domain.CodeFeatureNotEnabled
	case missing:
		return unknown
	}
	return ""
}

// refused returns the expected code if it depends only on the kind of caller.
func (p principal) refused(rule domain.Rule) domain.Code {
	allowed := map[domain.ActorKind]bool{
		domain.APIKeyActor:          rule.AnyKey || (rule.Permission != "" && p.holds != nil && p.holds(rule.Permission)),
		domain.OrganizationKeyActor: rule.OrganizationKey,
		domain.UserActor:            rule.AnySession || p.hasRole(rule),
		domain.SystemActor:          rule.System,
		domain.DeviceActor:          rule.Device,
	}[p.kind]
	switch {
	case allowed:
		return ""
	case p.kind == domain.APIKeyActor && rule.Permission != "":
		return domain.CodeMissingPermission
	}
	return domain.CodeForbidden
}

// hasRole reports whether the user's role suffices anywhere. If not, nothing needs to be looked up.
func (p principal) hasRole(rule domain.Rule) bool {
	return (rule.Role != domain.NoRole && p.role >= rule.Role) ||
		(rule.OrganizationRole != domain.NoRole && p.organizationRole >= rule.OrganizationRole)
}
