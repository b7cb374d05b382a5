package edges

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/cmd/ticketgate/platform"
	"ticketgate/domain"
	"ticketgate/domain/apikey"
	"ticketgate/domain/moment"
	"ticketgate/domain/optional"
	"ticketgate/domain/tenant"
	"ticketgate/domain/webhook"
)

// A delivery leads to the record of its event, which needs its own permission.
func TestDeliveryObject(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t)
	seller := h.Demo.Sellers[0]
	_, err := h.Do.Webhooks.Create(h.ActingOn(t, seller), webhook.NewWebhook{
		Name: "Hook", URL: apitest.ListenerURL,
		Events: optional.Some(webhook.Selection{"transaction.complete": true, "ticket.created": true, "checkout.completed": true}),
	})
	systemtest.Must(t, err)
	sold := sells(t, h, seller)
	const query = `{ webhookDeliveries { nodes { type object {
		__typename _id ... on Ticket { event { name } } ... on Transaction { event { name } } } } } }`
	event := `"event":{"name":"Opening night"}`
	checkout := fmt.Sprintf(`{"type":"checkout.completed","object":{"__typename":"Checkout","_id":%q}}`, sold.checkout)
	transaction := fmt.Sprintf(`{"type":"transaction.complete","object":{"__typename":"Transaction","_id":%q,%s}}`, sold.transaction, event)
	ticket := fmt.Sprintf(`{"type":"ticket.created","object":{"__typename":"Ticket","_id":%q,%s}}`, sold.ticket, event)
	nothing := `{"type":"ticket.created","object":null}`
	for who, row := range map[string]struct {
		as      apitest.Caller
		want    []string
		refused string
	}{
		"a key with all": {apitest.Bearer(seller.APIKey), []string{checkout, transaction, ticket}, ""},
		"a key without tickets": {
			h.KeyWith(t, seller, "webhooks:list", "transactions:list", "events:list", "checkouts:list"),
			[]string{checkout, transaction, nothing},
			`Missing permission \"tickets:list\"`,
		},
	} {
		o := h.Execute(t, row.as, query, nil)
		for _, want := range row.want {
			if !strings.Contains(string(o.Body), want) {
				t.Errorf("%s: %v, want %s", who, o, want)
			}
		}
		if (row.refused == "") == strings.Contains(string(o.Body), `"errors"`) || !strings.Contains(string(o.Body), row.refused) {
			t.Errorf("%s: %v, want refused %q", who, o, row.refused)
		}
	}
	_, err = h.SQL.ExecContext(t.Context(), "DELETE FROM tickets WHERE id = $1", sold.ticket)
	systemtest.Must(t, err)
	if o := h.Execute(t, apitest.Bearer(seller.APIKey), query, nil); o.Refusal.Code != "" || !strings.Contains(string(o.Body), nothing) {
		t.Errorf("deleted ticket: %v", o)
	}
	id := only(t, h, "SELECT id FROM deliveries WHERE type = 'ticket.created' AND seller_id = $1", string(seller.SellerID))
	one := fmt.Sprintf(`{ delivery(id: %q) { object { _id } } }`, id)
	if o := h.Execute(t, apitest.Bearer(h.Demo.Sellers[1].APIKey), one, nil); o.Refusal.Code != string(domain.CodeNotFound) || o.Result != nil {
		t.Errorf("another seller's key: %v", o)
	}
}

// only returns the one text that a query finds.
func only(t *testing.T, h *apitest.Server, query string, args ...any) (text string) {
	t.Helper()
	systemtest.Must(t, h.SQL.QueryRowContext(t.Context(), query, args...).Scan(&text))
	return text
}

// Keys, audit entries, sellers and organizations lead to people, keys and places that the caller may list. Others are null,
// with one error.
func TestEdgesForAdministrators(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t)
	seller, sibling := h.Demo.Sellers[0], h.Demo.Sellers[1]
	admin := h.Session(t, seller.AdminEmail, seller.AdminPassword)
	settle := func(email string, role domain.Role, at tenant.Place) apitest.Caller {
		_, err := h.Do.Invitations.Settle(platform.Context(t.Context()), tenant.NewMember{Place: at, Email: email, Role: role, Password: apitest.Password})
		systemtest.Must(t, err)
		return h.Session(t, email, apitest.Password)
	}
	owner := settle("owner@example.com", domain.Admin, tenant.Place{OrganizationID: seller.OrganizationID}).On(seller.SellerID)
	developer := settle("developer@example.com", domain.Developer, tenant.Place{SellerID: seller.SellerID})
	systemtest.Must(t, done(h.Execute(t, admin, `mutation { createApiKey(input: {name: "By a person", permissions: ["customers:list"]}) { _id } }`, nil)))
	systemtest.Must(t, done(h.Execute(t, owner, fmt.Sprintf(`mutation { createApiKey(input: {name: "Of all", orgId: %q}) { _id } }`, seller.OrganizationID), nil)))
	systemtest.Must(t, done(h.Execute(t, admin, `mutation { createAccessList(input: {name: "Guests"}) { _id } }`, nil)))
	gone := h.Execute(t, admin, `mutation { createAccessList(input: {name: "Gone"}) { _id } }`, nil).Result.(object)["createAccessList"].(object)["_id"]
	systemtest.Must(t, done(h.Execute(t, admin, fmt.Sprintf(`mutation { deleteAccessList(id: %q) { _id } }`, gone), nil)))

	const sellers = `{ sellers { nodes { name organization { name } members { nodes { role user { email } } } } } }`
	const below = `{ organizations { nodes { name members { nodes { role } } sellers { totalCount nodes { members { totalCount } } } } } }`
	const keys = `{ keys(filter: {permission: "customers:list", active: true, expired: false, organizationKeys: true}) { nodes {
		name creator { __typename name } usage(permission: "customers:list") { used { permission calls } } } } }`
	const creators = `{ keys(order: NEWEST_FIRST, first: 1) { nodes { name creator { __typename ... on User { email } } } } }`
	const log = `{ auditLog(filter: {object: "accessList"}) { nodes { action recordName record { __typename ... on AccessList { name } } actor { __typename ... on User { email } } } } }`
	const twoErrors = "FORBIDDEN and NOT_FOUND" // in any order
	forbidden, notFound := string(domain.CodeForbidden), string(domain.CodeNotFound)
	byAdmin := fmt.Sprintf(`{"__typename":"User","email":%q}`, seller.AdminEmail)
	for _, row := range []struct {
		who        string
		as         apitest.Caller
		query      string
		want, code string
	}{
		{"an administrator of the seller", admin, sellers, `"organization":null,"members":{"nodes":[{"role":"ADMIN","user":{"email":"` + seller.AdminEmail, notFound},
		{"an administrator of the organization", owner, sellers, `"organization":{"name":"Spectacles de Paris"},"members":{"nodes":[{"role":"ADMIN"`, ""},
		{"a developer", developer, sellers, `"organization":null,"members":null`, twoErrors},
		{"the organization's key", apitest.Bearer(h.Demo.Organizations[0].Key), sellers, `"organization":{"name":"Spectacles de Paris"},"members":null`, forbidden},
		{"a key", apitest.Bearer(seller.APIKey), sellers, `"data":null`, forbidden},
		{"an administrator of the organization", owner, below, `"members":{"nodes":[{"role":"ADMIN"}]},"sellers":{"totalCount":3,"nodes":[{"members":{"totalCount":3}}`, ""},
		{"the organization's key", apitest.Bearer(h.Demo.Organizations[0].Key), below, `"members":null,"sellers":{"totalCount":3,"nodes":[{"members":null}`, forbidden},
		{"an administrator of the seller", admin, below, `"organizations":{"nodes":[]}`, ""},
		{"an administrator of the organization", owner, keys, `{"name":"Of all","creator":{"__typename":"User","name":"owner@example.com"},"usage":{"used":[]}}`, ""},
		{"an administrator of the seller", admin, keys, `"data":null`, notFound},
		{"a developer", developer, creators, `{"name":"By a person","creator":null}`, forbidden},
		{"an administrator of the seller", admin, creators, `{"name":"By a person","creator":` + byAdmin + `}`, ""},
		{"an administrator of the seller", admin, log, `{"action":"createAccessList","recordName":"Guests","record":{"__typename":"AccessList","name":"Guests"},"actor":` + byAdmin + `}`, ""},
		{"an administrator of the seller", admin, log, `{"action":"deleteAccessList","recordName":null,"record":null,"actor":` + byAdmin + `}`, ""},
		{"a developer", developer, log, `"data":null`, forbidden},
	} {
		o := h.Execute(t, row.as, row.query, nil)
		if (o.Refusal.Code != row.code && row.code != twoErrors) || !strings.Contains(string(o.Body), row.want) {
			t.Errorf("%s: %s\n%v, want %s %s", row.who, row.query, o, row.want, row.code)
		}
		if messages := strings.Count(string(o.Body), `"message"`); row.code != "" && messages > 2 {
			t.Errorf("%s has %d errors: %v", row.who, messages, o)
		}
	}
	t.Run("me leads to sellers and organizations", func(t *testing.T) {
		o := h.Execute(t, owner, `{ me { memberships { organization { sellers { nodes { name } } } } seller { organization { name } } } }`, nil)
		if o.Refusal.Code != "" || !strings.Contains(string(o.Body), sibling.Name) {
			t.Errorf("%v", o)
		}
	})
	t.Run("usage is filtered by one permission", func(t *testing.T) {
		key := apitest.Bearer(seller.APIKey)
		for _, query := range []string{`{ customers { totalCount } }`, `{ events { totalCount } }`} {
			if o := h.Execute(t, key, query, nil); o.Status != http.StatusOK {
				t.Fatal(o)
			}
		}
		systemtest.Eventually(t, "the calls have been recorded", func() bool {
			o := h.Execute(t, admin, `{ keys { nodes { name usage(permission: "customers:list") { calls { calls } used { permission calls } } } } }`, nil)
			return strings.Contains(string(o.Body), `"used":[{"permission":"customers:list","calls":1}]`)
		})
		o := h.Execute(t, admin, `{ keys { nodes { usage(permission: "customers:eat") { used { calls } } } } }`, nil)
		if o.Refusal.Code != string(domain.CodeValidationFailed) || len(o.Refusal.Details) != 1 || o.Refusal.Details[0].Path != "permission" {
			t.Errorf("%v", o)
		}
	})
}

// done returns the error of a call that must succeed.
func done(o apitest.Outcome) error {
	if o.Refusal.Code != "" {
		return fmt.Errorf("%s: %s", o.Refusal.Code, o.Refusal.Message)
	}
	return nil
}

// A filter finds keys by their permissions and their state.
func TestKeysAreFound(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t)
	seller := h.Demo.Sellers[0]
	ctx := h.ActingOn(t, seller)
	create := func(input apikey.NewKey) {
		_, err := h.Do.Keys.Create(ctx, input)
		systemtest.Must(t, err)
	}
	readers, others := optional.Some([]domain.Permission{"customers:list"}), optional.Some([]domain.Permission{"scans:list"})
	create(apikey.NewKey{Name: "reads", Permissions: readers})
	create(apikey.NewKey{Name: "scans", Permissions: others})
	create(apikey.NewKey{Name: "off", Permissions: readers, Active: optional.Some(false)})
	create(apikey.NewKey{Name: "old", Permissions: readers, ExpiresAt: optional.Some(moment.New(time.Now().Add(time.Hour)))})
	_, err := h.SQL.ExecContext(t.Context(), "UPDATE api_keys SET expires_at = now() WHERE name = 'old'")
	systemtest.Must(t, err)
	on, no := true, false
	for name, row := range map[string]struct {
		filter apikey.Filter
		want   string
	}{
		"all":                             {apikey.Filter{}, "Seeded reads scans off old"},
		"that read customers":             {apikey.Filter{Permission: "customers:list"}, "Seeded reads off old"},
		"and are valid":                   {apikey.Filter{Permission: "customers:list", Active: &on, Expired: &no}, "Seeded reads"},
		"inactive":                        {apikey.Filter{Active: &no}, "off"},
		"expired":                         {apikey.Filter{Expired: &on}, "old"},
		"with the organization's":         {apikey.Filter{Permission: "customers:list", Active: &on, OrganizationKeys: true}, "Seeded Seeded reads old"},
		"for a permission of webhooks":    {apikey.Filter{Permission: "webhooks:list", OrganizationKeys: true}, "Seeded"},
		"for an unused permission":        {apikey.Filter{Permission: "coupons:list", OrganizationKeys: true}, "Seeded"},
		"another permission, also active": {apikey.Filter{Permission: "scans:list", Active: &on}, "Seeded scans"},
	} {
		list, err := h.Do.Keys.Find(ctx, nil, row.filter, domain.Page{Limit: 10})
		systemtest.Must(t, err)
		var names []string
		for _, key := range list.Items {
			names = append(names, key.Name)
		}
		if got := strings.Join(names, " "); got != row.want {
			t.Errorf("%s: %q, want %q", name, got, row.want)
		}
	}
	list, err := h.Do.Keys.Find(ctx, &seller.OrganizationID, apikey.Filter{}, domain.Page{Limit: 10})
	if err != nil || len(list.Items) != 1 || !list.Items[0].OfOrganization() {
		t.Errorf("of the organization: %+v, %v", list.Items, err)
	}
	_, err = h.Do.Keys.Find(ctx, nil, apikey.Filter{Permission: "customers:eat"}, domain.Page{Limit: 10})
	if fields := domain.AsError(err).Fields; len(fields) != 1 || fields[0].Path != "permission" {
		t.Errorf("an unknown permission: %v", err)
	}
}
