package webhook_test

import (
	"testing"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/optional"
	"ticketgate/domain/webhook"
	"ticketgate/jobs/jobstest"
)

// An event creates one delivery and one job for a webhook that selects only its type. It creates none for webhooks that
// select other types, are disabled, or belong to a seller without the feature (WEBHOOK-8).
func TestAnUnwantedEventMakesNoJob(t *testing.T) {
	w := newFixture(t)
	all := webhook.Selection{}
	hooks := map[domain.EventType]string{}
	for _, kind := range domain.EventKinds() {
		all[kind.Type] = true
		hooks[kind.Type] = w.wants(seller, kind.Type).ID
	}
	for _, of := range []ids.Seller{seller, other} { // the other seller's webhook is enabled, but the seller loses the feature
		_, err := w.webhooks.Create(w.as(of), webhook.NewWebhook{
			Name: "All", URL: "https://example.com", Events: optional.Some(all), Enabled: optional.Some(of == other),
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	w.Exec("UPDATE sellers SET webhooks = false WHERE id = $1", string(other))
	for kind, hook := range hooks {
		for _, of := range []ids.Seller{seller, other, without} {
			err := w.Store.Webhooks().InTx(t.Context(), func(tx webhook.Tx) error {
				_, err := tx.Publish(t.Context(), domain.Event{SellerID: of, Type: kind, Data: []byte("{}")})
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if n := w.Count("SELECT count(*) FROM deliveries WHERE webhook_id = $1 AND type = $2", hook, string(kind)); n != 1 {
			t.Errorf("%s: got %d deliveries, want 1", kind, n)
		}
		if n := w.Count(jobstest.Count("args ->> 'webhook_id' = $1"), hook); n != 1 {
			t.Errorf("%s: got %d jobs, want 1", kind, n)
		}
	}
	deliveries, jobs := w.Count("SELECT count(*) FROM deliveries"), w.Count(jobstest.Count("true"))
	if deliveries != len(hooks) || jobs != len(hooks) {
		t.Errorf("got %d deliveries and %d jobs for %d types", deliveries, jobs, len(hooks))
	}
}
