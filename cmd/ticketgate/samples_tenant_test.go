package main

import (
	"context"
	"strings"
	"testing"

	"ticketgate/domain"
	"ticketgate/domain/apikey"
	"ticketgate/domain/tenant"
)

const (
	password = "a-long-password-of-a-person"
	// loginEmail is a user of the world who is a member of nothing.
	loginEmail = "someone@demo.ticketgate.example"
)

// tenantArea is organizations, sellers, their members and keys, and what they did.
var tenantArea = area{
	samples: map[domain.Operation][]sample{
		domain.Login: {{
			args:   map[string]any{"input": map[string]any{"email": loginEmail, "password": password}},
			varies: []string{"token", "session"}, endsSession: true,
		}},
		domain.Logout:           {{endsSession: true}},
		domain.LogoutEverywhere: {{endsSession: true}},
		domain.ChangePassword: {{
			args:        map[string]any{"input": map[string]any{"currentPassword": password, "newPassword": password + "2"}},
			endsSession: true,
		}},
		domain.Me:       {{}},
		domain.Sessions: {{}},

		domain.ListOrganizations:  {{}},
		domain.CreateOrganization: {{args: map[string]any{"input": map[string]any{"name": "Further organization"}}}},
		domain.ListSellers:        {{}},
		domain.GetSeller:          {{target: "id", object: "seller", namesSeller: true}},
		domain.CreateSeller: {{
			target: "input.organizationId", object: "organization", ofOrganization: true,
			args: map[string]any{"input": map[string]any{"name": "Further seller", "country": "FR"}},
		}},
		domain.UpdateSeller: {{
			target: "input.sellerId", object: "seller", namesSeller: true, unknown: domain.CodeValidationFailed,
			args: map[string]any{"input": map[string]any{"siren": true}},
		}},
		domain.ListMembers: {
			{},
			{name: "of a named seller", target: "place.sellerId", object: "seller", namesSeller: true, unknown: domain.CodeValidationFailed},
		},
		domain.AddMember: {{args: map[string]any{"input": map[string]any{
			"email": func() any { return serial("member") + "@demo.ticketgate.example" }, "role": "VIEWER", "password": password,
		}}}},
		domain.UpdateMember: {{
			target: "input.memberId", object: "member", args: map[string]any{"input": map[string]any{"role": "MANAGER"}},
		}},
		domain.RemoveMember: {{target: "input.memberId", object: "member", usesUp: true}},
		// Whose it is depends on the caller, so that only refusals are compared.
		domain.LeaveMembership: {{args: map[string]any{"input": map[string]any{"membershipId": "unknown"}}, endsSession: true}},
		domain.ListInvitations: {
			{},
			{name: "of a named seller", target: "place.sellerId", object: "seller", namesSeller: true, unknown: domain.CodeValidationFailed},
		},
		domain.GetInvitation:      {{target: "code", object: "invitationCode"}},
		domain.ResendInvitation:   {{target: "input.invitationId", object: "invitation", varies: []string{"link", "expiresAt"}}},
		domain.WithdrawInvitation: {{target: "input.invitationId", object: "invitation", usesUp: true}},
		domain.AcceptInvitation: {{
			target: "input.code", object: "invitationCode", usesUp: true,
			args: map[string]any{"input": map[string]any{"name": "Bob", "password": password}},
		}},
		domain.IssuePasswordReset: {{
			target: "input.organizationId", object: "organization", ofOrganization: true,
			args: map[string]any{"input": map[string]any{"memberId": own("invitedMember")}}, varies: []string{"link", "expiresAt"},
		}},
		domain.ResetPassword: {{
			target: "input.code", object: "resetCode", usesUp: true,
			args: map[string]any{"input": map[string]any{"newPassword": password + "3"}},
		}},

		domain.CreateAPIKey: {
			{args: map[string]any{"input": map[string]any{"name": "Gate", "permissions": []string{"scans:create"}}}},
			{
				name: "of an organization", target: "input.orgId", object: "organization", ofOrganization: true,
				args: map[string]any{"input": map[string]any{"name": "Gate"}},
			},
		},
		domain.ListAPIKeys: {
			{varies: []string{"lastUsedAt"}},
			{name: "of an organization", target: "orgId", object: "organization", ofOrganization: true},
		},
		domain.FindAPIKeys: {
			{varies: []string{"lastUsedAt"}},
			{name: "of an organization", target: "orgId", object: "organization", ofOrganization: true},
		},
		domain.GetAPIKey:      {{target: "id", object: "key", varies: []string{"lastUsedAt"}}},
		domain.UpdateAPIKey:   {{target: "id", object: "key", args: map[string]any{"input": map[string]any{"name": fresh("Gate ")}}}},
		domain.RotateAPIKey:   {{target: "input.id", object: "key"}},
		domain.GetAPIKeyUsage: {{target: "id", object: "key"}},
		domain.GetAPIKeyInfo:  {{varies: []string{"lastUsedAt"}}},
		domain.GetDefaultAPIKey: {
			{target: "input.sellerId", object: "seller", namesSeller: true},
		},
		domain.ListPermissions: {{}},

		domain.ListAuditLog: {{}},
		domain.Search: {
			{name: "of the own", args: object{"query": ownMark}},
			{name: "of another's", args: object{"query": otherMark}},
		},
	},
	makers: map[string]maker{
		"seller": func(_ *house, _ *testing.T, seller seededSeller, _ string) string { return string(seller.SellerID) },
		"organization": func(_ *house, _ *testing.T, seller seededSeller, _ string) string {
			return string(seller.OrganizationID)
		},
		"key": (*house).key, "member": (*house).member, "invitation": (*house).invitation,
		"invitationCode": (*house).invitationCode, "invitedMember": (*house).invitedMember, "resetCode": (*house).resetCode,
	},
	lists: map[domain.Operation]pagedList{
		domain.ListOrganizations: {row: (*house).organization},
		domain.ListSellers:       {row: (*house).furtherSeller},
		domain.ListMembers:       {row: (*house).member},
		domain.ListInvitations:   {row: (*house).invitation},
		domain.FindAPIKeys:       {row: (*house).key},
		domain.ListAuditLog:      {row: (*house).key}, // what makes one is written down
	},
	refusals: map[domain.Operation][]refusal{
		domain.CreateAPIKey: {
			{"an empty name", object{"name": " "}, []string{"name"}},
			{"a long name", object{"name": strings.Repeat("é", 201)}, []string{"name"}},
			{
				"permissions outside the set",
				object{"name": "k", "permissions": []string{"scans:list", "keys:list", "*"}},
				[]string{"permissions[1]", "permissions[2]"},
			},
			{"an expiry in the past", object{"name": "k", "expiresAt": "2020-01-01T00:00:00Z"}, []string{"expiresAt"}},
			{"an expiry in ten years", object{"name": "k", "expiresAt": "2036-12-31T00:00:00+14:00"}, []string{"expiresAt"}},
			{
				"everything at once",
				object{"name": "", "expiresAt": "2020-01-01T00:00:00Z", "permissions": []string{"x"}},
				[]string{"name", "expiresAt", "permissions[0]"},
			},
		},
		domain.UpdateAPIKey: {
			{"an empty name", object{"name": ""}, []string{"name"}},
			{"an expiry in ten years", object{"expiresAt": "2036-12-31T00:00:00Z"}, []string{"expiresAt"}},
			{"a wildcard", object{"permissions": []string{"webhooks:*"}}, []string{"permissions[0]"}},
		},
	},
}

func (h *house) key(t *testing.T, seller seededSeller, mark string) string {
	t.Helper()
	made, err := h.do.Keys.Create(h.actingOn(t, seller), apikey.NewKey{Name: mark + " key"})
	must(t, err)
	return made.ID
}

func (h *house) member(t *testing.T, seller seededSeller, mark string) string {
	t.Helper()
	settled, err := h.do.Invitations.Settle(h.actingOn(t, seller), tenant.NewMember{
		Email: serial("member") + "@demo.ticketgate.example", Name: mark + " member", Role: domain.Viewer, Password: password,
	})
	must(t, err)
	return settled.Member.ID
}

func (h *house) invitation(t *testing.T, seller seededSeller, mark string) string {
	t.Helper()
	return h.invite(h.actingOn(t, seller), t, mark).ID
}

func (h *house) invitationCode(t *testing.T, seller seededSeller, mark string) string {
	t.Helper()
	return codeOf(h.invite(h.actingOn(t, seller), t, mark).Link)
}

func (h *house) invite(ctx context.Context, t *testing.T, mark string) tenant.IssuedInvitation {
	t.Helper()
	invited, err := h.do.Invitations.Invite(ctx, tenant.NewMember{
		Email: serial(strings.ToLower(mark)) + "@demo.ticketgate.example", Role: domain.Viewer,
	})
	must(t, err)
	return invited.Invitation
}

// invitedMember is one whose account an invitation made.
func (h *house) invitedMember(t *testing.T, seller seededSeller, mark string) string {
	t.Helper()
	accepted, err := h.do.Invitations.Accept(t.Context(), tenant.Acceptance{
		Code: h.invitationCode(t, seller, mark), Name: mark + " invited", Password: password,
	})
	must(t, err)
	return accepted.Member.ID
}

func (h *house) resetCode(t *testing.T, seller seededSeller, mark string) string {
	t.Helper()
	settled, err := h.do.Invitations.Settle(h.actingOn(t, seller), tenant.NewMember{
		Email: serial("member") + "@demo.ticketgate.example", Name: mark + " member", Role: domain.Viewer, Password: password,
	})
	must(t, err)
	issued, err := h.do.Invitations.IssueResetOf(asPlatform(t.Context()), settled.Member.User.Email, "")
	must(t, err)
	return codeOf(issued.Link)
}

// codeOf is the code of a one-time link.
func codeOf(link string) string {
	_, code, _ := strings.Cut(link, "#")
	return code
}

func (h *house) organization(t *testing.T, _ seededSeller, mark string) string {
	t.Helper()
	made, err := h.do.Organizations.Create(asPlatform(t.Context()), tenant.NewOrganization{Name: mark + " organization"})
	must(t, err)
	return string(made.ID)
}

func (h *house) furtherSeller(t *testing.T, seller seededSeller, mark string) string {
	t.Helper()
	made, err := h.do.Sellers.Create(asPlatform(t.Context()), tenant.NewSeller{
		OrganizationID: seller.OrganizationID, Name: mark + " seller", Country: "FR",
	})
	must(t, err)
	return string(made.ID)
}
