package webhook_test

import (
	"slices"
	"strings"
	"testing"

	"ticketgate/domain"
	"ticketgate/domain/optional"
	"ticketgate/domain/webhook"
)

func TestWebhooks(t *testing.T) {
	w := newFixture(t)
	created := w.wants(seller, "scan.created")

	t.Run("a new webhook is enabled and has the given values", func(t *testing.T) {
		got, err := w.webhooks.Get(w.as(seller), created.ID)
		if err != nil {
			t.Fatal(err)
		}
		if !got.Enabled || got.HMACKey != "secret key" || got.URL != "https://example.com/hook?token=abc" ||
			!slices.Equal(got.Events.Types(), []domain.EventType{"scan.created"}) || got.CreatedBy != created.CreatedBy ||
			got.CreatedBy != (domain.Creator{Type: domain.CreatedByAPIKey, ID: "key"}) || !got.CreatedAt.Equal(created.CreatedAt.Time) {
			t.Errorf("got %+v, created %+v", got, created)
		}
	})
	t.Run("the key is encrypted in the database and not in the audit log", func(t *testing.T) {
		if n := w.Count("SELECT count(*) FROM webhooks WHERE position('secret key'::bytea IN sealed_hmac_key) > 0"); n != 0 {
			t.Error("the row contains the unencrypted key")
		}
		n := w.Count(`SELECT count(*) FROM audit_entries
			WHERE action = 'createWebhook' AND before::text || after::text NOT LIKE '%secret key%'`)
		if n != 1 {
			t.Errorf("got %d audit entries without the key", n)
		}
	})
	t.Run("all errors are reported together", func(t *testing.T) {
		_, err := w.webhooks.Create(w.as(seller), webhook.NewWebhook{
			Name: " ", URL: "http://localhost/x", HMACKey: optional.Some(strings.Repeat("k", 4097)),
			Events: optional.Some(webhook.Selection{"ticket.create": true, "ticket.updated": true}),
		})
		fields := domain.AsError(err).Fields
		paths := make([]string, 0, len(fields))
		for _, field := range fields {
			paths = append(paths, field.Path)
			if field.Path == `events["ticket.create"]` && field.Hint != `Did you mean "ticket.created"?` {
				t.Errorf("got hint %q", field.Hint)
			}
		}
		if !slices.Equal(paths, []string{"name", "url", `events["ticket.create"]`, "hmacKey"}) {
			t.Errorf("got errors at %v", paths)
		}
	})
	t.Run("another seller's webhook is not found", func(t *testing.T) {
		_, get := w.webhooks.Get(w.as(other), created.ID)
		_, update := w.webhooks.Update(w.as(other), created.ID, webhook.Change{Name: "x", URL: "https://example.com"})
		_, remove := w.webhooks.Delete(w.as(other), created.ID, nil)
		for _, err := range []error{get, update, remove} {
			if !domain.HasCode(err, domain.CodeNotFound) {
				t.Errorf("got %v", err)
			}
		}
	})
	t.Run("the feature is required", func(t *testing.T) {
		_, err := w.webhooks.List(w.as(without), domain.Page{Limit: 1})
		if !domain.HasCode(err, domain.CodeFeatureNotEnabled) || err.Error() != "The Webhooks feature is not enabled for this seller" {
			t.Errorf("got %v", err)
		}
	})
}

// Internal and development addresses are rejected when a webhook is saved (WEBHOOK-7).
func TestInternalURLsAreRefused(t *testing.T) {
	w := newFixture(t)
	created := w.wants(seller, "scan.created")
	for _, url := range []string{
		"http://localhost", "http://10.0.0.1", "http://[::1]", "http://x.internal", "http://127.0.0.1:8080/x", "ftp://example.com",
	} {
		_, create := w.webhooks.Create(w.as(seller), webhook.NewWebhook{Name: "n", URL: url})
		_, update := w.webhooks.Update(w.as(seller), created.ID, webhook.Change{Name: "n", URL: url})
		for _, err := range []error{create, update} {
			if fields := domain.AsError(err).Fields; len(fields) != 1 || fields[0].Path != "url" {
				t.Errorf("%s: got %v", url, err)
			}
		}
	}
}

func TestUpdateWebhook(t *testing.T) {
	w := newFixture(t)
	created := w.wants(seller, "scan.created")
	same := webhook.Change{Name: created.Name, URL: created.URL}

	t.Run("an update without changes is not audited", func(t *testing.T) {
		got, err := w.webhooks.Update(w.as(seller), created.ID, webhook.Change{
			Name: " Hook ", URL: created.URL, Enabled: optional.Some(true), HMACKey: optional.Some("secret key"),
			Events: optional.Some(webhook.Selection{"scan.created": true, "ticket.created": false}),
		})
		if err != nil || !got.UpdatedAt.Equal(created.UpdatedAt.Time) || got.HMACKey != "secret key" {
			t.Errorf("got %+v, %v", got, err)
		}
		if n := w.Count("SELECT count(*) FROM audit_entries WHERE action = 'updateWebhook'"); n != 0 {
			t.Errorf("got %d audit entries, want none", n)
		}
	})
	t.Run("omitted fields stay, events are replaced", func(t *testing.T) {
		change := same
		change.Name, change.Events = "Renamed", optional.Some(webhook.Selection{"ticket.created": true})
		got, err := w.webhooks.Update(w.as(seller), created.ID, change)
		if err != nil || got.Name != "Renamed" || got.HMACKey != "secret key" || !got.Enabled ||
			!slices.Equal(got.Events.Types(), []domain.EventType{"ticket.created"}) {
			t.Errorf("got %+v, %v", got, err)
		}
	})
	t.Run("a replaced key is audited but not shown", func(t *testing.T) {
		change := same
		change.HMACKey = optional.Some("another key")
		if _, err := w.webhooks.Update(w.as(seller), created.ID, change); err != nil {
			t.Fatal(err)
		}
		n := w.Count(`SELECT count(*) FROM audit_entries WHERE before ->> 'hmacKey' = 'set' AND after ->> 'hmacKey' = 'replaced'
			AND object_id = $1 AND actor_kind = 'API_KEY'`, created.ID)
		if n != 1 {
			t.Errorf("got %d audit entries", n)
		}
	})
	t.Run("null resets a field to its default", func(t *testing.T) {
		change := same
		change.Enabled, change.Events, change.HMACKey = optional.Some(false), optional.Null[webhook.Selection](), optional.Null[string]()
		got, err := w.webhooks.Update(w.as(seller), created.ID, change)
		if err != nil || got.Enabled || got.HMACKey != "" || len(got.Events.Types()) != 0 {
			t.Errorf("got %+v, %v", got, err)
		}
		change.Enabled = optional.Null[bool]()
		if got, err = w.webhooks.Update(w.as(seller), created.ID, change); err != nil || !got.Enabled {
			t.Errorf("got %+v, %v", got, err)
		}
	})
	t.Run("the update permission does not show the key", func(t *testing.T) {
		change := same
		change.HMACKey = optional.Some("third key")
		writer := w.as(seller, "webhooks:update")
		if got, err := w.webhooks.Update(writer, created.ID, change); err != nil || got.HMACKey != "third key" {
			t.Errorf("after sending a key: %+v, %v", got, err)
		}
		if got, err := w.webhooks.Update(writer, created.ID, same); err != nil || got.HMACKey != "" {
			t.Errorf("after keeping the key: %+v, %v", got, err)
		}
	})
	t.Run("deleting returns the webhook and removes it", func(t *testing.T) {
		if got, err := w.webhooks.Delete(w.as(seller), created.ID, nil); err != nil || got.ID != created.ID || got.HMACKey != "third key" {
			t.Errorf("got %+v, %v", got, err)
		}
		if _, err := w.webhooks.Delete(w.as(seller), created.ID, nil); !domain.HasCode(err, domain.CodeNotFound) {
			t.Errorf("got %v", err)
		}
	})
}

func TestWebhooksAreListedOldestFirst(t *testing.T) {
	w := newFixture(t)
	ids := make([]string, 0, 5)
	for range 5 {
		ids = append(ids, w.wants(seller, "scan.created").ID)
	}
	w.wants(other, "scan.created")
	for _, page := range []domain.Page{{Limit: 2, Skip: 2}, {Limit: 2, After: &domain.Cursor{ID: ids[1]}}} {
		list, err := w.webhooks.List(w.as(seller), page)
		if err != nil || len(list.Items) != 2 || list.Items[0].ID != ids[2] || list.Items[1].ID != ids[3] || !list.HasMore {
			t.Errorf("page %+v: %+v, %v", page, list.Items, err)
		}
		if total, err := list.Total(t.Context()); err != nil || total != 5 {
			t.Errorf("total is %d, %v", total, err)
		}
	}
}
