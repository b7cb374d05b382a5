package main

import (
	"context"
	"slices"
	"testing"

	"ticketgate/domain"
	"ticketgate/domain/apikey"
	"ticketgate/domain/tenant"
)

// principal is one kind of caller, with what the verdict on its calls depends on.
type principal struct {
	name string
	// headers are who is calling; permitted, where set, says it for each operation.
	headers   caller
	permitted func(*testing.T, domain.Permission) caller
	kind      domain.ActorKind
	// invalid credentials authenticate nobody; elsewhere tells that x-seller-id names a seller out of reach.
	invalid, elsewhere bool
	// holds tells which permissions a key has.
	holds func(wanted domain.Permission) bool
	// role is the one at the seller it acts on, organizationRole that at the seller's organization.
	role, organizationRole domain.Role
	// seller is whom it acts on, when that is not the seller whose objects are its targets.
	seller *seededSeller
	// names tells that it names the seller by x-seller-id.
	names bool
}

// actsOn is the seller that the caller acts on.
func (p principal) actsOn(m *matrix) seededSeller {
	if p.seller != nil {
		return *p.seller
	}
	return m.own
}

func all(domain.Permission) bool  { return true }
func none(domain.Permission) bool { return false }

// strangers are those who may never change anything of the seller: without a valid credential, or another's.
func (m *matrix) strangers(t *testing.T) []principal {
	t.Helper()
	inactive := m.makeKey(t, apikey.NewKey{FullSellerAccess: domain.Some(true), Active: domain.Some(false)})
	expired := m.makeKey(t, apikey.NewKey{FullSellerAccess: domain.Some(true)})
	_, err := m.sql.ExecContext(t.Context(), "UPDATE api_keys SET expires_at = now() - interval '1 millisecond' WHERE id = $1", expired.ID)
	must(t, err)
	loggedOut := m.session(t, m.own.AdminEmail, m.own.AdminPassword)
	if o := m.throughGraphQL(t, loggedOut, call{operation: domain.Logout}); o.result != true {
		t.Fatal(o)
	}
	return []principal{
		{name: "nobody", kind: domain.Nobody},
		{name: "a malformed key", headers: bearer("key_nonsense"), invalid: true},
		{name: "an unknown key", headers: bearer(domain.NewSecret(domain.APIKeySecret)), invalid: true},
		{name: "an inactive key", headers: bearer(inactive.Secret), invalid: true},
		{name: "an expired key", headers: bearer(expired.Secret), invalid: true},
		{name: "a session that was logged out", headers: loggedOut, invalid: true},
		{name: "an unknown device", headers: caller{"Token": domain.NewSecret(domain.DeviceSecret)}, invalid: true},
		{name: "a key without permissions", headers: bearer(m.makeKey(t, apikey.NewKey{}).Secret), kind: domain.APIKeyActor, holds: none},
		{name: "another organization's key", headers: bearer(m.world.Organizations[1].Key).on(m.own.SellerID), elsewhere: true},
		{name: "another seller's key that names the seller", headers: bearer(m.other.APIKey).on(m.own.SellerID), elsewhere: true},
		{
			name: "another seller's device that names the seller", kind: domain.DeviceActor,
			headers: deviceOf(m.other).on(m.own.SellerID), elsewhere: true,
		},
		{
			name:    "another seller's admin who names the seller",
			headers: m.session(t, m.other.AdminEmail, m.other.AdminPassword).on(m.own.SellerID), elsewhere: true,
		},
	}
}

// others act on the other seller, and change what is its own.
func (m *matrix) others(t *testing.T) []principal {
	t.Helper()
	other := &m.other
	return []principal{
		{name: "another seller's key", headers: bearer(other.APIKey), kind: domain.APIKeyActor, holds: all, seller: other},
		{
			name: "an admin of another seller", headers: m.session(t, other.AdminEmail, other.AdminPassword), kind: domain.UserActor,
			role: domain.Admin, seller: other,
		},
		{name: "another seller's device", headers: deviceOf(*other), kind: domain.DeviceActor, seller: other},
	}
}

// besides is what a key needs to be shown the whole of an answer: a scan and its simulation answer with a ticket.
var besides = map[domain.Permission][]domain.Permission{"scans:create": {"tickets:list"}, "scans:list": {"tickets:list"}}

// insiders are the seller's own callers of every kind, and one of a seller of the same organization.
func (m *matrix) insiders(t *testing.T) []principal {
	t.Helper()
	neighbour := &m.world.Sellers[3] // without the webhooks feature
	only := m.keyOf(t, func(wanted domain.Permission) []domain.Permission {
		return slices.DeleteFunc(append([]domain.Permission{wanted}, besides[wanted]...), func(p domain.Permission) bool { return p == "" })
	})
	but := m.keyOf(t, func(wanted domain.Permission) []domain.Permission {
		return slices.DeleteFunc(domain.Permissions(), func(p domain.Permission) bool { return p == wanted })
	})
	own := m.own
	return []principal{
		// First: the others make remote lists, which a lookup would ask.
		{name: "a device", headers: deviceOf(own), kind: domain.DeviceActor},
		{name: "a key with full access", headers: bearer(own.APIKey), kind: domain.APIKeyActor, holds: all},
		{name: "a key with the one permission", permitted: only, kind: domain.APIKeyActor, holds: all},
		{name: "a key with every other permission", permitted: but, kind: domain.APIKeyActor, holds: none},
		{
			name: "a key of a seller without the feature", headers: bearer(neighbour.APIKey), kind: domain.APIKeyActor, holds: all,
			seller: neighbour,
		},
		{name: "a viewer", headers: m.session(t, own.ViewerEmail, own.ViewerPassword), kind: domain.UserActor, role: domain.Viewer},
		{name: "a manager", headers: m.sellerMember(t, own, domain.Manager), kind: domain.UserActor, role: domain.Manager},
		{name: "a developer", headers: m.sellerMember(t, own, domain.Developer), kind: domain.UserActor, role: domain.Developer},
		{name: "an admin", headers: m.session(t, own.AdminEmail, own.AdminPassword), kind: domain.UserActor, role: domain.Admin},
		{
			name: "a viewer of the organization", headers: m.organizationMember(t, own, domain.Viewer).on(own.SellerID),
			kind: domain.UserActor, role: domain.Viewer, organizationRole: domain.Viewer,
		},
		{
			name: "an admin of the organization", headers: m.organizationMember(t, own, domain.Admin).on(own.SellerID),
			kind: domain.UserActor, role: domain.Admin, organizationRole: domain.Admin,
		},
		{name: "the organization's key", headers: bearer(m.world.Organizations[0].Key), kind: domain.OrganizationKeyActor, names: true},
		{name: "the platform", headers: bearer(rightToken), kind: domain.SystemActor, names: true},
	}
}

func (m *matrix) makeKey(t *testing.T, input apikey.NewKey) apikey.Key {
	t.Helper()
	input.Name = ownMark + " caller"
	made, err := m.do.Keys.Create(m.actingOn(t, m.own), input)
	must(t, err)
	return made
}

// keyOf makes a key that is given other permissions before each operation: a key for each would fill the seller's hundred.
func (m *matrix) keyOf(
	t *testing.T, permissions func(wanted domain.Permission) []domain.Permission,
) func(*testing.T, domain.Permission) caller {
	t.Helper()
	key := m.makeKey(t, apikey.NewKey{})
	return func(t *testing.T, wanted domain.Permission) caller {
		t.Helper()
		_, err := m.do.Keys.Update(m.actingOn(t, m.own), key.ID, apikey.Change{Permissions: domain.Some(permissions(wanted))})
		must(t, err)
		return bearer(key.Secret)
	}
}

// verdict is what the rule of the operation says of the call, read here a second time: empty is success.
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

// refused is what the kind of caller alone decides.
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

// hasRole tells whether the user's role is enough somewhere; where it is not, nothing need be looked up.
func (p principal) hasRole(rule domain.Rule) bool {
	return (rule.Role != domain.NoRole && p.role >= rule.Role) ||
		(rule.OrganizationRole != domain.NoRole && p.organizationRole >= rule.OrganizationRole)
}

// organizationMember is the session of a new user with a role at the seller's organization.
func (h *house) organizationMember(t *testing.T, seller seededSeller, role domain.Role) caller {
	t.Helper()
	place := tenant.Place{OrganizationID: seller.OrganizationID}
	return h.newMember(asPlatform(t.Context()), t, place, role)
}

// sellerMember is the session of a new user with a role at the seller.
func (h *house) sellerMember(t *testing.T, seller seededSeller, role domain.Role) caller {
	t.Helper()
	return h.newMember(h.actingOn(t, seller), t, tenant.Place{}, role)
}

func (h *house) newMember(ctx context.Context, t *testing.T, place tenant.Place, role domain.Role) caller {
	t.Helper()
	email := serial("user") + "@demo.ticketgate.example"
	_, err := h.do.Invitations.Settle(ctx, tenant.NewMember{Place: place, Email: email, Role: role, Password: password})
	must(t, err)
	return h.session(t, email, password)
}
