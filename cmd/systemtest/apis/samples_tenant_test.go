package apis

import (
	"strings"
	"testing"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/cmd/ticketgate/demo"
	"ticketgate/domain"
)

// tenantArea covers organizations, sellers, their members and keys, and the audit log.
var tenantArea = area{
	samples: map[domain.Operation][]sample{
		domain.Login: {{
			args:   map[string]any{"input": map[string]any{"email": apitest.LoginEmail, "password": apitest.Password}},
			varies: []string{"token", "session"}, endsSession: true,
		}},
		domain.Logout:           {{endsSession: true}},
		domain.LogoutEverywhere: {{endsSession: true}},
		domain.ChangePassword: {{
			args:        map[string]any{"input": map[string]any{"currentPassword": apitest.Password, "newPassword": apitest.Password + "2"}},
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
			"email": func() any { return systemtest.Serial("member") + "@demo.ticketgate.example" }, "role": "VIEWER", "password": apitest.Password,
		}}}},
		domain.UpdateMember: {{
			target: "input.memberId", object: "member", args: map[string]any{"input": map[string]any{"role": "MANAGER"}},
		}},
		domain.RemoveMember: {{target: "input.memberId", object: "member", usesUp: true}},
		// The membership depends on the caller, so only refusals are compared.
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
			args: map[string]any{"input": map[string]any{"name": "Bob", "password": apitest.Password}},
		}},
		domain.IssuePasswordReset: {{
			target: "input.organizationId", object: "organization", ofOrganization: true,
			args: map[string]any{"input": map[string]any{"memberId": own("invitedMember")}}, varies: []string{"link", "expiresAt"},
		}},
		domain.ResetPassword: {{
			target: "input.code", object: "resetCode", usesUp: true,
			args: map[string]any{"input": map[string]any{"newPassword": apitest.Password + "3"}},
		}},

		domain.CreateAPIKey: {
			{args: map[string]any{"input": map[string]any{"name": "Gate", "permissions": []string{"scans:create"}}}},
			{
				name: "of an organization", target: "input.orgId", object: "organization", ofOrganization: true,
				args: map[string]any{"input": map[string]any{"name": "Gate"}},
			},
		},
		domain.ListAPIKeys: {
			{},
			{name: "of an organization", target: "orgId", object: "organization", ofOrganization: true},
		},
		domain.FindAPIKeys: {
			{},
			{name: "of an organization", target: "orgId", object: "organization", ofOrganization: true},
		},
		domain.GetAPIKey:      {{target: "id", object: "key"}},
		domain.UpdateAPIKey:   {{target: "id", object: "key", args: map[string]any{"input": map[string]any{"name": fresh("Gate ")}}}},
		domain.RotateAPIKey:   {{target: "input.id", object: "key"}},
		domain.GetAPIKeyUsage: {{target: "id", object: "key"}},
		domain.GetAPIKeyInfo:  {{}},
		domain.GetDefaultAPIKey: {
			{target: "input.sellerId", object: "seller", namesSeller: true},
		},
		domain.ListPermissions: {{}},

		domain.ListAuditLog: {{}},
		domain.Search: {
			{name: "of the seller's own", args: object{"query": ownMark}},
			{name: "of another seller's", args: object{"query": otherMark}},
		},
	},
	makers: map[string]maker{
		"seller": func(_ *apitest.Server, _ *testing.T, seller demo.Seller, _ string) string {
			return string(seller.SellerID)
		},
		"organization": func(_ *apitest.Server, _ *testing.T, seller demo.Seller, _ string) string {
			return string(seller.OrganizationID)
		},
		"key": (*apitest.Server).Key, "member": (*apitest.Server).Member, "invitation": (*apitest.Server).Invitation,
		"invitationCode": (*apitest.Server).InvitationCode, "invitedMember": (*apitest.Server).InvitedMember, "resetCode": (*apitest.Server).ResetCode,
	},
	lists: map[domain.Operation]pagedList{
		domain.ListOrganizations: {row: (*apitest.Server).Organization},
		domain.ListSellers:       {row: (*apitest.Server).FurtherSeller},
		domain.ListMembers:       {row: (*apitest.Server).Member},
		domain.ListInvitations:   {row: (*apitest.Server).Invitation},
		domain.FindAPIKeys:       {row: (*apitest.Server).Key},
		domain.ListAuditLog:      {row: (*apitest.Server).Key}, // creating a key writes to the audit log
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
