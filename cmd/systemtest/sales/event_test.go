package sales

import (
	"testing"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/domain"
)

// The five fields of an event for sales channels are changed by GraphQL, the only API for that. Webhooks have the
// stored values.
func TestEventSalesFields(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t)
	seller := h.Demo.Sellers[0]
	key, id := apitest.Bearer(seller.APIKey), h.Event(t, seller, "Sales")
	hook := h.SendJSON(t, "POST", "/api/webhooks", object{
		"name": "W", "url": "https://hooks.example.org/", "enabled": true, "events": object{"event.updated": true},
	}, systemtest.AsKey(seller.APIKey))
	update := func(input object) apitest.Outcome {
		t.Helper()
		return h.ThroughGraphQL(t, key, apitest.To(domain.UpdateEvent, object{"id": id, "input": input}))
	}
	fields := []string{"sellStart", "sellEnd", "maxAmount", "maxAmountPerOrder", "status"}
	is := func(what string, o apitest.Outcome, want object) {
		t.Helper()
		got, all := object{}, o.Result
		if o.Refusal.Code != "" {
			t.Errorf("%s: %v", what, o)
			return
		}
		stored := h.ThroughGraphQL(t, key, apitest.To(domain.GetEvent, object{"id": id})).Result
		for _, of := range []any{all, stored} {
			for _, name := range fields {
				if value, there := of.(object)[name]; there {
					got[name] = value
				}
			}
			if systemtest.Printed(t, got) != systemtest.Printed(t, want) {
				t.Errorf("%s: got %s, want %s", what, systemtest.Printed(t, got), systemtest.Printed(t, want))
			}
		}
	}
	all := object{
		"sellStart": "2026-10-01T08:00:00.000Z", "sellEnd": "2026-11-27T18:00:00.000Z", "maxAmount": 500, "maxAmountPerOrder": 8,
		"status": "onSale",
	}
	sent := apitest.With(apitest.With(all, "sellStart", "2026-10-01T10:00:00+02:00"), "status", " onSale ")
	is("set", update(sent), all)
	is("none of them sent", update(object{"name": systemtest.Serial("Match ")}), all)
	if n := h.Count(t, `SELECT count(*) FROM deliveries d JOIN events e ON e.id = d.event_id WHERE d.webhook_id = $1 AND
		convert_from(e.data, 'UTF8') LIKE '%"sellStart":"2026-10-01T08:00:00.000Z","sellEnd":"2026-11-27T18:00:00.000Z","maxAmount":500,'
		|| '"maxAmountPerOrder":8,"status":"onSale"%'`, systemtest.Field(t, hook.Text, "_id")); n != 2 {
		t.Errorf("%d events have the fields", n)
	}
	is("the bounds", update(object{"maxAmount": 0, "maxAmountPerOrder": 1<<31 - 1, "sellEnd": "2026-10-01T08:00:00Z"}),
		apitest.With(apitest.With(apitest.With(all, "maxAmount", 0), "maxAmountPerOrder", 1<<31-1), "sellEnd", "2026-10-01T08:00:00.000Z"))
	for path, wrong := range map[string]object{
		"sellEnd": {"sellEnd": "2026-10-01T07:59:59.999Z"}, "maxAmount": {"maxAmount": -1},
		"maxAmountPerOrder": {"maxAmountPerOrder": -1}, "status": {"status": "a\nb"},
	} {
		o := update(wrong)
		if o.Refusal.Code != string(domain.CodeValidationFailed) || len(o.Refusal.Details) != 1 || o.Refusal.Details[0].Path != path {
			t.Errorf("%s: %v", path, o)
		}
	}
	cleared := object{}
	for _, name := range fields {
		cleared[name] = nil
	}
	is("cleared", update(cleared), object{})
}
