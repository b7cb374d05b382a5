package webhook_test

import (
	"strings"
	"testing"

	"ticketgate/domain"
	"ticketgate/domain/optional"
	"ticketgate/domain/webhook"
	"ticketgate/jobs/jobstest"
)

func TestSendTestEvent(t *testing.T) {
	w := newFixture(t)
	chosen := w.wants(seller, "ticket.updated")
	w.wants(seller, "ticket.created") // selects the type, but is not the chosen one
	send := func(id string, input webhook.TestEvent) (webhook.Delivery, error) {
		return w.events.SendTest(w.as(seller, "webhooks:update"), id, input)
	}

	t.Run("creates one delivery with a job, to the chosen webhook", func(t *testing.T) {
		sent, err := send(chosen.ID, webhook.TestEvent{Type: "ticket.created"})
		if err != nil || sent.WebhookID != chosen.ID || sent.Type != "ticket.created" || sent.State != webhook.Pending {
			t.Fatalf("%+v, %v", sent, err)
		}
		if n := w.Count("SELECT count(*) FROM deliveries"); n != 1 {
			t.Errorf("got %d deliveries, want 1", n)
		}
		if n := w.Count(jobstest.Count("args ->> 'delivery_id' = $1 AND queue = 'webhook_first'"), sent.ID); n != 1 {
			t.Errorf("got %d jobs, want 1", n)
		}
		detail, err := w.deliveries.Get(w.as(seller), sent.ID)
		want := `"mode":"dev","test":true,"data":` + string(webhook.Sample("ticket.created").Print()) + "}"
		if err != nil || !strings.HasSuffix(detail.Payload, want) {
			t.Errorf("payload %s, want the end %s, %v", detail.Payload, want, err)
		}
		if n := w.Count("SELECT count(*) FROM events WHERE object_id IS NOT NULL"); n != 0 {
			t.Error("the test event is about a record")
		}
		if n := w.Count("SELECT count(*) FROM audit_entries WHERE action = 'sendTestEvent' AND object_id = $1", chosen.ID); n != 1 {
			t.Errorf("got %d audit entries, want 1", n)
		}
	})
	t.Run("sends the given data", func(t *testing.T) {
		sent, err := send(chosen.ID, webhook.TestEvent{
			Type: "ticket.created", Data: optional.Some(data(t, `{"ticket":{"b":1,"a":2}}`)),
		})
		if err != nil {
			t.Fatal(err)
		}
		detail, err := w.deliveries.Get(w.as(seller), sent.ID)
		if err != nil || !strings.HasSuffix(detail.Payload, `"data":{"ticket":{"b":1,"a":2}}}`) {
			t.Errorf("payload %s, %v", detail.Payload, err)
		}
	})
	t.Run("refuses unknown types, wrong data, and webhooks that are unknown or disabled", func(t *testing.T) {
		disabled := w.wants(seller, "ticket.created")
		_, err := w.webhooks.Update(w.as(seller), disabled.ID, webhook.Change{Name: "n", URL: disabled.URL, Enabled: optional.Some(false)})
		if err != nil {
			t.Fatal(err)
		}
		foreign := w.wants(other, "ticket.created")
		for name, c := range map[string]struct {
			webhook string
			input   webhook.TestEvent
			code    domain.Code
		}{
			"an unknown type":    {chosen.ID, webhook.TestEvent{Type: "ticket.craeted"}, domain.CodeValidationFailed},
			"data of other type": {chosen.ID, webhook.TestEvent{Type: "ticket.created", Data: optional.Some(data(t, `{"scan":{}}`))}, domain.CodeValidationFailed},
			"a foreign webhook":  {foreign.ID, webhook.TestEvent{Type: "ticket.created"}, domain.CodeNotFound},
			"a disabled webhook": {disabled.ID, webhook.TestEvent{Type: "ticket.created"}, domain.CodeInvalidState},
		} {
			if _, err := send(c.webhook, c.input); !domain.HasCode(err, c.code) {
				t.Errorf("%s: %v", name, err)
			}
		}
		_, err = w.events.SendTest(w.as(seller, "webhooks:list"), chosen.ID, webhook.TestEvent{Type: "ticket.created"})
		if !domain.HasCode(err, domain.CodeMissingPermission) {
			t.Errorf("a key without the permission: %v", err)
		}
	})
}
