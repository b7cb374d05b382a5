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

func TestManyAreRetriggered(t *testing.T) {
	w := newWorld(t)
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
	byHand := func() int {
		return w.Count(jobstest.Count("queue = 'webhook_by_hand'"))
	}
	audited := func() int { return w.Count("SELECT count(*) FROM audit_entries WHERE action = 'retriggerDeliveries'") }
	failed := webhook.DeliveryFilter{WebhookID: hook.ID, State: webhook.Failed}

	t.Run("a number that is not that of the filter is refused, and nothing is done", func(t *testing.T) {
		for _, count := range []int{3, 5} {
			_, err := w.deliveries.RetryMany(w.as(seller), webhook.Retriggering{Filter: &failed, Count: &count})
			if !domain.HasCode(err, domain.CodeInvalidState) {
				t.Errorf("%d: %v", count, err)
			}
		}
		if n := byHand() + audited(); n != 0 {
			t.Errorf("%d jobs and entries", n)
		}
	})
	t.Run("the failed ones that a filter selects are attempted once more, with one entry in the audit log", func(t *testing.T) {
		got, err := w.deliveries.RetryMany(w.as(seller), webhook.Retriggering{Filter: &failed, Count: new(4)})
		want := []string{d[0].ID, d[1].ID, d[3].ID, d[4].ID}
		if err != nil || !slices.Equal(idsOf(got), want) {
			t.Fatalf("%v, want %v, %v", idsOf(got), want, err)
		}
		for _, one := range got {
			if one.State != webhook.Pending || !one.RetryRequested || one.RetriggeredAt == nil || one.AttemptCount != 1 {
				t.Errorf("%+v", one)
			}
		}
		const named = `SELECT jsonb_array_length(after::jsonb -> 'deliveries') FROM audit_entries WHERE action = 'retriggerDeliveries'`
		if jobs := byHand(); jobs == 0 || audited() != 1 || w.Count(named) != 4 {
			t.Errorf("%d jobs, %d entries", jobs, audited())
		}
		if stored := w.all(webhook.DeliveryFilter{WebhookID: hook.ID, State: webhook.Pending}); len(stored) != 4 || !stored[0].RetryRequested {
			t.Errorf("stored are %+v", stored)
		}
	})
	t.Run("a wish that is open already is the same wish", func(t *testing.T) {
		jobs := byHand()
		_, err := w.deliveries.RetryMany(w.as(seller), webhook.Retriggering{IDs: []string{d[0].ID, d[1].ID, d[0].ID}, Count: new(3)})
		if !domain.HasCode(err, domain.CodeValidationFailed) || !strings.Contains(err.Error(), "count must be 2") {
			t.Errorf("another number than are named: %v", err)
		}
		got, err := w.deliveries.RetryMany(w.as(seller), webhook.Retriggering{IDs: []string{d[0].ID, d[1].ID, d[0].ID}, Count: new(2)})
		if err != nil || len(got) != 2 || byHand() != jobs || audited() != 1 {
			t.Errorf("%+v, %v, %d jobs, %d entries", got, err, byHand(), audited())
		}
	})
	t.Run("their attempts are counted apart, with the same bytes", func(t *testing.T) {
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
	t.Run("what failed before and is delivered now is a failure neither then nor now", func(t *testing.T) {
		const failures = "SELECT coalesce(sum(failed), 0) FROM webhook_figures WHERE webhook_id = $1 AND part = 'all'"
		was := w.Count(failures, hook.ID)
		w.publish(seller, "ticket.created", `{"ticket":{}}`)
		list := w.all(webhook.DeliveryFilter{WebhookID: hook.ID})
		late := w.called(list[len(list)-1], time.Now().Add(-2*time.Hour), 500, 1)
		if counted := w.Count(failures, hook.ID); late.State != webhook.Failed || counted != was+1 {
			t.Fatalf("%d failures with %+v", counted, late)
		}
		again, err := w.deliveries.Retry(w.as(seller), late.ID)
		if err != nil {
			t.Fatal(err)
		}
		w.called(again, time.Now(), 200, 1)
		negative := w.Count("SELECT count(*) FROM webhook_figures WHERE failed < 0")
		if counted := w.Count(failures, hook.ID); counted != was || negative != 0 {
			t.Errorf("%d failures, %d of them below zero", counted, negative)
		}
	})
	t.Run("ids select deliveries in any state, all or none", func(t *testing.T) {
		nobodys := webhook.NewID(time.Now())
		_, err := w.deliveries.RetryMany(w.as(seller), webhook.Retriggering{IDs: []string{d[2].ID, nobodys, ofOff.ID, "x"}})
		if fields := domain.AsError(err).Fields; len(fields) != 1 || fields[0].Path != "ids[3]" {
			t.Errorf("no id: %v", fields)
		}
		_, err = w.deliveries.RetryMany(w.as(seller), webhook.Retriggering{IDs: []string{d[2].ID, nobodys, ofOff.ID}})
		fields := domain.AsError(err).Fields
		if len(fields) != 2 || fields[0].Path != "ids[1]" || fields[1].Path != "ids[2]" || !strings.Contains(fields[1].Message, "disabled") {
			t.Errorf("wrong are %v", fields)
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
	t.Run("those of a disabled webhook are not selected by a filter either", func(t *testing.T) {
		filter := webhook.DeliveryFilter{WebhookID: off.ID, State: webhook.Failed}
		_, err := w.deliveries.RetryMany(w.as(seller), webhook.Retriggering{Filter: &filter, Count: new(1)})
		if !domain.HasCode(err, domain.CodeInvalidState) || !strings.Contains(err.Error(), "disabled") {
			t.Errorf("%v", err)
		}
	})
}

func TestRetriggeringIsChecked(t *testing.T) {
	w := newWorld(t)
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
		{"a filter of any state without a number", webhook.Retriggering{Filter: &everything}, "filter.state count"},
		{"a number of none, and an unknown type", webhook.Retriggering{Filter: &failed, Count: new(0)}, "count filter.type"},
		{"a number too large", webhook.Retriggering{Filter: &webhook.DeliveryFilter{State: webhook.Failed}, Count: new(1001)}, "count"},
	} {
		_, err := w.deliveries.RetryMany(w.as(seller), c.wanted)
		var paths []string
		for _, field := range domain.AsError(err).Fields {
			paths = append(paths, field.Path)
		}
		if strings.Join(paths, " ") != c.paths {
			t.Errorf("%s: %q, want %q", c.name, paths, c.paths)
		}
	}
	foreign := webhook.DeliveryFilter{State: webhook.Failed, WebhookID: w.wants(other, "ticket.created").ID}
	_, err := w.deliveries.RetryMany(w.as(seller), webhook.Retriggering{Filter: &foreign, Count: new(1)})
	if !domain.HasCode(err, domain.CodeNotFound) {
		t.Errorf("of a webhook of another seller: %v", err)
	}
	_, err = w.deliveries.RetryMany(w.as(seller, "webhooks:list"), webhook.Retriggering{IDs: tooMany})
	if !domain.HasCode(err, domain.CodeMissingPermission) {
		t.Errorf("without the right: %v", err)
	}
}
