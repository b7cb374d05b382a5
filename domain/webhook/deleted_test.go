package webhook_test

import (
	"slices"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/optional"
	"ticketgate/domain/webhook"
)

// mark returns the mark that live views of deliveries watch.
func (w *fixture) mark(webhookID string) string {
	w.T.Helper()
	mark, err := w.Store.Webhooks().DeliveriesMark(w.T.Context(), seller, webhookID)
	if err != nil {
		w.T.Fatal(err)
	}
	return mark
}

// The webhook has more pending deliveries than one transaction cancels (WEBHOOK-10).
func TestDeliveriesEndWithTheirWebhook(t *testing.T) {
	w := newFixture(t)
	hook, kept := w.wants(seller, "ticket.created"), w.wants(seller, "ticket.created")
	w.publish(seller, "ticket.created", `{"ticket":{}}`)
	delivered := w.called(w.all(webhook.DeliveryFilter{WebhookID: hook.ID})[0], time.Now(), 200, 1)
	const more = 2*webhook.CanceledAtOnce + 1
	if _, err := w.Store.Webhooks().PublishAll(t.Context(), slices.Repeat([]domain.Event{
		{SellerID: seller, Type: "ticket.created", Data: []byte(`{"ticket":{}}`)},
	}, more)); err != nil {
		t.Fatal(err)
	}
	before := [...]string{w.mark(""), w.mark(hook.ID)}
	if _, err := w.webhooks.Delete(w.as(seller), hook.ID, nil); err != nil {
		t.Fatal(err)
	}
	states := func(of webhook.Webhook, state webhook.State) int {
		return w.Count(`SELECT count(*) FROM deliveries WHERE webhook_id = $1 AND state = $2
			AND (state = 'pending') = (next_attempt_at IS NOT NULL)`, of.ID, string(state))
	}
	if canceled := states(hook, webhook.Canceled); canceled != more {
		t.Errorf("%d deliveries are canceled, want %d", canceled, more)
	}
	if detail, err := w.deliveries.Get(w.as(seller), delivered.ID); err != nil || detail.State != webhook.Delivered {
		t.Errorf("the delivered one is %s: %v", detail.State, err)
	}
	if pending := states(kept, webhook.Pending); pending != more+1 {
		t.Errorf("the other webhook has %d pending deliveries, want 1", pending)
	}
	if after := [...]string{w.mark(""), w.mark(hook.ID)}; after[0] == before[0] || after[1] == before[1] {
		t.Errorf("the mark did not change: %v", after)
	}

	t.Run("cancels late deliveries and those left by a killed process", func(t *testing.T) {
		w.Exec(`UPDATE deliveries SET state = 'pending', next_attempt_at = now() WHERE webhook_id = $1 AND state = 'canceled'`, hook.ID)
		for count := 1; count > 0; {
			var err error
			if count, err = w.webhooks.EndDeliveries(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if canceled := states(hook, webhook.Canceled); canceled != more {
			t.Errorf("%d deliveries are canceled, want %d", canceled, more)
		}
		notes := func() int { return w.Count("SELECT count(*) FROM deleted_webhooks") }
		if notes() != 1 {
			t.Error("the webhook was forgotten before concurrent publications ended")
		}
		later := w.webhooks
		later.Now = func() time.Time { return time.Now().Add(time.Hour) }
		if _, err := later.EndDeliveries(t.Context()); err != nil || notes() != 0 {
			t.Errorf("the webhook was not forgotten: %v", err)
		}
	})
}

// WEBHOOK-10.
func TestDeliveriesOfADisabledWebhookArePaused(t *testing.T) {
	w := newFixture(t)
	hook := w.wants(seller, "ticket.created")
	for range 2 {
		w.publish(seller, "ticket.created", `{"ticket":{}}`)
	}
	done := w.called(w.all(webhook.DeliveryFilter{WebhookID: hook.ID})[0], time.Now(), 200, 1)
	paused := func(want bool) {
		t.Helper()
		for _, d := range w.all(webhook.DeliveryFilter{WebhookID: hook.ID}) {
			detail, err := w.deliveries.Get(w.as(seller), d.ID)
			if want := want && d.ID != done.ID; err != nil || d.Paused != want || detail.Paused != want {
				t.Errorf("%s: paused is %v, in the detail %v, want %v: %v", d.State, d.Paused, detail.Paused, want, err)
			}
		}
	}
	paused(false)
	for _, enabled := range []bool{false, true} {
		before := [...]string{w.mark(""), w.mark(hook.ID)}
		change := webhook.Change{Name: hook.Name, URL: hook.URL, Enabled: optional.Some(enabled)}
		if _, err := w.webhooks.Update(w.as(seller), hook.ID, change); err != nil {
			t.Fatal(err)
		}
		paused(!enabled)
		if after := [...]string{w.mark(""), w.mark(hook.ID)}; after[0] == before[0] || after[1] == before[1] {
			t.Errorf("enabling it did not change the mark: %v", enabled)
		}
	}
	w.Exec("UPDATE sellers SET webhooks = false WHERE id = $1", string(seller))
	paused(true)
}
