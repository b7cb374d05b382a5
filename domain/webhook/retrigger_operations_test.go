package webhook_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/optional"
	"ticketgate/domain/webhook"
	"ticketgate/jobs/jobstest"
)

func idsOf(list []webhook.Delivery) []string {
	ids := make([]string, len(list))
	for i, d := range list {
		ids[i] = d.ID
	}
	return ids
}

func TestRetryMany(t *testing.T) {
	w := newFixture(t)
	hook, off := w.wants(seller, "ticket.created"), w.wants(seller, "ticket.created")
	for range 5 {
		w.publish(seller, "ticket.created", `{"ticket":{}}`)
	}
	d := w.all(webhook.DeliveryFilter{WebhookID: hook.ID})
	for i, status := range []int{500, 500, 200, 500, 503} {
		d[i] = w.called(d[i], time.Now(), status, 1)
	}
	ofOff := w.called(w.all(webhook.DeliveryFilter{WebhookID: off.ID})[0], time.Now(), 500, 1)
	if _, err := w.webhooks.Update(w.as(seller), off.ID, webhook.Change{Name: "n", URL: off.URL, Enabled: optional.Some(false)}); err != nil {
		t.Fatal(err)
	}
	manual := func() int {
		return w.Count(jobstest.Count("queue = 'webhook_by_hand'"))
	}
	audited := func() int { return w.Count("SELECT count(*) FROM audit_entries WHERE action = 'retriggerDeliveries'") }
	failed := webhook.DeliveryFilter{WebhookID: hook.ID, State: webhook.Failed}

	t.Run("rejects a wrong count and does nothing", func(t *testing.T) {
		for _, count := range []int{3, 5} {
			_, err := w.deliveries.RetryMany(w.as(seller), webhook.Retriggering{Filter: &failed, Count: &count})
			if !domain.HasCode(err, domain.CodeInvalidState) {
				t.Errorf("count %d: %v", count, err)
			}
		}
		if n := manual() + audited(); n != 0 {
			t.Errorf("got %d jobs and entries, want none", n)
		}
	})
	t.Run("retries the failed deliveries that match, with one audit entry", func(t *testing.T) {
		got, err := w.deliveries.RetryMany(w.as(seller), webhook.Retriggering{Filter: &failed, Count: new(4)})
		want := []string{d[0].ID, d[1].ID, d[3].ID, d[4].ID}
		if err != nil || !slices.Equal(idsOf(got), want) {
			t.Fatalf("got %v, want %v, %v", idsOf(got), want, err)
		}
		for _, item := range got {
			if item.State != webhook.Pending || !item.RetryRequested || item.RetriggeredAt == nil || item.AttemptCount != 1 {
				t.Errorf("%+v", item)
			}
		}
		const named = `SELECT jsonb_array_length(after::jsonb -> 'deliveries') FROM audit_entries WHERE action = 'retriggerDeliveries'`
		if jobs := manual(); jobs == 0 || audited() != 1 || w.Count(named) != 4 {
			t.Errorf("got %d jobs, %d entries", jobs, audited())
		}
		if stored := w.all(webhook.DeliveryFilter{WebhookID: hook.ID, State: webhook.Pending}); len(stored) != 4 || !stored[0].RetryRequested {
			t.Errorf("stored: %+v", stored)
		}
	})
	t.Run("counts a pending request as the same request", func(t *testing.T) {
		jobs := manual()
		_, err := w.deliveries.RetryMany(w.as(seller), webhook.Retriggering{IDs: []string{d[0].ID, d[1].ID, d[0].ID}, Count: new(3)})
		if !domain.HasCode(err, domain.CodeValidationFailed) || !strings.Contains(err.Error(), "count must be 2") {
			t.Errorf("a count that differs from the ids: %v", err)
		}
		got, err := w.deliveries.RetryMany(w.as(seller), webhook.Retriggering{IDs: []string{d[0].ID, d[1].ID, d[0].ID}, Count: new(2)})
		if err != nil || len(got) != 2 || manual() != jobs || audited() != 1 {
			t.Errorf("%+v, %v, %d jobs, %d entries", got, err, manual(), audited())
		}
	})
	t.Run("counts the attempts separately and sends the same bytes", func(t *testing.T) {
		before, err := w.deliveries.Get(w.as(seller), d[3].ID)
		if err != nil {
			t.Fatal(err)
		}
		w.called(before.Delivery, time.Now(), 200, 1)
		after, err := w.deliveries.Get(w.as(seller), d[3].ID)
		if err != nil || after.State != webhook.Delivered || after.ScheduledCount != 1 || after.AttemptCount != 2 ||
			after.Payload != before.Payload || !after.Attempts[1].ByHand || after.Outcome != "200" {
			t.Errorf("%+v, %v", after, err)
		}
	})
	t.Run("removes the failure of a delivery that succeeds later", func(t *testing.T) {
		const failures = "SELECT coalesce(sum(failed), 0) FROM webhook_figures WHERE webhook_id = $1 AND part = 'all'"
		was := w.Count(failures, hook.ID)
		w.publish(seller, "ticket.created", `{"ticket":{}}`)
		list := w.all(webhook.DeliveryFilter{WebhookID: hook.ID})
		late := w.called(list[len(list)-1], time.Now().Add(-2*time.Hour), 500, 1)
		if counted := w.Count(failures, hook.ID); late.State != webhook.Failed || counted != was+1 {
			t.Fatalf("got %d failures with %+v", counted, late)
		}
		again, err := w.deliveries.Retry(w.as(seller), late.ID)
		if err != nil {
			t.Fatal(err)
		}
		w.called(again, time.Now(), 200, 1)
		negative := w.Count("SELECT count(*) FROM webhook_figures WHERE failed < 0")
		if counted := w.Count(failures, hook.ID); counted != was || negative != 0 {
			t.Errorf("got %d failures, %d rows are negative", counted, negative)
		}
	})
	t.Run("retries deliveries in any state by ids, all or none", func(t *testing.T) {
		nobodys := webhook.NewID(time.Now())
		_, err := w.deliveries.RetryMany(w.as(seller), webhook.Retriggering{IDs: []string{d[2].ID, nobodys, ofOff.ID, "x"}})
		if fields := domain.AsError(err).Fields; len(fields) != 1 || fields[0].Path != "ids[3]" {
			t.Errorf("an invalid id: %v", fields)
		}
		_, err = w.deliveries.RetryMany(w.as(seller), webhook.Retriggering{IDs: []string{d[2].ID, nobodys, ofOff.ID}})
		fields := domain.AsError(err).Fields
		if len(fields) != 2 || fields[0].Path != "ids[1]" || fields[1].Path != "ids[2]" || !strings.Contains(fields[1].Message, "disabled") {
			t.Errorf("got errors %v", fields)
		}
		_, err = w.deliveries.RetryMany(w.as(other), webhook.Retriggering{IDs: []string{d[2].ID}})
		if fields := domain.AsError(err).Fields; len(fields) != 1 || fields[0].Message != "does not exist" {
			t.Errorf("another seller: %v", fields)
		}
		got, err := w.deliveries.RetryMany(w.as(seller), webhook.Retriggering{IDs: []string{d[2].ID}})
		if err != nil || len(got) != 1 || !got[0].RetryRequested {
			t.Errorf("%+v, %v", got, err)
		}
	})
	t.Run("rejects a filter that matches a disabled webhook", func(t *testing.T) {
		filter := webhook.DeliveryFilter{WebhookID: off.ID, State: webhook.Failed}
		_, err := w.deliveries.RetryMany(w.as(seller), webhook.Retriggering{Filter: &filter, Count: new(1)})
		if !domain.HasCode(err, domain.CodeInvalidState) || !strings.Contains(err.Error(), "disabled") {
			t.Errorf("%v", err)
		}
	})
}

func TestRetriggeringIsChecked(t *testing.T) {
	w := newFixture(t)
	tooMany := slices.Repeat([]string{webhook.NewID(time.Now())}, 1001)
	everything, failed := webhook.DeliveryFilter{}, webhook.DeliveryFilter{State: webhook.Failed, Type: "ticket"}
	for _, c := range []struct {
		name   string
		wanted webhook.Retriggering
		paths  string
	}{
		{"nothing", webhook.Retriggering{}, "ids"},
		{"both", webhook.Retriggering{IDs: []string{"x"}, Filter: &failed, Count: new(1)}, "ids"},
		{"too many ids", webhook.Retriggering{IDs: tooMany}, "ids"},
		{"a filter of any state without a count", webhook.Retriggering{Filter: &everything}, "filter.state count"},
		{"a count of zero and an unknown type", webhook.Retriggering{Filter: &failed, Count: new(0)}, "count filter.type"},
		{"a count that is too large", webhook.Retriggering{Filter: &webhook.DeliveryFilter{State: webhook.Failed}, Count: new(1001)}, "count"},
	} {
		_, err := w.deliveries.RetryMany(w.as(seller), c.wanted)
		var paths []string
		for _, field := range domain.AsError(err).Fields {
			paths = append(paths, field.Path)
		}
		if strings.Join(paths, " ") != c.paths {
			t.Errorf("%s: got errors at %q, want %q", c.name, paths, c.paths)
		}
	}
	foreign := webhook.DeliveryFilter{State: webhook.Failed, WebhookID: w.wants(other, "ticket.created").ID}
	_, err := w.deliveries.RetryMany(w.as(seller), webhook.Retriggering{Filter: &foreign, Count: new(1)})
	if !domain.HasCode(err, domain.CodeNotFound) {
		t.Errorf("another seller's webhook: %v", err)
	}
	_, err = w.deliveries.RetryMany(w.as(seller, "webhooks:list"), webhook.Retriggering{IDs: tooMany})
	if !domain.HasCode(err, domain.CodeMissingPermission) {
		t.Errorf("without the permission: %v", err)
	}
}
