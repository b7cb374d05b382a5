package apis

import (
	"testing"

	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/cmd/ticketgate/demo"
	"ticketgate/domain"
)

// catalogArea covers events, ticket types, scan zones and customers.
var catalogArea = area{
	samples: map[domain.Operation][]sample{
		domain.CreateEvent: {
			{args: object{"input": object{"name": "Match", "start": anEvening}}},
			ofNamedSeller(object{"input": object{"name": "Match", "start": anEvening}}),
			{
				name: "below a root", target: "input.rootEventId", object: "rootEvent", unknown: domain.CodeValidationFailed,
				args: object{"input": object{"name": "Match", "start": anEvening}},
			},
			{
				name: "below a group", target: "input.parentEventId", object: "groupEvent", unknown: domain.CodeValidationFailed,
				args: object{"input": object{"name": "Match", "start": anEvening}},
			},
		},
		domain.ListEvents: {{}},
		domain.GetEvent:   {{target: "id", object: "event"}},
		domain.UpdateEvent: {
			{target: "id", object: "event", args: object{"input": object{"name": fresh("Match ")}}},
			ofNamedSeller(object{"id": own("event"), "input": object{"name": fresh("Match ")}}),
			{
				name: "below a root", target: "input.rootEventId", object: "rootEvent", unknown: domain.CodeValidationFailed,
				args: object{"id": own("event"), "input": object{"name": fresh("Match ")}},
			},
		},
		domain.DeleteEvent: {{target: "id", object: "event", usesUp: true}},

		domain.CreateTicketType: {
			{
				target: "input.eventId", object: "gateEvent", unknown: domain.CodeValidationFailed,
				args: object{"input": object{"name": "Stalls", "price": 25.5}},
			},
			ofNamedSeller(object{"input": object{"name": "Stalls", "price": 25.5, "eventId": own("gateEvent")}}),
		},
		domain.ListTicketTypes: {{}},
		domain.GetTicketType:   {{target: "id", object: "ticketType"}},
		domain.UpdateTicketType: {
			{target: "id", object: "ticketType", args: object{"input": object{"name": fresh("Stalls ")}}},
			ofNamedSeller(object{"id": own("ticketType"), "input": object{"name": fresh("Stalls ")}}),
		},

		domain.DeleteTicketType: {{target: "id", object: "ticketType", usesUp: true}},

		domain.CreateScanZone: {
			{args: object{"input": object{"name": "North stand"}}},
			ofNamedSeller(object{"input": object{"name": "North stand"}}),
			{
				name: "of an event", target: "input.eventId", object: "gateEvent", unknown: domain.CodeValidationFailed,
				args: object{"input": object{"name": "North stand"}},
			},
		},
		domain.ListScanZones: {{}},
		domain.GetScanZone:   {{target: "id", object: "scanZone"}},
		domain.UpdateScanZone: {
			{target: "id", object: "scanZone", args: object{"input": object{"name": fresh("Stand ")}}},
			ofNamedSeller(object{"id": own("scanZone"), "input": object{"name": fresh("Stand ")}}),
			{
				name: "of an event", target: "input.eventId", object: "gateEvent", unknown: domain.CodeValidationFailed,
				args: object{"id": own("scanZone"), "input": object{}},
			},
		},

		domain.CreateCustomer: {
			{args: object{"input": object{"email": "zoe@example.org", "country": "FR"}}},
			ofNamedSeller(object{"input": object{"lastname": "Martin"}}),
		},
		domain.ListCustomers: {{}},
		domain.GetCustomer:   {{target: "id", object: "customer"}},
		domain.GetNode:       {{target: "id", object: "customer", args: object{"type": "Customer"}, standsFor: domain.GetCustomer}},
		domain.UpdateCustomer: {
			{target: "id", object: "customer", args: object{"input": object{"lastname": fresh("Martin ")}}},
			ofNamedSeller(object{"id": own("customer"), "input": object{"lastname": fresh("Martin ")}}),
		},
	},
	makers: map[string]maker{
		"event": (*apitest.Server).Event, "rootEvent": (*apitest.Server).RootEvent, "groupEvent": (*apitest.Server).GroupEvent, "ticketType": (*apitest.Server).TicketType,
		"scanZone": (*apitest.Server).ScanZone, "customer": (*apitest.Server).Customer,
		// gateEvent is the seeded event, which the device may use and no call deletes.
		"gateEvent": func(_ *apitest.Server, _ *testing.T, seller demo.Seller, _ string) string { return seller.EventID },
	},
	lists: map[domain.Operation]pagedList{
		domain.ListEvents: {row: (*apitest.Server).Event}, domain.ListTicketTypes: {row: (*apitest.Server).TicketType},
		domain.ListScanZones: {row: (*apitest.Server).ScanZone}, domain.ListCustomers: {row: (*apitest.Server).Customer},
	},
}

const anEvening = "2027-06-01T18:00:00Z"

// ofNamedSeller returns the sample of a call whose input names the seller that it acts on.
func ofNamedSeller(args map[string]any) sample {
	return sample{
		name: "of a named seller", target: "input.sellerId", object: "seller", namesSeller: true,
		unknown: domain.CodeValidationFailed, args: args,
	}
}
