package webhook_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/moment"
	"ticketgate/domain/webhook"
)

// called records an attempt as the worker does.
func (w *fixture) called(d webhook.Delivery, at time.Time, status, ms int) webhook.Delivery {
	w.T.Helper()
	recorded, err := w.Store.Attempts().Record(w.T.Context(), []webhook.EndedAttempt{attempted(d, at, status, ms)})
	if err != nil || !recorded[0].OK {
		w.T.Fatal(recorded, err)
	}
	return recorded[0].After
}

// attempted returns an attempt with this status, or with a timeout if status is 0. Its schedule has no retries.
func attempted(d webhook.Delivery, at time.Time, status, ms int) webhook.EndedAttempt {
	timeout := webhook.Failure("timeout")
	attempt := webhook.Attempt{
		Number: d.AttemptCount + 1, ByHand: d.RetryRequested, URL: "https://example.com", StartedAt: moment.New(at),
		DurationMS: ms, Failure: &timeout,
	}
	if status != 0 {
		attempt.Status, attempt.Failure = &status, nil
	}
	return webhook.EndedAttempt{Delivery: d, Attempt: attempt, Judge: func(now webhook.Delivery) webhook.Verdict {
		return webhook.RetrySchedule{}.Judge(now, attempt, 0)
	}}
}

// all returns the seller's deliveries that match, oldest first.
func (w *fixture) all(filter webhook.DeliveryFilter) []webhook.Delivery {
	w.T.Helper()
	list, err := w.deliveries.List(w.as(seller), filter, domain.Page{Limit: 1000})
	if err != nil {
		w.T.Fatal(err)
	}
	return list.Items
}

func TestStatistics(t *testing.T) {
	w := newFixture(t)
	busy, quiet := w.wants(seller, "ticket.created"), w.wants(seller, "scan.created")
	foreign := w.wants(other, "ticket.created")
	for range 5 {
		w.publish(seller, "ticket.created", `{"ticket":{}}`)
	}
	now := time.Now()
	d := w.all(webhook.DeliveryFilter{WebhookID: busy.ID})
	for i, call := range []struct {
		ago        time.Duration
		status, ms int
	}{
		{0, 200, 8}, {10 * time.Minute, 503, 10}, {2 * time.Hour, 0, 10_000}, {3 * 24 * time.Hour, 204, 2}, {8 * 24 * time.Hour, 200, 1},
	} {
		d[i] = w.called(d[i], now.Add(-call.ago), call.status, call.ms)
	}

	t.Run("lists all webhooks with their figures", func(t *testing.T) {
		for period, want := range map[webhook.Period]webhook.Figures{
			webhook.Hour: {Calls: 2, Succeeded: 1, Delivered: 1, Failed: 1, Milliseconds: 18},
			webhook.Day:  {Calls: 3, Succeeded: 1, Delivered: 1, Failed: 2, Milliseconds: 10_018},
			webhook.Week: {Calls: 4, Succeeded: 2, Delivered: 2, Failed: 2, Milliseconds: 10_020},
		} {
			list, err := w.webhooks.Figures(w.as(seller), period, domain.Page{Limit: 10})
			if err != nil || len(list.Items) != 2 || list.HasMore {
				t.Fatalf("%s: %+v, %v", period, list, err)
			}
			first, second := list.Items[0], list.Items[1]
			if first.ID() != busy.ID || first.Webhook.Name != busy.Name || first.Figures != want {
				t.Errorf("%s: got %+v, want %+v", period, first, want)
			}
			if first.LastDeliveryAt == nil || !first.LastDeliveryAt.Equal(d[4].CreatedAt.Time) {
				t.Errorf("the last delivery is at %v, want %v", first.LastDeliveryAt, d[4].CreatedAt)
			}
			if second.ID() != quiet.ID || second.Figures != (webhook.Figures{}) || second.DeliveryRate() != nil || second.LastDeliveryAt != nil {
				t.Errorf("%s: without calls: %+v", period, second)
			}
		}
	})
	t.Run("pages as the list of webhooks does", func(t *testing.T) {
		list, err := w.webhooks.Figures(w.as(seller), webhook.Day, domain.Page{Limit: 1, After: &domain.Cursor{ID: busy.ID}})
		if err != nil || len(list.Items) != 1 || list.Items[0].ID() != quiet.ID || list.HasMore {
			t.Errorf("got %+v, %v", list, err)
		}
		if total, err := list.Total(t.Context()); total != 2 || err != nil {
			t.Errorf("total is %d, %v", total, err)
		}
	})
	t.Run("returns series, types and outcomes of one webhook", func(t *testing.T) {
		got, err := w.webhooks.Statistics(w.as(seller), busy.ID, webhook.Week)
		if err != nil || got.Calls != 4 || got.WebhookID != busy.ID || *got.P50MS() != 8 || *got.P95MS() != 9728 {
			t.Fatalf("got %+v, %v", got, err)
		}
		last, early := got.Series[27], got.Series[15] // the latest six hours, and six hours three days ago
		if len(got.Series) != 28 || last.Calls != 3 || last.Succeeded != 1 || early.Calls != 1 || *early.P50MS() != 2 {
			t.Errorf("got series %+v", got.Series)
		}
		if types := got.ByType; len(types) != 1 || types[0].Value != "ticket.created" || types[0].Calls != 4 {
			t.Errorf("got types %+v", types)
		}
		outcomes := map[string]int{}
		for _, share := range got.ByOutcome {
			outcomes[share.Value] = share.Calls
		}
		if want := map[string]int{"200": 1, "204": 1, "503": 1, "timeout": 1}; fmt.Sprint(outcomes) != fmt.Sprint(want) {
			t.Errorf("got outcomes %v, want %v", outcomes, want)
		}
		if got, err = w.webhooks.Statistics(w.as(seller), quiet.ID, webhook.Hour); err != nil || got.Calls != 0 || got.P50MS() != nil {
			t.Errorf("without calls: %+v, %v", got, err)
		}
	})
	t.Run("removes the failure of a delivery that a manual retry delivers", func(t *testing.T) {
		again, err := w.deliveries.Retry(w.as(seller), d[1].ID)
		if err != nil {
			t.Fatal(err)
		}
		w.called(again, now, 200, 10)
		got, err := w.webhooks.Statistics(w.as(seller), busy.ID, webhook.Hour)
		if err != nil || got.Calls != 3 || got.Delivered != 2 || got.Failed != 0 || *got.DeliveryRate() != 1 {
			t.Errorf("got %+v, %v", got, err)
		}
	})
	t.Run("rejects an unknown period, another seller's webhook and a missing permission", func(t *testing.T) {
		_, err := w.webhooks.Statistics(w.as(seller), foreign.ID, webhook.Day)
		if !domain.HasCode(err, domain.CodeNotFound) {
			t.Errorf("another seller's webhook: %v", err)
		}
		_, err = w.webhooks.Statistics(w.as(seller), busy.ID, "MONTH")
		if fields := domain.AsError(err).Fields; len(fields) != 1 || fields[0].Path != "period" {
			t.Errorf("an unknown period: %v", err)
		}
		_, err = w.webhooks.Figures(w.as(seller), "", domain.Page{Limit: 1})
		if !domain.HasCode(err, domain.CodeValidationFailed) {
			t.Errorf("no period: %v", err)
		}
		_, err = w.webhooks.Figures(w.as(seller, "webhooks:update"), webhook.Day, domain.Page{Limit: 1})
		if !domain.HasCode(err, domain.CodeMissingPermission) {
			t.Errorf("without the permission: %v", err)
		}
	})
}

// Batches of several processes update the same rows without losing a count or deadlocking.
func TestStatisticsOfConcurrentBatches(t *testing.T) {
	w := newFixture(t)
	first, second := w.wants(seller, "ticket.created"), w.wants(seller, "ticket.created")
	const batches, each = 12, 5
	for range batches * each {
		w.publish(seller, "ticket.created", `{"ticket":{}}`)
	}
	now := time.Now()
	var all sync.WaitGroup
	ofFirst, ofSecond := w.all(webhook.DeliveryFilter{WebhookID: first.ID}), w.all(webhook.DeliveryFilter{WebhookID: second.ID})
	for i := range batches {
		all.Go(func() {
			var batch []webhook.EndedAttempt
			for j := i * each; j < (i+1)*each; j++ {
				batch = append(batch, attempted(ofSecond[j], now, 200+i%3, i), attempted(ofFirst[j], now, 500, 1))
			}
			if _, err := w.Store.Attempts().Record(t.Context(), batch); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for id, want := range map[string]webhook.Figures{
		first.ID:  {Calls: 60, Failed: 60, Milliseconds: 60},
		second.ID: {Calls: 60, Succeeded: 60, Delivered: 60, Milliseconds: each * (batches - 1) * batches / 2},
	} {
		got, err := w.webhooks.Statistics(w.as(seller), id, webhook.Hour)
		if err != nil || got.Figures != want {
			t.Errorf("got %+v, want %+v, %v", got.Figures, want, err)
		}
	}
	got, _ := w.webhooks.Statistics(w.as(seller), second.ID, webhook.Hour)
	if len(got.ByOutcome) != 3 || got.ByOutcome[0].Calls != 20 || *got.P50MS() != 5 || *got.P95MS() != 11 {
		t.Errorf("got %+v with percentiles %d and %d", got.ByOutcome, *got.P50MS(), *got.P95MS())
	}
}
