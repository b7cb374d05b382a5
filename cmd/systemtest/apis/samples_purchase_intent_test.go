package apis

import (
	"testing"

	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/cmd/ticketgate/demo"
	"ticketgate/domain"
)

// purchaseIntentArea covers purchase intents with their transitions.
var purchaseIntentArea = area{
	samples: map[domain.Operation][]sample{
		domain.CreatePurchaseIntent: {{
			target: "input.eventId", object: "soldEvent", unknown: domain.CodeValidationFailed,
			args: object{"input": object{
				"items":   []any{object{"ticketTypeId": own("soldTicketType"), "amount": 3}},
				"company": "ACME", "street": "1 rue de la Paix", "postal": "75002", "city": "Paris", "country": "FR",
				"email": "buyer@demo.ticketgate.example", "expiresAt": "2999-01-01T00:00:00.000Z",
				"identification": []any{object{"type": "france_siren", "identifier": "732829320"}},
			}},
		}},
		domain.ListPurchaseIntents: {{}},
		domain.GetPurchaseIntent:   {{target: "id", object: "purchaseIntent"}},
		domain.UpdatePurchaseIntent: {{
			target: "id", object: "purchaseIntent", args: object{"input": object{"lastname": fresh("Buyer ")}},
		}},
		domain.ApprovePurchaseIntent:  {{target: "id", object: "purchaseIntent", usesUp: true}},
		domain.RejectPurchaseIntent:   {{target: "id", object: "purchaseIntent", usesUp: true}},
		domain.ExpirePurchaseIntent:   {{target: "id", object: "purchaseIntent", usesUp: true}},
		domain.CancelPurchaseIntent:   {{target: "id", object: "purchaseIntent", usesUp: true}},
		domain.CompletePurchaseIntent: {{target: "id", object: "purchaseIntent", usesUp: true}},
	},
	makers: map[string]maker{
		"purchaseIntent": (*apitest.Server).PurchaseIntent,
		"soldEvent":      func(_ *apitest.Server, _ *testing.T, seller demo.Seller, _ string) string { return seller.EventID },
		"soldTicketType": func(_ *apitest.Server, _ *testing.T, seller demo.Seller, _ string) string { return seller.TicketTypeID },
	},
	lists: map[domain.Operation]pagedList{domain.ListPurchaseIntents: {row: (*apitest.Server).PurchaseIntent}},
	refusals: map[domain.Operation][]refusal{domain.CreatePurchaseIntent: {
		{"an intent without an order", object{"eventId": "", "items": []any{}}, []string{"eventId", "items"}},
		{"an invalid email and an amount of zero", object{
			"eventId": "e", "items": []any{object{"ticketTypeId": "t", "amount": 0}}, "email": "nobody",
		}, []string{"items[0].amount", "eventId", "items[0].ticketTypeId", "email"}},
		{"a control character in a name", object{
			"eventId": "e", "items": []any{object{"ticketTypeId": "t", "amount": 1}}, "lastname": "A\x7f",
		}, []string{"eventId", "items[0].ticketTypeId", "lastname"}},
		{"an expired intent", object{
			"eventId": "e", "items": []any{object{"ticketTypeId": "t", "amount": 1}}, "expiresAt": "2020-01-01T00:00:00.000Z",
		}, []string{"eventId", "items[0].ticketTypeId", "expiresAt"}},
	}},
}
