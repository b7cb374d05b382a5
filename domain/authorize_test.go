package domain_test

import (
	"context"
	"errors"
	"testing"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/secrets"
)

func seller(features domain.Features) domain.Actor {
	return domain.Actor{SellerID: "s1", OrgID: "o1", Features: features}
}

// callers returns one caller of each kind.
func callers() map[string]*domain.Actor {
	webhooks := domain.Features{Webhooks: true}
	key := func(full bool, permissions ...domain.Permission) *domain.Actor {
		actor := seller(webhooks)
		actor.Kind, actor.FullSellerAccess = domain.APIKeyActor, full
		actor.Permissions = domain.NewPermissionSet(permissions)
		return &actor
	}
	user := func(role domain.Role) *domain.Actor {
		actor := seller(webhooks)
		actor.Kind, actor.Memberships = domain.UserActor, []domain.Membership{{SellerID: "s1", Role: role}}
		return &actor
	}
	system := seller(webhooks)
	system.Kind = domain.SystemActor
	device := seller(webhooks)
	device.Kind = domain.DeviceActor
	return map[string]*domain.Actor{
		"no credential":    {},
		"full key":         key(true),
		"listing key":      key(false, "webhooks:list"),
		"other key":        key(false, "scans:create"),
		"organization key": {Kind: domain.OrganizationKeyActor, OrgID: "o1"},
		"viewer":           user(domain.Viewer),
		"manager":          user(domain.Manager),
		"developer":        user(domain.Developer),
		"admin":            user(domain.Admin),
		"device":           &device,
		"system":           &system,
		"system, nowhere":  {Kind: domain.SystemActor},
	}
}

func TestAuthorize(t *testing.T) {
	const (
		unauthenticated = domain.CodeUnauthenticated
		forbidden       = domain.CodeForbidden
		missing         = domain.CodeMissingPermission
		invalid         = domain.CodeInvalidRequest
	)
	for operation, refused := range map[domain.Operation]map[string]domain.Code{
		domain.ListWebhooks: {
			"no credential": unauthenticated, "other key": missing, "organization key": forbidden, "viewer": forbidden,
			"manager": forbidden, "device": forbidden, "system, nowhere": invalid,
		},
		domain.CreateAPIKey: {
			"no credential": unauthenticated, "full key": forbidden, "listing key": forbidden, "other key": forbidden,
			"organization key": forbidden, "viewer": forbidden, "manager": forbidden, "device": forbidden,
			"system, nowhere": invalid,
		},
		domain.GetAPIKeyInfo: {
			"no credential": unauthenticated, "viewer": forbidden, "manager": forbidden, "developer": forbidden,
			"admin": forbidden, "device": forbidden, "system": forbidden, "system, nowhere": forbidden,
		},
		domain.PublishEvent: {
			"no credential": unauthenticated, "full key": forbidden, "listing key": forbidden, "other key": forbidden,
			"organization key": forbidden, "viewer": forbidden, "manager": forbidden, "developer": forbidden,
			"admin": forbidden, "device": forbidden,
		},
		domain.Login: {},
		"noSuchOperation": {
			"no credential": unauthenticated, "full key": forbidden, "listing key": forbidden, "other key": forbidden,
			"organization key": forbidden, "viewer": forbidden, "manager": forbidden, "developer": forbidden,
			"admin": forbidden, "device": forbidden, "system": forbidden, "system, nowhere": forbidden,
		},
	} {
		for name, actor := range callers() {
			_, err := domain.Authorize(domain.WithActor(t.Context(), actor), operation)
			got := domain.Code("")
			if err != nil {
				got = domain.AsError(err).Code
			}
			if got != refused[name] {
				t.Errorf("%s by %s: %q, want %q", operation, name, got, refused[name])
			}
		}
	}
}

func TestAuthorizeMessages(t *testing.T) {
	all := callers()
	refusal := func(actor *domain.Actor, operation domain.Operation) string {
		_, err := domain.Authorize(domain.WithActor(t.Context(), actor), operation)
		if err == nil {
			return ""
		}
		return err.Error()
	}
	if got := refusal(all["other key"], domain.CreateWebhook); got != `Missing permission "webhooks:create"` {
		t.Error(got)
	}
	// The lowest role that suffices, even if organization keys require a higher one.
	for operation, want := range map[domain.Operation]string{
		domain.CreateAPIKey: "This operation requires the role DEVELOPER", domain.CreateWebhook: "This operation requires the role DEVELOPER",
		domain.AddMember: "This operation requires the role ADMIN", domain.CreateSeller: "This operation requires the role ADMIN",
		domain.CreateEntry: "This operation requires the role MANAGER",
	} {
		if got := refusal(all["viewer"], operation); got != want {
			t.Errorf("%s: %q, want %q", operation, got, want)
		}
	}
	without := *all["developer"]
	without.Features = domain.Features{}
	if got := refusal(&without, domain.ListWebhooks); got != "The Webhooks feature is not enabled for this seller" {
		t.Error(got)
	}
}

func TestAuthorizeSeller(t *testing.T) {
	lookUp := func(_ context.Context, id ids.Seller) (ids.Org, domain.Features, error) {
		switch id {
		case "s1", "s2":
			return "o1", domain.Features{}, nil
		case "foreign":
			return "o2", domain.Features{}, nil
		case "broken":
			return "", domain.Features{}, errors.New("the database is away")
		}
		return "", domain.Features{}, domain.NotFound("Seller")
	}
	all := callers()
	for _, test := range []struct {
		caller    string
		operation domain.Operation
		named     ids.Seller
		acts      ids.Seller
		code      domain.Code
	}{
		{"system, nowhere", domain.PublishEvent, "s2", "s2", ""},
		{"system, nowhere", domain.PublishEvent, "unknown", "", domain.CodeValidationFailed},
		{"system, nowhere", domain.PublishEvent, "broken", "", domain.CodeInternal},
		{"system, nowhere", domain.PublishEvent, "", "", domain.CodeInvalidRequest},
		{"system", domain.PublishEvent, "s1", "s1", ""},
		{"system", domain.PublishEvent, "", "s1", ""},
		{"system", domain.PublishEvent, "s2", "", domain.CodeValidationFailed},
		{"admin", domain.UpdateSeller, "s1", "s1", ""},
		{"admin", domain.UpdateSeller, "s2", "", domain.CodeValidationFailed},
		{"admin", domain.UpdateSeller, "foreign", "", domain.CodeValidationFailed},
		{"admin", domain.PublishEvent, "s1", "", domain.CodeForbidden},
		{"full key", domain.UpdateSeller, "s2", "", domain.CodeForbidden},
		{"no credential", domain.UpdateSeller, "s1", "", domain.CodeUnauthenticated},
	} {
		ctx := domain.WithActor(t.Context(), all[test.caller])
		actor, err := domain.AuthorizeSeller(ctx, test.operation, test.named, lookUp)
		got := domain.Code("")
		if err != nil {
			got = domain.AsError(err).Code
		}
		if got != test.code || (err == nil && actor.SellerID != test.acts) {
			t.Errorf("%s, %s on %s: %q, %+v", test.caller, test.operation, test.named, got, actor)
		}
	}
}

func TestOperations(t *testing.T) {
	for operation, rule := range domain.Operations() {
		if rule == (domain.Rule{}) {
			t.Errorf("no caller may run %s", operation)
		}
		if rule.Permission != "" && !rule.Permission.Valid() {
			t.Errorf("%s requires %q, which no key can hold", operation, rule.Permission)
		}
	}
}

func TestPermissions(t *testing.T) {
	all := domain.Permissions()
	if len(all) != 122 {
		t.Fatalf("%d permissions, want 122", len(all))
	}
	for i, permission := range all {
		set := domain.NewPermissionSet([]domain.Permission{permission})
		for j, other := range all {
			if set.Has(other) != (i == j) {
				t.Errorf("a set of %s has %s: %v", permission, other, set.Has(other))
			}
		}
	}
	for _, wrong := range []domain.Permission{"", "*", "webhooks:*", "webhooks:delete", "Webhooks:list"} {
		if wrong.Valid() {
			t.Errorf("%q is valid", wrong)
		}
	}
}

func TestEventTypes(t *testing.T) {
	kinds := domain.EventKinds()
	if len(kinds) != 45 {
		t.Fatalf("%d event types, want 45", len(kinds))
	}
	seen := map[domain.EventType]bool{}
	for _, kind := range kinds {
		if seen[kind.Type] || !kind.Type.Valid() || len(kind.Data) == 0 || kind.Trigger == "" {
			t.Errorf("%+v", kind)
		}
		seen[kind.Type] = true
	}
	if domain.EventType("transaction.completed").Valid() {
		t.Error("transaction.completed is a valid type")
	}
}

// May decides as Authorize does and has no effect on the key's usage or on an allowance (ASK-1).
func TestMayAgreesWithAuthorizeAndCountsNothing(t *testing.T) {
	for operation := range domain.Operations() {
		for name, actor := range callers() {
			asked, done := &domain.KeyCall{}, &domain.KeyCall{}
			call := domain.Call{Key: asked, Admit: func(*domain.Actor) error {
				t.Errorf("%s by %s: May took from the allowance", operation, name)
				return nil
			}}
			anywhere := domain.MayAnywhere(domain.WithCall(domain.WithActor(t.Context(), actor), call), operation)
			may := domain.May(domain.WithCall(domain.WithActor(t.Context(), actor), call), operation)
			_, err := domain.Authorize(domain.WithCall(domain.WithActor(t.Context(), actor), domain.Call{Key: done}), operation)
			if may != (err == nil) {
				t.Errorf("%s by %s: May is %t, Authorize returned %v", operation, name, may, err)
			}
			if may && !anywhere && !domain.RuleOf(operation).Public {
				t.Errorf("%s by %s: allowed here, but not anywhere", operation, name)
			}
			if _, used, missing := asked.Gathered(); len(used)+len(missing) > 0 {
				t.Errorf("%s by %s: May counted %v and %v", operation, name, used, missing)
			}
			_, used, missing := done.Gathered()
			if rule := domain.RuleOf(operation); actor.Kind == domain.APIKeyActor && rule.Permission != "" && len(used)+len(missing) != 1 {
				t.Errorf("%s by %s: counted %v and %v", operation, name, used, missing)
			}
		}
	}
}

// A checkout's secret permits what the key's permissions don't, and nothing counts as refused (ASK-1).
func TestACheckoutSecretIsNoRefusalOfTheKey(t *testing.T) {
	secret := secrets.New(secrets.Checkout)
	owner := func(context.Context, string) (ids.Seller, secrets.Digest, error) {
		return "s1", secrets.DigestOf(secret), nil
	}
	for sent, refused := range map[string]bool{secret: false, secrets.New(secrets.Checkout): true, "": true} {
		usage := &domain.KeyCall{}
		ctx := domain.WithCall(domain.WithActor(t.Context(), callers()["other key"]), domain.Call{Key: usage})
		_, err := domain.AuthorizeBuyer(ctx, domain.SubmitDetails, "c1", sent, owner)
		if _, _, missing := usage.Gathered(); (err != nil) != refused || (len(missing) > 0) != refused {
			t.Errorf("%q: %v, missing %v", sent, err, missing)
		}
	}
}
