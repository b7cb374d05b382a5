package apis

import (
	"strings"
	"testing"

	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/cmd/ticketgate/demo"
	"ticketgate/domain"
)

// checkoutArea covers checkouts of the seller's seeded event.
var checkoutArea = area{
	samples: map[domain.Operation][]sample{
		domain.CreateCheckout: {{
			target: "input.sellerId", object: "seller", namesSeller: true, unknown: domain.CodeValidationFailed,
			args: object{"input": object{
				"eventId": own("gateEvent"), "items": []any{object{"ticketTypeId": own("seededTicketType"), "amount": 2}},
			}},
			varies: []string{"secret", "expiresAt"},
		}},
		domain.ListCheckouts: {{}},
		domain.ListRefusals:  {{}},
		domain.TrySIREN:      {{args: object{"identifier": "732829320"}}},
		domain.GetCheckout:   {{target: "id", object: "checkout"}},
		// REST omits false values.
		domain.GetDetailsForm: {{target: "id", object: "checkout", varies: []string{"enforceAddress", "identificationConfig"}}},
		domain.SubmitDetails: {{
			target: "id", object: "checkout", args: object{"input": object{"lastname": fresh("Buyer "), "country": "DE"}},
			varies: []string{"expiresAt", "lastname"},
		}},
		domain.AbortCheckout:    {{target: "id", object: "checkout", usesUp: true, varies: []string{"expiresAt"}}},
		domain.CompleteCheckout: {{target: "id", object: "checkout", usesUp: true, varies: []string{"expiresAt"}}},
	},
	makers: map[string]maker{
		"checkout": (*apitest.Server).Checkout,
		"seededTicketType": func(_ *apitest.Server, _ *testing.T, seller demo.Seller, _ string) string {
			return seller.TicketTypeID
		},
	},
	lists: map[domain.Operation]pagedList{domain.ListCheckouts: {row: (*apitest.Server).Checkout}},
	refusals: map[domain.Operation][]refusal{
		domain.SubmitDetails: {
			{"an invalid email and a long city", object{"email": "nobody", "city": strings.Repeat("x", 201)}, []string{"city", "email"}},
			{
				"control characters in names", object{
					"company": "A\nB", "name": "A\tB", "prename": "A\x1b", "lastname": "\u2066A", "street": "1 Main St\nBlock B", "country": "DE",
				}, []string{"company", "name", "prename", "lastname"},
			},
			{
				"a company without a SIREN",
				object{"company": "ACME", "country": "FR", "street": "1"},
				[]string{"identification", "postal", "city"},
			},
			{
				"a SIRET",
				object{"identification": []any{object{"type": "france_siren", "identifier": "73282932000074"}}},
				[]string{"identification[0].identifier"},
			},
		},
	},
}
