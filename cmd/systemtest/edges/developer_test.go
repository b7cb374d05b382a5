package edges

import (
	"testing"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/cmd/ticketgate/demo"
	"ticketgate/domain"
	"ticketgate/domain/optional"
	"ticketgate/domain/webhook"
)

// developerEdges are the edges of what developers work with.
var developerEdges = map[string]edgeRow{
	"Delivery.attempts":    {list: "webhookDeliveries", follow: "attempts { nodes { number } }"},
	"Delivery.lastAttempt": {list: "webhookDeliveries", follow: "lastAttempt { number }"},
	"Delivery.object":      {list: "webhookDeliveries", follow: "object { _id }", statements: 2},
	"Delivery.payload":     {list: "webhookDeliveries", follow: "payload"},
	"Delivery.webhook":     {list: "webhookDeliveries", follow: "webhook { _id }"},
	"Webhook.deliveries":   {list: "webhooks", follow: "deliveries(first: 1) { nodes { id } }"},
	"Webhook.figures":      {list: "webhooks", follow: "figures { calls }"},
	"Webhook.statistics":   {list: "webhooks", follow: "statistics { calls series { p50Ms } }"},
}

// peopleEdges are the edges of what administrators and the platform see.
var peopleEdges = map[string]edgeRow{
	"ApiKey.creator":        {list: "keys", arguments: newest, follow: "creator { name }", by: administrator},
	"ApiKey.usage":          {list: "keys", arguments: newest, follow: "usage { calls { calls } }", by: administrator},
	"AuditEntry.actor":      {list: "auditLog", arguments: newest, follow: "actor { name }", by: administrator},
	"AuditEntry.recordName": {list: "auditLog", arguments: newest, follow: "recordName", by: administrator},
	"Organization.members":  {list: "organizations", follow: "members(first: 1) { nodes { role } }", by: systemCaller},
	"Organization.sellers":  {list: "organizations", follow: "sellers(first: 1) { nodes { _id } }", by: systemCaller},
	"Seller.members":        {list: "sellers", follow: "members(first: 1) { nodes { role } }", by: systemCaller},
	"Seller.organization":   {list: "sellers", follow: "organization { name }", by: systemCaller},
}

// Who follows an edge, if not a key with full access.
const (
	administrator = "administrator"
	systemCaller  = "platform"
)

// developerReferrals are developerEdges, as they are tried. The same permission is needed for webhooks and for all that they
// lead to, which only developers and the platform have beside keys.
var developerReferrals = map[string]referral{
	"Delivery.attempts": {
		query: `query($id: ID!) { delivery(id: $id) { id attempts { nodes { number status } } } }`,
		found: `{"delivery":{"id":"%[1]s","attempts":{"nodes":[{"number":1,"status":503}]}}}`,
		id:    bought.deliveryID, needs: readsWebhooks, developers: true,
	},
	"Delivery.lastAttempt": {
		query: `query($id: ID!) { delivery(id: $id) { id lastAttempt { number status } } }`,
		found: `{"delivery":{"id":"%[1]s","lastAttempt":{"number":1,"status":503}}}`,
		id:    bought.deliveryID, needs: readsWebhooks, developers: true,
	},
	"Delivery.payload": {
		query: `query($id: ID!) { delivery(id: $id) { payload } }`,
		found: `{"delivery":{"payload":"{\"id\":\"%[1]s\",`,
		id:    bought.deliveryID, needs: readsWebhooks, developers: true,
	},
	"Delivery.webhook": {
		query: `query($id: ID!) { delivery(id: $id) { id webhook { _id } } }`,
		found: `{"delivery":{"id":"%[1]s","webhook":{"_id":"<webhook>"}}}`,
		id:    bought.deliveryID, needs: readsWebhooks, developers: true,
	},
	"Webhook.deliveries": {
		query: `query($id: ID!) { webhook(id: $id) { _id deliveries(filter: {state: failed}) { nodes { id } } } }`,
		found: `{"webhook":{"_id":"%[1]s","deliveries":{"nodes":[{"id":"<delivery>"}]}}}`,
		id:    bought.webhookID, needs: readsWebhooks, developers: true,
	},
	"Webhook.figures": {
		query: `query($id: ID!) { webhook(id: $id) { _id figures(period: WEEK) { calls } } }`,
		found: `{"webhook":{"_id":"%[1]s","figures":{"calls":0}}}`,
		id:    bought.webhookID, needs: readsWebhooks, developers: true,
	},
	"Webhook.statistics": {
		query: `query($id: ID!) { webhook(id: $id) { _id statistics(period: HOUR) { calls byType { value } } } }`,
		found: `{"webhook":{"_id":"%[1]s","statistics":{"calls":0,"byType":[]}}}`,
		id:    bought.webhookID, needs: readsWebhooks, developers: true,
	},
}

var readsWebhooks = [2]domain.Permission{"webhooks:list", "webhooks:list"}

func (b bought) webhookID() string { return b.webhook }

func (b bought) deliveryID() string { return b.delivery }

// develops makes a webhook with a delivery that failed with its first call.
func develops(t *testing.T, h *apitest.Server, seller demo.Seller) (webhookID, deliveryID string) {
	t.Helper()
	made, err := h.Do.Webhooks.Create(h.ActingOn(t, seller), webhook.NewWebhook{
		Name: "Hook", URL: apitest.ListenerURL, Events: optional.Some(webhook.Selection{"scan.created": true}),
	})
	systemtest.Must(t, err)
	deliveryID = h.Delivery(t, seller, made.ID, "Scanned")
	fails(t, h)
	return made.ID, deliveryID
}

// fails lets every delivery fail with its first call.
func fails(t *testing.T, h *apitest.Server) {
	t.Helper()
	_, err := h.SQL.ExecContext(t.Context(), `INSERT INTO attempts (delivery_id, number, webhook_id, by_hand, url, started_at, duration_ms,
			status, detail, response_body, body_truncated)
		SELECT id, 1, webhook_id, false, 'https://listener.example.com', now(), 5, 503, '', 'Busy', false FROM deliveries`)
	systemtest.Must(t, err)
	_, err = h.SQL.ExecContext(t.Context(), `UPDATE deliveries SET attempts = 1, scheduled = 1, state = 'failed', outcome = '503',
		failed_at = now(), next_attempt_at = NULL`)
	systemtest.Must(t, err)
}
