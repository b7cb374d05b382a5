package main

import (
	"encoding/json"
	"testing"

	"ticketgate/domain"
	"ticketgate/domain/access"
	"ticketgate/domain/apikey"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/tenant"
	"ticketgate/domain/webhook"
)

// sample is how an operation is called rightly. The tests that walk the table of operations put other callers and other
// objects into it.
type sample struct {
	// name tells the samples of one operation apart.
	name string
	// target is the argument, by its dotted path, that addresses an object; empty when none is addressed.
	target string
	// object is the kind of object that the target names: one of makers.
	object string
	// args are the other arguments; functions in place of values are called for each call.
	args map[string]any
	// usesUp tells that a successful call leaves no object for the next one.
	usesUp bool
	// unknown is the code for an object that is not there; NOT_FOUND unless it says otherwise.
	unknown domain.Code
	// namesSeller tells that the target is the seller itself, so that the header x-seller-id stays away.
	namesSeller bool
	// ofOrganization tells that the target is an organization.
	ofOrganization bool
	// endsSession tells that a successful call ends the caller's own session.
	endsSession bool
	// varies lists members of the result that differ between two calls of the same.
	varies []string
}

// fresh is a value that no call has used before.
func fresh(prefix string) func() any { return func() any { return serial(prefix) } }

const (
	listenerURL = "https://listener.example.com/hook?shop=1"
	password    = "a-long-password-of-a-person"
	// loginEmail is a user of the world who is a member of nothing.
	loginEmail = "someone@demo.ticketgate.example"
)

// samples is the table: a row for every operation that is tried through the doors.
var samples = map[domain.Operation][]sample{
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
	domain.GetAPIKey:     {{target: "id", object: "key"}},
	domain.UpdateAPIKey:  {{target: "id", object: "key", args: map[string]any{"input": map[string]any{"name": fresh("Gate ")}}}},
	domain.RotateAPIKey:  {{target: "input.id", object: "key"}},
	domain.GetAPIKeyInfo: {{varies: []string{"lastUsedAt"}}},
	domain.GetDefaultAPIKey: {
		{target: "input.sellerId", object: "seller", namesSeller: true},
	},
	domain.ListPermissions: {{}},

	domain.CreateWebhook: {{args: map[string]any{"input": map[string]any{
		"name": "Shop", "url": listenerURL, "hmacKey": "a key", "events": map[string]any{"ticket.created": true},
	}}}},
	domain.ListWebhooks: {{}},
	domain.GetWebhook:   {{target: "id", object: "webhook"}},
	domain.UpdateWebhook: {{
		target: "id", object: "webhook",
		args: map[string]any{"input": map[string]any{"name": fresh("Shop "), "url": listenerURL, "enabled": true}},
	}},
	domain.DeleteWebhook:  {{target: "id", object: "webhook", usesUp: true}},
	domain.ListDeliveries: {{target: "filter.webhookId", object: "webhook"}},
	domain.GetDelivery:    {{target: "id", object: "delivery"}},
	domain.RetryDelivery:  {{target: "id", object: "delivery"}},

	domain.PublishEvent: {{
		target: "input.sellerId", object: "seller", namesSeller: true, unknown: domain.CodeValidationFailed,
		args: map[string]any{"input": map[string]any{"type": "scan.created", "data": map[string]any{"scan": map[string]any{}}}},
	}},
	domain.ListEventTypes: {{}},
	domain.ListAuditLog:   {{}},

	domain.CreateAccessList: {
		{args: map[string]any{"input": map[string]any{"name": "Members"}}},
		{name: "remote", args: map[string]any{"input": map[string]any{
			"name": "Partner", "type": "remote", "http": map[string]any{"url": listenerURL, "hmacKey": "a key"},
		}}},
	},
	domain.ListAccessLists:  {{}},
	domain.GetAccessList:    {{target: "id", object: "accessList"}},
	domain.UpdateAccessList: {{target: "id", object: "accessList", args: map[string]any{"input": map[string]any{"name": fresh("Members ")}}}},
	domain.DeleteAccessList: {{target: "id", object: "accessList", usesUp: true}},
	domain.CreateEntry: {{
		target: "listId", object: "accessList",
		args: map[string]any{"input": map[string]any{"externalCode": fresh("code"), "email": "holder@demo.ticketgate.example"}},
	}},
	domain.ListEntries: {{target: "listId", object: "accessList"}},
}

// withoutParityYet are the operations whose area brings its samples later; nothing may be added to it.
var withoutParityYet = []domain.Operation{
	"events", "event", "createEvent", "updateEvent", "deleteEvent", "ticketTypes", "ticketType", "createTicketType",
	"updateTicketType", "scanZones", "scanZone", "createScanZone", "updateScanZone", "customers", "customer",
	"createCustomer", "updateCustomer", "importTickets", "tickets", "ticket",
	"accessListEntry", "updateAccessListEntry", "deleteAccessListEntry",
	"ticketLookup", "testAccessCode", "unknownCodes", "createScanGroup", "scanGroups", "scanGroup", "updateScanGroup",
	"deleteScanGroup", "createAccessUser", "accessUsers", "accessUser", "updateAccessUser", "deleteAccessUser",
	"renewAccessUserToken", "issuePairingCode", "pairAccessUser", "thisAccessUser", "accessUserEvents", "accessUserTickets",
	"previewEntryImport", "entryImports", "commitEntryImport", "cancelEntryImport", "undoEntryImport", "entryImport",
	"importTransactions", "transactions", "transaction", "scanTicket", "uploadScans", "annulScan", "simulateScan", "scans",
	"scan", "occupancy", "accessUserFeed",
}

// makers make an object of a seller and return its id; every text in it holds the seller's mark.
var makers = map[string]func(t *testing.T, h *house, seller seededSeller, mark string) string{
	"seller": func(_ *testing.T, _ *house, seller seededSeller, _ string) string { return string(seller.SellerID) },
	"organization": func(_ *testing.T, _ *house, seller seededSeller, _ string) string {
		return string(seller.OrganizationID)
	},
	"key": func(t *testing.T, h *house, seller seededSeller, mark string) string {
		t.Helper()
		made, err := h.do.Keys.Create(h.actingOn(t, seller), apikey.NewKey{Name: mark + " key"})
		must(t, err)
		return made.ID
	},
	"member": func(t *testing.T, h *house, seller seededSeller, mark string) string {
		t.Helper()
		added, err := h.do.Members.Add(h.actingOn(t, seller), tenant.NewMember{
			Email: serial("member") + "@demo.ticketgate.example", Name: mark + " member", Role: domain.Viewer, Password: password,
		})
		must(t, err)
		return added.Member.ID
	},
	"accessList": func(t *testing.T, h *house, seller seededSeller, mark string) string {
		t.Helper()
		made, err := h.do.AccessLists.Create(h.actingOn(t, seller), access.NewList{Name: mark + " list"})
		must(t, err)
		return made.ID
	},
	"webhook": func(t *testing.T, h *house, seller seededSeller, mark string) string {
		t.Helper()
		return h.webhook(t, seller, mark).ID
	},
	"delivery": func(t *testing.T, h *house, seller seededSeller, mark string) string {
		t.Helper()
		return h.delivery(t, seller, h.webhook(t, seller, mark).ID, mark)
	},
}

// webhook makes a webhook that wants scans.
func (h *house) webhook(t *testing.T, seller seededSeller, mark string) webhook.Webhook {
	t.Helper()
	made, err := h.do.Webhooks.Create(h.actingOn(t, seller), webhook.NewWebhook{
		Name: mark + " webhook", URL: listenerURL, HMACKey: domain.Some(mark + " secret"),
		Events: domain.Some(webhook.Selection{"scan.created": true}),
	})
	must(t, err)
	return made
}

// delivery publishes a scan and returns the newest delivery to the webhook.
func (h *house) delivery(t *testing.T, seller seededSeller, webhookID, mark string) string {
	t.Helper()
	h.publishScan(t, seller, mark)
	list, err := h.do.Deliveries.List(h.actingOn(t, seller), webhook.DeliveryFilter{WebhookID: webhookID}, domain.Page{Limit: 1000})
	must(t, err)
	return list.Items[len(list.Items)-1].ID
}

func (h *house) publishScan(t *testing.T, seller seededSeller, mark string) {
	t.Helper()
	text, err := json.Marshal(map[string]any{"scan": map[string]any{"_id": "s1", "name": mark + " scan"}})
	must(t, err)
	data, err := ecmajson.Parse(text, ecmajson.Limits{})
	must(t, err)
	_, err = h.do.Events.Publish(asPlatform(t.Context()), webhook.NewEvent{
		SellerID: seller.SellerID, Type: "scan.created", Data: data,
	})
	must(t, err)
}

// arguments are those of one call: values that are made for each call, and the object that is addressed.
func (s sample) arguments(id string) map[string]any {
	args, _ := filledIn(s.args).(map[string]any)
	if s.target == "" {
		return args
	}
	return with(args, s.target, id)
}

// filledIn replaces functions by what they return.
func filledIn(value any) any {
	switch value := value.(type) {
	case func() any:
		return value()
	case map[string]any:
		made := make(map[string]any, len(value))
		for name, member := range value {
			made[name] = filledIn(member)
		}
		return made
	}
	return value
}
