package webhook_test

import (
	"testing"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/optional"
	"ticketgate/domain/webhook"
	"ticketgate/jobs/jobstest"
)

// Of every type there is: an event makes one delivery and one job for the webhook that wants this type and no other, and
// none for a webhook that wants other types, is disabled, or is of a seller without the feature (hardening W21).
func TestWhatNobodyWantsMakesNoJob(t *testing.T) {
	w := newWorld(t)
	all := webhook.Selection{}
	hooks := map[domain.EventType]string{}
	for _, kind := range domain.EventKinds() {
		all[kind.Type] = true
		hooks[kind.Type] = w.wants(seller, kind.Type).ID
	}
	for _, of := range []ids.Seller{seller, other} { // the other seller's is enabled: it loses the feature
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
			t.Errorf("%s: %d deliveries", kind, n)
		}
		if n := w.Count(jobstest.Count("args ->> 'webhook_id' = $1"), hook); n != 1 {
			t.Errorf("%s: %d jobs", kind, n)
		}
	}
	deliveries, jobs := w.Count("SELECT count(*) FROM deliveries"), w.Count(jobstest.Count("true"))
	if deliveries != len(hooks) || jobs != len(hooks) {
		t.Errorf("%d deliveries and %d jobs of %d types", deliveries, jobs, len(hooks))
	}
}
