package apis

import (
	"strings"
	"testing"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/cmd/ticketgate/demo"
	"ticketgate/domain"
)

// webhookArea covers webhooks, their deliveries and events.
var webhookArea = area{
	samples: map[domain.Operation][]sample{
		domain.CreateWebhook: {{args: map[string]any{"input": map[string]any{
			"name": "Shop", "url": apitest.ListenerURL, "hmacKey": "a key", "events": map[string]any{"ticket.created": true},
		}}}},
		domain.ListWebhooks: {{}},
		domain.GetWebhook:   {{target: "id", object: "webhook"}},
		domain.UpdateWebhook: {{
			target: "id", object: "webhook",
			args: map[string]any{"input": map[string]any{"name": fresh("Shop "), "url": apitest.ListenerURL, "enabled": true}},
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
		domain.SendTestEvent: {{
			target: "id", object: "webhook", args: map[string]any{"input": map[string]any{"type": "ticket.created"}},
		}},
		domain.RetryDeliveries: {{
			target: "input.ids.0", object: "delivery", unknown: domain.CodeValidationFailed,
			args: map[string]any{"input": map[string]any{"ids": []any{""}}},
		}},
		domain.WatchDeliveries:      {{target: "webhookId", object: "webhook"}},
		domain.ListWebhookFigures:   {{}},
		domain.GetWebhookStatistics: {{target: "id", object: "webhook"}},

		domain.PublishEvent: {{
			target: "input.sellerId", object: "seller", namesSeller: true, unknown: domain.CodeValidationFailed,
			args: map[string]any{"input": map[string]any{"type": "scan.created", "data": map[string]any{"scan": systemtest.ScanToPublish("s1", "Zoë")}}},
		}},
		domain.PublishEvents: {{
			target: "input.sellerId", object: "seller", namesSeller: true, unknown: domain.CodeValidationFailed,
			args: map[string]any{"input": map[string]any{"events": []any{
				map[string]any{"type": "scan.created", "data": map[string]any{"scan": systemtest.ScanToPublish("s1", "Zoë")}},
			}}},
		}},
		domain.ListEventTypes: {{}},
	},
	makers: map[string]maker{
		"webhook": func(h *apitest.Server, t *testing.T, seller demo.Seller, mark string) string {
			return h.Webhook(t, seller, mark).ID
		},
		"delivery": func(h *apitest.Server, t *testing.T, seller demo.Seller, mark string) string {
			return h.Delivery(t, seller, h.Webhook(t, seller, mark).ID, mark)
		},
	},
	lists: map[domain.Operation]pagedList{
		domain.ListWebhooks: {row: func(h *apitest.Server, t *testing.T, seller demo.Seller, mark string) string {
			return h.Webhook(t, seller, mark).ID
		}},
		domain.ListWebhookFigures: {row: func(h *apitest.Server, t *testing.T, seller demo.Seller, mark string) string {
			return h.Webhook(t, seller, mark).ID
		}},
		domain.ListDeliveries: {
			begin: func(h *apitest.Server, t *testing.T, seller demo.Seller) map[string]any {
				return apitest.With(nil, "filter.webhookId", h.Webhook(t, seller, "Paged").ID)
			},
			row: func(h *apitest.Server, t *testing.T, seller demo.Seller, mark string) string {
				h.PublishScan(t, seller, mark)
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
				object{"name": "w", "url": apitest.ListenerURL, "events": object{"ticket.craeted": true}},
				[]string{`events["ticket.craeted"]`},
			},
			{"a long signing key", object{"name": "w", "url": apitest.ListenerURL, "hmacKey": strings.Repeat("k", 4097)}, []string{"hmacKey"}},
		},
		domain.UpdateWebhook: {
			{"localhost", object{"name": "w", "url": "http://localhost/"}, []string{"url"}},
			{"an unknown type", object{"name": "w", "url": apitest.ListenerURL, "events": object{"nothing": false}}, []string{`events["nothing"]`}},
		},
		domain.SendTestEvent: {
			{"an unknown type", object{"type": "ticket.craeted"}, []string{"type"}},
			{"data without the resource", object{"type": "ticket.created", "data": object{}}, []string{"data.ticket"}},
			{"data that is no object", object{"type": "ticket.created", "data": object{"ticket": 1}}, []string{"data.ticket"}},
		},
		domain.ListWebhooks: {
			{"a page of 1001", object{"first": 1001}, nil},
			{"a page of negative size", object{"first": -1}, nil},
		},
		domain.ListDeliveries: {
			{"an unknown type", object{"filter": object{"type": "ticket.craeted"}}, []string{"type"}},
		},
	},
}
