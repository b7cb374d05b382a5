package main

import (
	"encoding/json"
	"strings"
	"testing"

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/webhook"
)

const listenerURL = "https://listener.example.com/hook?shop=1"

// webhookArea is webhooks, their deliveries and what they are told.
var webhookArea = area{
	samples: map[domain.Operation][]sample{
		domain.CreateWebhook: {{args: map[string]any{"input": map[string]any{
			"name": "Shop", "url": listenerURL, "hmacKey": "a key", "events": map[string]any{"ticket.created": true},
		}}}},
		domain.ListWebhooks: {{}},
		domain.GetWebhook:   {{target: "id", object: "webhook"}},
		domain.UpdateWebhook: {{
			target: "id", object: "webhook",
			args: map[string]any{"input": map[string]any{"name": fresh("Shop "), "url": listenerURL, "enabled": true}},
		}},
		domain.CheckSignature: {{
			target: "input.webhookId", object: "webhook", unknown: domain.CodeValidationFailed,
			args: map[string]any{"input": map[string]any{"body": "{}", "signature": "00"}},
		}},
		domain.DeleteWebhook:  {{target: "id", object: "webhook", usesUp: true}},
		domain.ListDeliveries: {{target: "filter.webhookId", object: "webhook"}},
		domain.GetDelivery:    {{target: "id", object: "delivery"}},
		domain.FindDelivery:   {{target: "id", object: "delivery"}},
		domain.RetryDelivery:  {{target: "id", object: "delivery"}},
		domain.RetryDeliveries: {{
			target: "input.ids.0", object: "delivery", unknown: domain.CodeValidationFailed,
			args: map[string]any{"input": map[string]any{"ids": []any{""}}},
		}},
		domain.WatchDeliveries:      {{target: "webhookId", object: "webhook"}},
		domain.ListWebhookFigures:   {{}},
		domain.GetWebhookStatistics: {{target: "id", object: "webhook"}},

		domain.PublishEvent: {{
			target: "input.sellerId", object: "seller", namesSeller: true, unknown: domain.CodeValidationFailed,
			args: map[string]any{"input": map[string]any{"type": "scan.created", "data": map[string]any{"scan": scanToPublish("s1", "Zoë")}}},
		}},
		domain.PublishEvents: {{
			target: "input.sellerId", object: "seller", namesSeller: true, unknown: domain.CodeValidationFailed,
			args: map[string]any{"input": map[string]any{"events": []any{
				map[string]any{"type": "scan.created", "data": map[string]any{"scan": scanToPublish("s1", "Zoë")}},
			}}},
		}},
		domain.ListEventTypes: {{}},
	},
	makers: map[string]maker{
		"webhook": func(h *house, t *testing.T, seller seededSeller, mark string) string {
			return h.webhook(t, seller, mark).ID
		},
		"delivery": func(h *house, t *testing.T, seller seededSeller, mark string) string {
			return h.delivery(t, seller, h.webhook(t, seller, mark).ID, mark)
		},
	},
	lists: map[domain.Operation]pagedList{
		domain.ListWebhooks: {row: func(h *house, t *testing.T, seller seededSeller, mark string) string {
			return h.webhook(t, seller, mark).ID
		}},
		domain.ListWebhookFigures: {row: func(h *house, t *testing.T, seller seededSeller, mark string) string {
			return h.webhook(t, seller, mark).ID
		}},
		domain.ListDeliveries: {
			begin: func(h *house, t *testing.T, seller seededSeller) map[string]any {
				return with(nil, "filter.webhookId", h.webhook(t, seller, "Paged").ID)
			},
			row: func(h *house, t *testing.T, seller seededSeller, mark string) string {
				h.publishScan(t, seller, mark)
				return ""
			},
		},
	},
	refusals: map[domain.Operation][]refusal{
		domain.CreateWebhook: {
			{"an internal address", object{"name": "w", "url": "http://10.0.0.1/"}, []string{"url"}},
			{"an empty name and no host", object{"name": "", "url": "https:///"}, []string{"name", "url"}},
			{
				"an unknown type",
				object{"name": "w", "url": listenerURL, "events": object{"ticket.craeted": true}},
				[]string{`events["ticket.craeted"]`},
			},
			{"a long signing key", object{"name": "w", "url": listenerURL, "hmacKey": strings.Repeat("k", 4097)}, []string{"hmacKey"}},
		},
		domain.UpdateWebhook: {
			{"localhost", object{"name": "w", "url": "http://localhost/"}, []string{"url"}},
			{"an unknown type", object{"name": "w", "url": listenerURL, "events": object{"nothing": false}}, []string{`events["nothing"]`}},
		},
		domain.ListWebhooks: {
			{"a page of 1001", object{"first": 1001}, nil},
			{"a page of less than none", object{"first": -1}, nil},
		},
		domain.ListDeliveries: {
			{"an unknown type", object{"filter": object{"type": "ticket.craeted"}}, []string{"type"}},
		},
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

// delivery publishes a scan and returns the newest delivery to the webhook; a seller without the feature gets none.
func (h *house) delivery(t *testing.T, seller seededSeller, webhookID, mark string) string {
	t.Helper()
	h.publishScan(t, seller, mark)
	list, err := h.do.Deliveries.List(h.actingOn(t, seller), webhook.DeliveryFilter{WebhookID: webhookID}, domain.Page{Limit: 1000})
	must(t, err)
	if !seller.Webhooks {
		return ""
	}
	return list.Items[len(list.Items)-1].ID
}

// scanToPublish is the least that a published scan says, and a name.
func scanToPublish(id, name string) map[string]any {
	const now = "2026-11-27T20:37:00.120Z"
	return map[string]any{
		"_id": id, "name": name, "time": now, "barcode": "TG1", "type": "checkin", "scanResult": "approved", "sellerId": "s",
		"createdAt": now, "updatedAt": now,
	}
}

func (h *house) publishScan(t *testing.T, seller seededSeller, mark string) {
	t.Helper()
	text, err := json.Marshal(map[string]any{"scan": scanToPublish("s1", mark+" scan")})
	must(t, err)
	data, err := ecmajson.Parse(text, ecmajson.Limits{})
	must(t, err)
	_, err = h.do.Events.Publish(asPlatform(t.Context()), webhook.NewEvent{
		SellerID: seller.SellerID, Type: "scan.created", Data: data,
	})
	must(t, err)
}
