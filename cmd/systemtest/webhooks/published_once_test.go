package webhooks

import (
	"slices"
	"strings"
	"testing"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/domain"
)

// published is a GraphQL call and the types of the events that it must publish, in order.
type published struct {
	operation domain.Operation
	// of names a record that an earlier step created. keep is the name of the record that this step creates.
	of, keep string
	input    object
	types    string
	refused  domain.Code
}

// TestEachChangeIsPublishedOnce makes every change of events, customers, purchase intents and checkouts that publishes
// an event, and then the same change again, which publishes nothing.
func TestEachChangeIsPublishedOnce(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t)
	seller := h.Demo.Sellers[2] // a German seller, which requires no documents
	who := apitest.Bearer(seller.APIKey)
	items := []any{object{"ticketTypeId": seller.TicketTypeID, "amount": 1}}
	begin, end := "2031-05-01T18:00:00.000Z", "2031-05-01T22:00:00.000Z"
	event := object{"name": "Premiere", "start": begin, "end": end, "meta": object{"b": 1, "a": []any{}}}
	ticketType := object{"eventId": seller.EventID, "name": "Stalls", "price": 25.5}
	customer := object{"firstname": "Ada", "email": "ada@demo.ticketgate.example", "meta": object{"vip": true}}
	intent := object{"eventId": seller.EventID, "items": items, "lastname": "Lovelace"}
	checkout := object{"sellerId": seller.SellerID, "eventId": seller.EventID, "items": items}
	details := object{"lastname": "Lovelace", "email": "ada@demo.ticketgate.example"}

	steps := []published{
		{operation: domain.CreateEvent, keep: "event", input: event, types: "event.created"},
		{operation: domain.UpdateEvent, of: "event", input: event},
		{operation: domain.UpdateEvent, of: "event", input: object{}},
		{operation: domain.UpdateEvent, of: "event", input: object{"start": "2031-05-01T20:00:00+02:00"}}, // the same time
		{operation: domain.UpdateEvent, of: "event", input: object{"name": "Dernière"}, types: "event.updated"},
		{operation: domain.UpdateEvent, of: "event", input: object{"name": "Dernière"}},
		{operation: domain.CreateTicketType, keep: "ticketType", input: ticketType, types: "event.updated"},
		{operation: domain.UpdateTicketType, of: "ticketType", input: object{"name": "Stalls", "price": 25.5}},
		{operation: domain.UpdateTicketType, of: "ticketType", input: object{"price": 26}, types: "event.updated"},
		{operation: domain.UpdateTicketType, of: "ticketType", input: object{"price": 26}},
		{operation: domain.DeleteTicketType, of: "ticketType", types: "event.updated"},
		{operation: domain.DeleteTicketType, of: "ticketType", refused: domain.CodeNotFound},
		{operation: domain.DeleteEvent, of: "event", types: "event.deleted"},
		{operation: domain.DeleteEvent, of: "event", refused: domain.CodeNotFound},

		{operation: domain.CreateCustomer, keep: "customer", input: customer, types: "customer.created"},
		{operation: domain.UpdateCustomer, of: "customer", input: customer},
		{operation: domain.UpdateCustomer, of: "customer", input: object{"meta": object{"vip": false}}, types: "customer.updated"},
		{operation: domain.UpdateCustomer, of: "customer", input: object{"meta": object{"vip": false}, "firstname": "Ada"}},

		{operation: domain.CreatePurchaseIntent, keep: "sold", input: intent, types: "purchaseIntent.created"},
		{operation: domain.UpdatePurchaseIntent, of: "sold", input: object{"items": items, "lastname": "Lovelace"}},
		{operation: domain.UpdatePurchaseIntent, of: "sold", input: object{"lastname": "Byron"}, types: "purchaseIntent.updated"},
		{operation: domain.ApprovePurchaseIntent, of: "sold", types: "purchaseIntent.approved"},
		{operation: domain.ApprovePurchaseIntent, of: "sold"},
		{operation: domain.CompletePurchaseIntent, of: "sold", types: "purchaseIntent.completed"},
		{operation: domain.CompletePurchaseIntent, of: "sold"},
		{operation: domain.CancelPurchaseIntent, of: "sold", refused: domain.CodeInvalidState},

		{operation: domain.CreateCheckout, keep: "bought", input: checkout},
		{operation: domain.SubmitDetails, of: "bought", input: details, types: "checkout.detailsSubmitted"},
		{operation: domain.CompleteCheckout, of: "bought", types: "checkout.completed ticket.created transaction.complete"},
		{operation: domain.CompleteCheckout, of: "bought"},
		{operation: domain.AbortCheckout, of: "bought", refused: domain.CodeInvalidState},
		{operation: domain.CreateCheckout, keep: "left", input: checkout},
		{operation: domain.AbortCheckout, of: "left", types: "checkout.aborted"},
		{operation: domain.AbortCheckout, of: "left"},
		{operation: domain.CompleteCheckout, of: "left", refused: domain.CodeInvalidState},
	}
	for move, kind := range map[domain.Operation]string{
		domain.RejectPurchaseIntent: "rejected", domain.ExpirePurchaseIntent: "expired", domain.CancelPurchaseIntent: "cancelled",
	} {
		steps = append(steps,
			published{operation: domain.CreatePurchaseIntent, keep: kind, input: intent, types: "purchaseIntent.created"},
			published{operation: move, of: kind, types: "purchaseIntent." + kind},
			published{operation: move, of: kind},
			published{operation: domain.ApprovePurchaseIntent, of: kind, refused: domain.CodeInvalidState},
		)
	}
	created := map[string]string{}
	for _, step := range steps {
		publishesOnce(t, h, who, step, created)
	}
}

// publishesOnce makes one step and compares the newly published events.
func publishesOnce(t *testing.T, h *apitest.Server, who apitest.Caller, step published, created map[string]string) {
	t.Helper()
	args := object{}
	if step.of != "" {
		args["id"] = created[step.of]
	}
	if step.input != nil {
		args["input"] = step.input
	}
	before := h.Count(t, "SELECT count(*) FROM events")
	got := h.ThroughGraphQL(t, who, apitest.To(step.operation, args))
	if got.Refusal.Code != string(step.refused) {
		t.Fatalf("%s of %s: %v, want %q", step.operation, step.of, got, step.refused)
	}
	if step.keep != "" {
		created[step.keep] = got.Result.(object)["_id"].(string)
	}
	var types []string
	rows, err := h.SQL.QueryContext(t.Context(), "SELECT type FROM events ORDER BY created_at, id OFFSET $1", before)
	systemtest.Must(t, err)
	defer rows.Close()
	for rows.Next() {
		var kind string
		systemtest.Must(t, rows.Scan(&kind))
		types = append(types, kind)
	}
	systemtest.Must(t, rows.Err())
	slices.Sort(types)
	if publication := strings.Join(types, " "); publication != step.types {
		t.Errorf("%s of %s %v published %q, want %q", step.operation, step.of, step.input, publication, step.types)
	}
}
