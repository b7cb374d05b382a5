package main

import (
	"testing"

	"ticketgate/domain"
)

// The five fields of an event for sales channels, by GraphQL, the only API that changes events; webhooks carry what it stores.
func TestSalesFieldsOfAnEvent(t *testing.T) {
	t.Parallel()
	h := openHouse(t)
	seller := h.world.Sellers[0]
	key, id := bearer(seller.APIKey), h.event(t, seller, "Sales")
	hook := h.sendJSON(t, "POST", "/api/webhooks", object{
		"name": "W", "url": "https://hooks.example.org/", "enabled": true, "events": object{"event.updated": true},
	}, asKey(seller.APIKey))
	update := func(input object) outcome {
		t.Helper()
		return h.throughGraphQL(t, key, call{domain.UpdateEvent, object{"id": id, "input": input}})
	}
	fields := []string{"sellStart", "sellEnd", "maxAmount", "maxAmountPerOrder", "status"}
	is := func(what string, o outcome, want object) {
		t.Helper()
		got, all := object{}, o.result
		if o.refusal.Code != "" {
			t.Errorf("%s: %v", what, o)
			return
		}
		stored := h.throughGraphQL(t, key, call{domain.GetEvent, object{"id": id}}).result
		for _, of := range []any{all, stored} {
			for _, name := range fields {
				if value, there := of.(object)[name]; there {
					got[name] = value
				}
			}
			if printed(t, got) != printed(t, want) {
				t.Errorf("%s: got %s, want %s", what, printed(t, got), printed(t, want))
			}
		}
	}
	all := object{
		"sellStart": "2026-10-01T08:00:00.000Z", "sellEnd": "2026-11-27T18:00:00.000Z", "maxAmount": 500, "maxAmountPerOrder": 8,
		"status": "onSale",
	}
	sent := with(with(all, "sellStart", "2026-10-01T10:00:00+02:00"), "status", " onSale ")
	is("set", update(sent), all)
	is("nothing sent of them", update(object{"name": serial("Match ")}), all)
	if n := h.count(t, `SELECT count(*) FROM deliveries d JOIN events e ON e.id = d.event_id WHERE d.webhook_id = $1 AND
		convert_from(e.data, 'UTF8') LIKE '%"sellStart":"2026-10-01T08:00:00.000Z","sellEnd":"2026-11-27T18:00:00.000Z","maxAmount":500,'
		|| '"maxAmountPerOrder":8,"status":"onSale"%'`, member(t, hook.text, "_id")); n != 2 {
		t.Errorf("%d events carry the fields", n)
	}
	is("the bounds", update(object{"maxAmount": 0, "maxAmountPerOrder": 1<<31 - 1, "sellEnd": "2026-10-01T08:00:00Z"}),
		with(with(with(all, "maxAmount", 0), "maxAmountPerOrder", 1<<31-1), "sellEnd", "2026-10-01T08:00:00.000Z"))
	for path, wrong := range map[string]object{
		"sellEnd": {"sellEnd": "2026-10-01T07:59:59.999Z"}, "maxAmount": {"maxAmount": -1},
		"maxAmountPerOrder": {"maxAmountPerOrder": -1}, "status": {"status": "a\nb"},
	} {
		o := update(wrong)
		if o.refusal.Code != string(domain.CodeValidationFailed) || len(o.refusal.Details) != 1 || o.refusal.Details[0].Path != path {
			t.Errorf("%s: %v", path, o)
		}
	}
	cleared := object{}
	for _, name := range fields {
		cleared[name] = nil
	}
	is("cleared", update(cleared), object{})
}
