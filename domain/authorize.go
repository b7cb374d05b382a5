package domain

import (
	"cmp"
	"context"
	"fmt"

	"ticketgate/domain/ids"
)

// Authorize decides whether the caller may run the operation on the seller its call acts on. It is the first line of
// every operation. It returns the actor, or 401 without a credential, 403 without the right, 400 without a named seller
// and 403 without the seller's feature, in this order and before any record is read (AUTH-1).
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

// May reports whether Authorize would admit the caller. It has no effect: it counts as neither a use nor a refusal of
// the key's permission, and takes nothing from an allowance (ASK-1).
func May(ctx context.Context, op Operation) bool { return rules[op].admits(ActorOf(ctx)) == nil }

// MayAnywhere reports whether the caller may run the operation for at least one seller, which the input names. Like
// May, it has no effect (ASK-1).
func MayAnywhere(ctx context.Context, op Operation) bool {
	return rules[op].couldAdmit(ActorOf(ctx)) == nil
}

// admit takes one token from the caller's allowance for public operations.
func admit(ctx context.Context, actor *Actor) error {
	if allowance := CallOf(ctx).Admit; allowance != nil {
		return allowance(actor)
	}
	return nil
}

// MayCall decides as much as possible before the input is read, so that a caller without the right learns nothing about
// the input. The operation decides again, and its decision is final.
func MayCall(ctx context.Context, op Operation) error {
	rule := rules[op]
	if rule.Public || rule.Buyer { // the buyer's secret may be in the input
		return nil
	}
	if rule.OrganizationRole != NoRole || rule.OrganizationKey || rule.NamesSeller {
		return rule.authorizeAnywhere(ctx, ActorOf(ctx)) // the input names the seller or organization
	}
	_, err := Authorize(ctx, op)
	return err
}

// AuthorizeSeller is Authorize for an operation whose input names the seller. The platform and an organization key may
// name it in the input or in x-seller-id. A session may name any seller that the user is a member of. A seller that is
// unknown, foreign or different from the one in the header is a 400 (AUTH-3). lookUp returns the organization and
// features of the named seller, or NOT_FOUND.
func AuthorizeSeller(
	ctx context.Context, op Operation, named ids.Seller,
	lookUp func(context.Context, ids.Seller) (ids.Org, Features, error),
) (*Actor, error) {
	actor := ActorOf(ctx)
	if err := rules[op].authorizeAnywhere(ctx, actor); err != nil {
		return nil, err
	}
	if named == "" && actor.SellerID == "" {
		return nil, noSeller(actor, " or sellerId in the input")
	}
	if named == "" || named == actor.SellerID {
		return Authorize(ctx, op)
	}
	if actor.SellerID != "" && actor.Kind != UserActor {
		return nil, Invalid("sellerId", "must be the seller of the credential or of the header x-seller-id")
	}
	org, features, err := lookUp(ctx, named)
	if HasCode(err, CodeNotFound) || (err == nil && !actor.belongsTo(named, org)) {
		return nil, Invalid("sellerId", "does not exist")
	}
	if err != nil {
		return nil, err
	}
	chosen := *actor
	chosen.SellerID, chosen.OrgID, chosen.Features = named, org, features
	return Authorize(WithActor(ctx, &chosen), op)
}

// belongsTo reports whether the actor may know that the seller exists.
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

// AuthorizeOrganization is Authorize for an operation on an organization. A session needs its role at the organization.
// An organization key must belong to it. Any other organization is a 404 (AUTH-2).
func AuthorizeOrganization(ctx context.Context, op Operation, org ids.Org) (*Actor, error) {
	actor, rule := ActorOf(ctx), rules[op]
	// MayCall checks this first. Without it here, REST and GraphQL would refuse the same credential with different
	// messages.
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
	return nil, Forbidden("This credential cannot act on an organization")
}

func organizationRole(actor *Actor, rule Rule, org ids.Org) error {
	role := actor.RoleAtOrganization(org)
	switch {
	case rule.OrganizationRole == NoRole:
		return Forbidden("A session cannot do this")
	case role == NoRole:
		return NotFound("Organization")
	case role < rule.OrganizationRole:
		return needsRole(rule.OrganizationRole)
	}
	return nil
}

// admits decides for the actor and the seller its call acts on.
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

// admitsThere decides by the credential and by the session's role at the seller its call acts on.
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

// authorizeAnywhere calls couldAdmit and counts the decision in the key's usage.
func (r Rule) authorizeAnywhere(ctx context.Context, actor *Actor) error {
	err := r.couldAdmit(actor)
	r.count(ctx, actor, err)
	return err
}

// count records in the key's usage that the call used the operation's permission or was refused for lack of it.
func (r Rule) count(ctx context.Context, actor *Actor, refused error) {
	if actor.Kind == APIKeyActor && !r.AnyKey && r.Permission != "" {
		CallOf(ctx).Key.needs(r.Permission, !HasCode(refused, CodeMissingPermission))
	}
}

// couldAdmit decides by the credential alone, for any seller.
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
			return Forbidden("An organization key cannot do this")
		}
		return Forbidden("An organization key cannot do this; use a key of the seller")
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
	return Forbidden("This credential cannot do this")
}

// OnlyDevices reports whether only access devices may run the operation.
func (r Rule) OnlyDevices() bool { return r.Device && r.Permission == "" && r.Role == NoRole }

// couldAdmitUser decides by the user's highest role anywhere. The input may name the seller or organization later.
func (r Rule) couldAdmitUser(actor *Actor) error {
	if r.AnySession {
		return nil
	}
	if r.Role == NoRole && r.OrganizationRole == NoRole {
		return Forbidden("A dashboard session cannot do this; " + r.whoMay())
	}
	for _, m := range actor.Memberships {
		if (r.Role != NoRole && m.Role >= r.Role) ||
			(r.OrganizationRole != NoRole && m.OrgID != "" && m.Role >= r.OrganizationRole) {
			return nil
		}
	}
	return needsRole(cmp.Or(r.Role, r.OrganizationRole)) // name the seller role if the rule has one
}

// whoMay names the callers that may run the operation, for the message of a refusal.
func (r Rule) whoMay() string {
	switch {
	case r.Role != NoRole || r.OrganizationRole != NoRole:
		return "sign in to the dashboard instead"
	case r.Device && r.Permission == "":
		return "use the token of an access device"
	case r.AnyKey:
		return "use an API key instead"
	}
	return "it requires the platform's system token"
}

// admitsKey decides for a seller's API key. Full access covers every permission, but no operation without a permission.
func (r Rule) admitsKey(actor *Actor) error {
	switch {
	case r.AnyKey:
		return nil
	case r.Permission == "":
		return Forbidden("An API key cannot do this; " + r.whoMay())
	case actor.FullSellerAccess || actor.Permissions.Has(r.Permission):
		return nil
	}
	return NewError(CodeMissingPermission, fmt.Sprintf("Missing permission %q", r.Permission))
}

// needsSeller reports whether the operation acts on one seller.
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
	return NewError(CodeInvalidRequest, "The seller is required: set the header x-seller-id"+orWhere)
}

func needsRole(role Role) *Error {
	return Forbidden(fmt.Sprintf("This operation requires the role %s", role))
}
