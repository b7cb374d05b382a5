package domain

import (
	"cmp"
	"context"
	"fmt"

	"ticketgate/domain/ids"
)

// Authorize is the only gate: the first line of every operation. It returns the actor when it may do the
// operation on the seller its call acts on, and otherwise 401 without a credential, 403 when the actor may not,
// 400 when it names no seller and 403 when the seller lacks the feature, in this order and before any look-up
// (decisions 2.3, 4.4, 4.5).
func Authorize(ctx context.Context, op Operation) (*Actor, error) {
	actor, rule := ActorOf(ctx), rules[op]
	err := rule.admits(actor)
	rule.count(ctx, actor, err)
	if err != nil {
		return nil, err
	}
	if rule.Public {
		return actor, admit(ctx, actor)
	}
	return actor, nil
}

// May reports whether Authorize would let the actor do the operation. Asking has no effect: it is neither a use nor a
// refusal of the key's permission, and takes nothing from an allowance (ASK-1).
func May(ctx context.Context, op Operation) bool { return rules[op].admits(ActorOf(ctx)) == nil }

// MayAnywhere reports whether the actor may do the operation at some seller at least, which the input names. Asking has no
// effect, as with May (ASK-1).
func MayAnywhere(ctx context.Context, op Operation) bool {
	return rules[op].couldAdmit(ActorOf(ctx)) == nil
}

// admit bounds how often a caller may do what everybody may.
func admit(ctx context.Context, actor *Actor) error {
	if allowance := CallOf(ctx).Admit; allowance != nil {
		return allowance(actor)
	}
	return nil
}

// MayCall decides as much as can be decided before the input is read, so that a caller who may not do the
// operation learns nothing about its input. The operation itself decides again, and finally.
func MayCall(ctx context.Context, op Operation) error {
	rule := rules[op]
	if rule.Public || rule.Buyer { // a buyer's secret may be in the input
		return nil
	}
	if rule.OrganizationRole != NoRole || rule.OrganizationKey || rule.NamesSeller {
		return rule.authorizeAnywhere(ctx, ActorOf(ctx)) // which seller or organization is meant, the input says
	}
	_, err := Authorize(ctx, op)
	return err
}

// AuthorizeSeller is Authorize for an operation whose input names its seller. The platform and an organization
// key may name it there or by x-seller-id, a session any seller it is a member of. A seller that is unknown, another's
// or differs from the one already named is a 400 (decisions 1.1, 4.4). lookUp finds the named seller's organization
// and features, or NOT_FOUND.
func AuthorizeSeller(
	ctx context.Context, op Operation, named ids.Seller,
	lookUp func(context.Context, ids.Seller) (ids.Org, Features, error),
) (*Actor, error) {
	actor := ActorOf(ctx)
	if err := rules[op].authorizeAnywhere(ctx, actor); err != nil {
		return nil, err
	}
	if named == "" && actor.SellerID == "" {
		return nil, noSeller(actor, " or in the input's sellerId")
	}
	if named == "" || named == actor.SellerID {
		return Authorize(ctx, op)
	}
	if actor.SellerID != "" && actor.Kind != UserActor {
		return nil, Invalid("sellerId", "must be the seller of the credential or of the header x-seller-id")
	}
	org, features, err := lookUp(ctx, named)
	if HasCode(err, CodeNotFound) || (err == nil && !actor.belongsTo(named, org)) {
		return nil, Invalid("sellerId", "does not name a seller")
	}
	if err != nil {
		return nil, err
	}
	chosen := *actor
	chosen.SellerID, chosen.OrgID, chosen.Features = named, org, features
	return Authorize(WithActor(ctx, &chosen), op)
}

// belongsTo tells whether an actor may see that the seller exists at all.
func (a *Actor) belongsTo(seller ids.Seller, org ids.Org) bool {
	switch a.Kind {
	case UserActor:
		return a.RoleAt(seller, org) != NoRole
	case OrganizationKeyActor:
		return org == a.OrgID
	case SystemActor:
		return true
	case Nobody, APIKeyActor, DeviceActor, BuyerActor:
	}
	return false
}

// AuthorizeOrganization is Authorize for what belongs to an organization: a session needs its role there, an
// organization key is its own organization's. Another's organization is a 404 (decisions 4.4).
func AuthorizeOrganization(ctx context.Context, op Operation, org ids.Org) (*Actor, error) {
	actor, rule := ActorOf(ctx), rules[op]
	// First what MayCall decides, or the doors would refuse the same credential in different words (decisions 2.2).
	if err := rule.authorizeAnywhere(ctx, actor); err != nil {
		return nil, err
	}
	switch actor.Kind {
	case SystemActor:
		return actor, nil
	case OrganizationKeyActor:
		if actor.OrgID == org {
			return actor, nil
		}
		return nil, NotFound("Organization")
	case UserActor:
		return actor, organizationRole(actor, rule, org)
	case Nobody, APIKeyActor, DeviceActor, BuyerActor:
	}
	return nil, Forbidden("This credential may not act on an organization")
}

func organizationRole(actor *Actor, rule Rule, org ids.Org) error {
	role := actor.RoleAtOrganization(org)
	switch {
	case rule.OrganizationRole == NoRole:
		return Forbidden("A session may not do this")
	case role == NoRole:
		return NotFound("Organization")
	case role < rule.OrganizationRole:
		return needsRole(rule.OrganizationRole)
	}
	return nil
}

// admits decides for the actor and the seller it acts on.
func (r Rule) admits(actor *Actor) error {
	if r.Public {
		if actor.Kind == UserActor && r.Role != NoRole {
			return r.admitsThere(actor)
		}
		return nil
	}
	if err := r.admitsThere(actor); err != nil {
		return err
	}
	if r.needsSeller() && actor.SellerID == "" {
		return noSeller(actor, "")
	}
	if r.Feature == FeatureWebhooks && !actor.Features.Webhooks {
		return NewError(CodeFeatureNotEnabled, "The Webhooks feature is not enabled for this seller")
	}
	return nil
}

// admitsThere decides by the credential and by the session's role at the seller it acts on.
func (r Rule) admitsThere(actor *Actor) error {
	if err := r.couldAdmit(actor); err != nil {
		return err
	}
	if actor.Kind == UserActor && !r.AnySession && actor.SellerID != "" &&
		actor.RoleAt(actor.SellerID, actor.OrgID) < r.Role {
		return needsRole(r.Role)
	}
	return nil
}

// authorizeAnywhere is the first part of each way to authorize: couldAdmit, counted.
func (r Rule) authorizeAnywhere(ctx context.Context, actor *Actor) error {
	err := r.couldAdmit(actor)
	r.count(ctx, actor, err)
	return err
}

// count notes for the key's usage that the call uses the operation's permission, or was refused for lack of it.
func (r Rule) count(ctx context.Context, actor *Actor, refused error) {
	if actor.Kind == APIKeyActor && !r.AnyKey && r.Permission != "" {
		CallOf(ctx).Key.needs(r.Permission, !HasCode(refused, CodeMissingPermission))
	}
}

// couldAdmit decides what the credential alone can decide, whichever seller is meant.
func (r Rule) couldAdmit(actor *Actor) error {
	switch actor.Kind {
	case Nobody:
		switch {
		case r.OnlyDevices():
			return Unauthenticated("Authentication required: send the device's token in the header token")
		case r.Buyer:
			return noBuyer()
		}
		return noCredential()
	case APIKeyActor:
		return r.admitsKey(actor)
	case OrganizationKeyActor:
		if r.OrganizationKey {
			return nil
		}
		if r.Permission == "" && !r.AnyKey {
			return Forbidden("An organization key may not do this")
		}
		return Forbidden("An organization key may not do this; use a key of the seller")
	case UserActor:
		return r.couldAdmitUser(actor)
	case DeviceActor:
		if r.Device {
			return nil
		}
	case SystemActor:
		if r.System {
			return nil
		}
	case BuyerActor:
	}
	return Forbidden("This credential may not do this")
}

// OnlyDevices tells what no other caller may do.
func (r Rule) OnlyDevices() bool { return r.Device && r.Permission == "" && r.Role == NoRole }

// couldAdmitUser decides by the user's best role anywhere; which seller or organization is meant, the input may
// say later.
func (r Rule) couldAdmitUser(actor *Actor) error {
	if r.AnySession {
		return nil
	}
	if r.Role == NoRole && r.OrganizationRole == NoRole {
		return Forbidden("A dashboard session may not do this; " + r.whoMay())
	}
	for _, m := range actor.Memberships {
		if (r.Role != NoRole && m.Role >= r.Role) ||
			(r.OrganizationRole != NoRole && m.OrgID != "" && m.Role >= r.OrganizationRole) {
			return nil
		}
	}
	return needsRole(cmp.Or(r.Role, r.OrganizationRole)) // of a seller, where it may be one's
}

// whoMay names who else may, for a caller that may not.
func (r Rule) whoMay() string {
	switch {
	case r.Role != NoRole || r.OrganizationRole != NoRole:
		return "sign in to the dashboard instead"
	case r.Device && r.Permission == "":
		return "an access device may, with its token"
	case r.AnyKey:
		return "use an API key instead"
	}
	return "only the platform may, with its system token"
}

// admitsKey decides for a seller's API key: full access covers every permission, and never what has none
// (decisions 4.4).
func (r Rule) admitsKey(actor *Actor) error {
	switch {
	case r.AnyKey:
		return nil
	case r.Permission == "":
		return Forbidden("An API key may not do this; " + r.whoMay())
	case actor.FullSellerAccess || actor.Permissions.Has(r.Permission):
		return nil
	}
	return NewError(CodeMissingPermission, fmt.Sprintf("Missing permission %q", r.Permission))
}

// needsSeller tells whether the operation acts on one seller.
func (r Rule) needsSeller() bool {
	return !r.AnySession && !r.AnyKey && (r.Permission != "" || r.Role != NoRole || r.Feature != "")
}

func noCredential() *Error {
	return Unauthenticated("Authentication required: send an API key as Authorization: Bearer <key>")
}

func noSeller(actor *Actor, orWhere string) *Error {
	if actor.Kind == UserActor {
		return Forbidden("This user is not a member of any seller")
	}
	return NewError(CodeInvalidRequest, "Name the seller in the header x-seller-id"+orWhere)
}

func needsRole(role Role) *Error {
	return Forbidden(fmt.Sprintf("This needs the role %s", role))
}
