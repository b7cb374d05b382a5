package webhook_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/webhook"
)

// Edges read several webhooks or deliveries at once (GRAPH-1).
func TestEdges(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	busy, quiet := w.wants(seller, "ticket.created"), w.wants(seller, "scan.created")
	foreign := w.wants(other, "ticket.created")
	for range 3 {
		w.publish(seller, "ticket.created", `{"ticket":{"_id":"t1"}}`)
	}
	w.publish(seller, "scan.created", `{"scan":{}}`)
	w.publish(other, "ticket.created", `{"ticket":{"_id":"t2"}}`)
	now := time.Now()
	created := w.all(webhook.DeliveryFilter{WebhookID: busy.ID})
	first, failed, waits := w.called(created[0], now, 200, 5), w.called(created[1], now.Add(-time.Hour), 503, 7), created[2]
	again, err := w.deliveries.Retry(w.as(seller), failed.ID)
	if err != nil {
		t.Fatal(err)
	}
	failed = w.called(again, now, 502, 9)
	about := w.all(webhook.DeliveryFilter{WebhookID: quiet.ID})[0]
	theirs, err := w.deliveries.List(w.as(other), webhook.DeliveryFilter{WebhookID: foreign.ID}, domain.Page{Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	deliveries := []string{first.ID, failed.ID, waits.ID, about.ID, theirs.Items[0].ID}
	webhooks := []string{busy.ID, quiet.ID, foreign.ID}

	t.Run("webhooks by id", func(t *testing.T) {
		found, err := w.webhooks.ByID(w.as(seller), webhooks)
		if err != nil || len(found) != 2 || found[busy.ID].URL != busy.URL || found[quiet.ID].HMACKey != "secret key" {
			t.Errorf("got %+v, %v", found, err)
		}
	})
	t.Run("a page of each webhook's deliveries", func(t *testing.T) {
		lists, err := w.deliveries.OfWebhooks(w.as(seller), webhooks, webhook.DeliveryFilter{}, domain.Page{Limit: 2})
		if err != nil || len(lists[busy.ID].Items) != 2 || !lists[busy.ID].HasMore || lists[busy.ID].Items[0].ID != first.ID ||
			len(lists[quiet.ID].Items) != 1 || lists[quiet.ID].HasMore || len(lists[foreign.ID].Items) != 0 {
			t.Errorf("got %+v, %v", lists, err)
		}
		if total, err := lists[busy.ID].Total(t.Context()); total != 3 || err != nil {
			t.Errorf("total is %d, %v", total, err)
		}
		lists, err = w.deliveries.OfWebhooks(w.as(seller), webhooks, webhook.DeliveryFilter{ObjectID: "t1", State: webhook.Failed},
			domain.Page{Limit: 2, After: &domain.Cursor{ID: first.ID}})
		if err != nil || len(lists[busy.ID].Items) != 1 || lists[busy.ID].Items[0].ID != failed.ID || len(lists[quiet.ID].Items) != 0 {
			t.Errorf("filtered: %+v, %v", lists, err)
		}
	})
	t.Run("the latest attempt of each delivery", func(t *testing.T) {
		last, err := w.deliveries.LastAttempts(w.as(seller), deliveries)
		if err != nil || len(last) != 2 || *last[first.ID].Status != 200 || *last[failed.ID].Status != 502 || last[failed.ID].Number != 2 {
			t.Errorf("got %+v, %v", last, err)
		}
	})
	t.Run("a page of each delivery's attempts", func(t *testing.T) {
		lists, err := w.deliveries.Attempts(w.as(seller), deliveries, struct{}{}, domain.Page{Limit: 1, After: &domain.Cursor{ID: "1"}})
		if err != nil || len(lists[first.ID].Items) != 0 || len(lists[failed.ID].Items) != 1 || lists[failed.ID].Items[0].Number != 2 {
			t.Errorf("got %+v, %v", lists, err)
		}
		lists, err = w.deliveries.Attempts(w.as(seller), deliveries, struct{}{}, domain.Page{Limit: 1, Order: domain.NewestFirst})
		if err != nil || !lists[failed.ID].HasMore || lists[failed.ID].Items[0].Number != 2 {
			t.Errorf("newest first: %+v, %v", lists, err)
		}
		for _, cursor := range []string{"0", "one", "99999999999", "1;"} {
			_, err = w.deliveries.Attempts(w.as(seller), deliveries, struct{}{}, domain.Page{Limit: 1, After: &domain.Cursor{ID: cursor}})
			if !domain.HasCode(err, domain.CodeValidationFailed) {
				t.Errorf("cursor %q: %v", cursor, err)
			}
		}
	})
	t.Run("the same payloads as single deliveries", func(t *testing.T) {
		bodies, err := w.deliveries.Payloads(w.as(seller), deliveries)
		if err != nil || len(bodies) != 4 {
			t.Fatalf("got %+v, %v", bodies, err)
		}
		for id, body := range bodies {
			detail, err := w.deliveries.Get(w.as(seller), id)
			if err != nil || detail.Payload != body || !strings.Contains(body, id) {
				t.Errorf("got %s, want %s, %v", body, detail.Payload, err)
			}
		}
	})
	t.Run("the objects of events", func(t *testing.T) {
		objects, err := w.deliveries.Objects(w.as(seller), deliveries)
		want := webhook.Object{Type: "ticket.created", ID: "t1"}
		if err != nil || len(objects) != 3 || objects[first.ID] != want || want.Resource() != "ticket" {
			t.Errorf("got %+v, %v", objects, err)
		}
	})
	t.Run("the same figures and statistics as single webhooks", func(t *testing.T) {
		all, err := w.webhooks.StatisticsOf(w.as(seller), []string{busy.ID, quiet.ID}, webhook.Day)
		if err != nil || len(all) != 2 || len(all[quiet.ID].Series) != 24 {
			t.Fatalf("got %+v, %v", all, err)
		}
		for id, of := range all {
			statistics, err := w.webhooks.Statistics(w.as(seller), id, webhook.Day)
			if err != nil || of.Figures != statistics.Figures || of.WebhookID != id || len(of.ByOutcome) != len(statistics.ByOutcome) {
				t.Errorf("got %+v, want %+v, %v", of, statistics, err)
			}
		}
		figures, err := w.webhooks.FiguresOf(w.as(seller), webhooks, webhook.Day)
		if err != nil || len(figures) != 2 || figures[busy.ID].Calls != 3 || figures[busy.ID].Failed != 1 ||
			!figures[busy.ID].LastDeliveryAt.Equal(waits.CreatedAt.Time) || figures[quiet.ID].Calls != 0 {
			t.Errorf("got %+v, %v", figures, err)
		}
	})
	t.Run("filters deliveries by the time of failure", func(t *testing.T) {
		at := func(ago time.Duration) *moment.DateTime { return new(moment.New(now.Add(-ago))) }
		for name, row := range map[string]struct {
			from, until *moment.DateTime
			want        []string
		}{
			"from before":         {at(2 * time.Hour), nil, []string{failed.ID}},
			"from exactly then":   {failed.FailedAt, nil, []string{failed.ID}},
			"until exactly then":  {nil, failed.FailedAt, nil},
			"between":             {at(61 * time.Minute), at(59 * time.Minute), nil},
			"from after the call": {at(time.Minute), nil, nil},
		} {
			var got []string
			for _, d := range w.all(webhook.DeliveryFilter{FailedFrom: row.from, FailedUntil: row.until}) {
				got = append(got, d.ID)
			}
			if !slices.Equal(got, row.want) {
				t.Errorf("%s: got %v, want %v", name, got, row.want)
			}
		}
		err := webhook.DeliveryFilter{FailedFrom: at(0), FailedUntil: at(0)}.Check()
		if fields := domain.AsError(err).Fields; len(fields) != 1 || fields[0].Path != "failedUntil" {
			t.Errorf("from equals until: %v", err)
		}
	})
	t.Run("a single delivery", func(t *testing.T) {
		found, err := w.deliveries.Find(w.as(seller), failed.ID)
		if err != nil || found.ID != failed.ID || found.AttemptCount != 2 || found.FailedAt == nil {
			t.Errorf("got %+v, %v", found, err)
		}
		for _, id := range []string{theirs.Items[0].ID, "", "1"} {
			if _, err := w.deliveries.Find(w.as(seller), id); !domain.HasCode(err, domain.CodeNotFound) {
				t.Errorf("%q: %v", id, err)
			}
		}
	})
	t.Run("each edge needs its permission and the feature", func(t *testing.T) {
		page := domain.Page{Limit: 1}
		for name, edge := range map[string]func(as *fixture, of ids.Seller, permissions ...domain.Permission) error{
			"ByID": func(as *fixture, of ids.Seller, p ...domain.Permission) error {
				_, err := as.webhooks.ByID(as.as(of, p...), webhooks)
				return err
			},
			"FiguresOf": func(as *fixture, of ids.Seller, p ...domain.Permission) error {
				_, err := as.webhooks.FiguresOf(as.as(of, p...), webhooks, webhook.Day)
				return err
			},
			"StatisticsOf": func(as *fixture, of ids.Seller, p ...domain.Permission) error {
				_, err := as.webhooks.StatisticsOf(as.as(of, p...), webhooks, webhook.Day)
				return err
			},
			"OfWebhooks": func(as *fixture, of ids.Seller, p ...domain.Permission) error {
				_, err := as.deliveries.OfWebhooks(as.as(of, p...), webhooks, webhook.DeliveryFilter{}, page)
				return err
			},
			"LastAttempts": func(as *fixture, of ids.Seller, p ...domain.Permission) error {
				_, err := as.deliveries.LastAttempts(as.as(of, p...), deliveries)
				return err
			},
			"Attempts": func(as *fixture, of ids.Seller, p ...domain.Permission) error {
				_, err := as.deliveries.Attempts(as.as(of, p...), deliveries, struct{}{}, page)
				return err
			},
			"Payloads": func(as *fixture, of ids.Seller, p ...domain.Permission) error {
				_, err := as.deliveries.Payloads(as.as(of, p...), deliveries)
				return err
			},
			"Objects": func(as *fixture, of ids.Seller, p ...domain.Permission) error {
				_, err := as.deliveries.Objects(as.as(of, p...), deliveries)
				return err
			},
		} {
			if err := edge(w, seller, "webhooks:update", "scans:list"); !domain.HasCode(err, domain.CodeMissingPermission) {
				t.Errorf("%s without webhooks:list: %v", name, err)
			}
			if err := edge(w, without); !domain.HasCode(err, domain.CodeFeatureNotEnabled) {
				t.Errorf("%s without the feature: %v", name, err)
			}
			if err := edge(w, seller, "webhooks:list"); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}
