package webhook_test

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/optional"
	"ticketgate/domain/webhook"
	"ticketgate/jobs/jobstest"
)

func (w *fixture) publish(of ids.Seller, kind domain.EventType, data string) string {
	w.T.Helper()
	value, err := ecmajson.Parse([]byte(data), ecmajson.Limits{})
	if err != nil {
		w.T.Fatal(err)
	}
	published, err := w.events.Publish(w.platform(), webhook.NewEvent{SellerID: of, Type: kind, Data: value})
	if err != nil {
		w.T.Fatal(err)
	}
	return published.ID
}

func (w *fixture) only() webhook.Delivery {
	w.T.Helper()
	list, err := w.deliveries.List(w.as(seller), webhook.DeliveryFilter{}, domain.Page{Limit: 10})
	if err != nil || len(list.Items) != 1 {
		w.T.Fatalf("got %d deliveries, %v", len(list.Items), err)
	}
	return list.Items[0]
}

// judged records an attempt with this status, as the worker does.
func (w *fixture) judged(d webhook.Delivery, number, status int, manual bool) bool {
	w.T.Helper()
	attempt := webhook.Attempt{
		Number: number, ByHand: manual, URL: "https://example.com", StartedAt: moment.New(time.Now()), Status: &status,
		RawBody: []byte("a\x00\xff<b>"),
	}
	recorded, err := w.Store.Attempts().Record(w.T.Context(), []webhook.EndedAttempt{{
		Delivery: d, Attempt: attempt,
		Judge: func(now webhook.Delivery) webhook.Verdict { return webhook.RetrySchedule{}.Judge(now, attempt, 0) },
	}})
	if err != nil || len(recorded) != 1 {
		w.T.Fatal(recorded, err)
	}
	return recorded[0].OK
}

func TestPublish(t *testing.T) {
	w := newFixture(t)
	wanting := w.wants(seller, "ticket.created")
	w.wants(seller, "ticket.updated")
	w.wants(other, "ticket.created")
	disabled := w.wants(seller, "ticket.created")
	_, err := w.webhooks.Update(w.as(seller), disabled.ID, webhook.Change{Name: "n", URL: disabled.URL, Enabled: optional.Some(false)})
	if err != nil {
		t.Fatal(err)
	}
	event := w.publish(seller, "ticket.created", `{"ticket":{"b":10.50,"7":1,"a":"<é\u2028>"}}`)

	t.Run("creates a delivery and a job for each enabled webhook that selects the type", func(t *testing.T) {
		d := w.only()
		if d.WebhookID != wanting.ID || d.EventID != event || d.State != webhook.Pending ||
			d.Type != "ticket.created" || d.AttemptCount != 0 {
			t.Errorf("%+v", d)
		}
		if n := w.Count(jobstest.Count("args ->> 'delivery_id' = $1 AND queue = 'webhook_first'"), d.ID); n != 1 {
			t.Errorf("got %d jobs, want 1", n)
		}
		if n := w.Count("SELECT count(*) FROM deliveries"); n != 1 {
			t.Errorf("got %d deliveries in total, want 1", n)
		}
	})
	t.Run("prints the payload as ECMAScript does", func(t *testing.T) {
		d := w.only()
		detail, err := w.deliveries.Get(w.as(seller), d.ID)
		want := `{"id":"` + d.ID + `","sellerId":"` + string(seller) + `","webhookId":"` + wanting.ID +
			"\",\"type\":\"ticket.created\",\"mode\":\"dev\",\"data\":{\"ticket\":{\"7\":1,\"b\":10.5,\"a\":\"<é\u2028>\"}}}"
		if err != nil || detail.Payload != want || len(detail.Attempts) != 0 {
			t.Errorf("payload %s, %v", detail.Payload, err)
		}
	})
	t.Run("creates no delivery for a seller without the feature", func(t *testing.T) {
		w.Exec("UPDATE sellers SET webhooks = false WHERE id = $1", string(other))
		w.publish(other, "ticket.created", `{"ticket":{}}`)
		if n := w.Count("SELECT count(*) FROM deliveries WHERE seller_id = $1", string(other)); n != 0 {
			t.Errorf("got %d deliveries, want none", n)
		}
		if n := w.Count("SELECT count(*) FROM events WHERE seller_id = $1", string(other)); n != 1 {
			t.Errorf("got %d events, want 1", n)
		}
	})
	t.Run("is for the platform only, which names the seller", func(t *testing.T) {
		data, _ := ecmajson.Parse([]byte(`{"ticket":{}}`), ecmajson.Limits{})
		_, err := w.events.Publish(w.as(seller), webhook.NewEvent{SellerID: seller, Type: "ticket.created", Data: data})
		if !domain.HasCode(err, domain.CodeForbidden) {
			t.Errorf("a key: %v", err)
		}
		for named, code := range map[ids.Seller]domain.Code{
			"": domain.CodeInvalidRequest, "555555555555555555555555": domain.CodeValidationFailed,
		} {
			_, err = w.events.Publish(w.platform(), webhook.NewEvent{SellerID: named, Type: "ticket.created", Data: data})
			if !domain.HasCode(err, code) {
				t.Errorf("seller %q: %v", named, err)
			}
		}
	})
	t.Run("stores nothing if the change is rolled back", func(t *testing.T) {
		all := `SELECT (SELECT count(*) FROM events) + (SELECT count(*) FROM deliveries) + (` + jobstest.Count("true") + `)`
		before := w.Count(all)
		undone := domain.InvalidState("undone")
		err := w.Store.Webhooks().InTx(t.Context(), func(tx webhook.Tx) error {
			if _, err := tx.Publish(t.Context(), domain.Event{SellerID: seller, Type: "ticket.created", Data: []byte(`{}`)}); err != nil {
				return err
			}
			return undone
		})
		after := w.Count(all)
		if !domain.HasCode(err, domain.CodeInvalidState) || before != after {
			t.Errorf("%v, %d rows before, %d after", err, before, after)
		}
	})
}

func TestRetryDelivery(t *testing.T) {
	w := newFixture(t)
	hook := w.wants(seller, "ticket.created")
	w.publish(seller, "ticket.created", `{"ticket":{"x":1}}`)
	d := w.only()
	if !w.judged(d, 1, 500, false) {
		t.Fatal("the first attempt was not recorded")
	}
	before, err := w.deliveries.Get(w.as(seller), d.ID)
	if err != nil || before.State != webhook.Failed {
		t.Fatalf("%+v, %v", before, err)
	}

	t.Run("fifty clicks lead to one attempt", func(t *testing.T) {
		var clicks sync.WaitGroup
		for range 50 {
			clicks.Go(func() {
				got, err := w.deliveries.Retry(w.as(seller), d.ID)
				if err != nil || got.ID != d.ID || got.State != webhook.Pending || !got.RetryRequested {
					t.Errorf("%+v, %v", got, err)
				}
			})
		}
		clicks.Wait()
		if n := w.Count(jobstest.Count("args ->> 'delivery_id' = $1 AND queue = 'webhook_by_hand'"), d.ID); n != 1 {
			t.Errorf("got %d jobs, want 1", n)
		}
	})
	t.Run("the attempt is counted separately and has the same bytes", func(t *testing.T) {
		if !w.judged(w.only(), 2, 503, true) {
			t.Fatal("the attempt was not recorded")
		}
		after, err := w.deliveries.Get(w.as(seller), d.ID)
		if err != nil || after.State != webhook.Failed || after.AttemptCount != 2 || after.ScheduledCount != 1 ||
			after.Payload != before.Payload || len(after.Attempts) != 2 || after.Attempts[0].ByHand || !after.Attempts[1].ByHand {
			t.Errorf("%+v, %v", after, err)
		}
		if body := after.Attempts[0].ResponseBody; body != "a\x00\uFFFD<b>" {
			t.Errorf("response body %q", body)
		}
	})
	t.Run("the late result of a paused process is rejected", func(t *testing.T) {
		if w.judged(d, 1, 200, false) || w.judged(d, 2, 200, false) {
			t.Error("an outdated attempt was recorded")
		}
		if got := w.only(); got.State != webhook.Failed || got.AttemptCount != 2 {
			t.Errorf("%+v", got)
		}
	})
	t.Run("rejects another seller, a missing permission and an unknown id", func(t *testing.T) {
		get := func(ctx context.Context, id string) error {
			_, err := w.deliveries.Get(ctx, id)
			return err
		}
		retry := func(ctx context.Context, id string) error {
			_, err := w.deliveries.Retry(ctx, id)
			return err
		}
		for i, c := range []struct {
			got  error
			code domain.Code
		}{
			{get(w.as(other), d.ID), domain.CodeNotFound},
			{retry(w.as(other), d.ID), domain.CodeNotFound},
			{get(w.as(seller), "x"), domain.CodeNotFound},
			{retry(w.as(seller), "x"), domain.CodeNotFound},
			{retry(w.as(seller), webhook.NewID(time.Now())), domain.CodeNotFound},
			{retry(w.as(seller, "webhooks:list"), d.ID), domain.CodeMissingPermission},
		} {
			if !domain.HasCode(c.got, c.code) {
				t.Errorf("call %d: got %v, want %s", i, c.got, c.code)
			}
		}
	})
	t.Run("rejects a disabled or deleted webhook", func(t *testing.T) {
		off := webhook.Change{Name: "n", URL: hook.URL, Enabled: optional.Some(false)}
		if _, err := w.webhooks.Update(w.as(seller), hook.ID, off); err != nil {
			t.Fatal(err)
		}
		if _, err := w.deliveries.Retry(w.as(seller), d.ID); !domain.HasCode(err, domain.CodeInvalidState) {
			t.Errorf("disabled: %v", err)
		}
		if _, err := w.webhooks.Delete(w.as(seller), hook.ID, nil); err != nil {
			t.Fatal(err)
		}
		if _, err := w.deliveries.Retry(w.as(seller), d.ID); !domain.HasCode(err, domain.CodeInvalidState) {
			t.Errorf("deleted: %v", err)
		}
	})
}

func TestDeliveriesAreFiltered(t *testing.T) {
	w := newFixture(t)
	created, updated := w.wants(seller, "ticket.created"), w.wants(seller, "ticket.updated")
	w.wants(other, "ticket.created")
	w.publish(seller, "ticket.created", `{"ticket":{"_id":"t1"}}`)
	w.judged(w.only(), 1, 200, false)
	w.publish(seller, "ticket.created", `{"ticket":{"_id":"t2"}}`)
	w.publish(other, "ticket.created", `{"ticket":{"_id":"t1"}}`)
	w.publish(seller, "ticket.updated", `{"ticket":{"_id":"t1"}}`)
	all := w.all(webhook.DeliveryFilter{})
	second, third := all[1].CreatedAt, moment.New(all[2].CreatedAt.Add(time.Millisecond))
	for _, c := range []struct {
		filter webhook.DeliveryFilter
		want   string // the numbers of the matching deliveries
	}{
		{webhook.DeliveryFilter{}, "123"},
		{webhook.DeliveryFilter{WebhookID: created.ID}, "12"},
		{webhook.DeliveryFilter{WebhookID: updated.ID}, "3"},
		{webhook.DeliveryFilter{State: webhook.Delivered}, "1"},
		{webhook.DeliveryFilter{State: webhook.Failed}, ""},
		{webhook.DeliveryFilter{State: webhook.Pending, Type: "ticket.created"}, "2"},
		{webhook.DeliveryFilter{Type: "scan.created"}, ""},
		{webhook.DeliveryFilter{StateIn: []webhook.State{webhook.Delivered, webhook.Pending, webhook.Delivered}}, "123"},
		{webhook.DeliveryFilter{StateIn: []webhook.State{webhook.Delivered, webhook.Failed}}, "1"},
		{webhook.DeliveryFilter{State: webhook.Pending, StateIn: []webhook.State{webhook.Delivered}}, ""},
		{webhook.DeliveryFilter{StateIn: []webhook.State{}, TypeIn: []domain.EventType{}}, "123"},
		{webhook.DeliveryFilter{TypeIn: []domain.EventType{"scan.created", "ticket.updated"}}, "3"},
		{webhook.DeliveryFilter{Type: "ticket.created", TypeIn: []domain.EventType{"ticket.updated"}}, ""},
		{webhook.DeliveryFilter{Outcome: "200"}, "1"},
		{webhook.DeliveryFilter{Outcome: "timeout"}, ""},
		{webhook.DeliveryFilter{ObjectID: "t1"}, "13"},
		{webhook.DeliveryFilter{ObjectID: "t1", WebhookID: updated.ID}, "3"},
		{webhook.DeliveryFilter{ObjectID: "t2", State: webhook.Pending}, "2"},
		{webhook.DeliveryFilter{ObjectID: "t3"}, ""},
		{webhook.DeliveryFilter{From: &third}, ""},
		{webhook.DeliveryFilter{Until: &third}, "123"},
		{webhook.DeliveryFilter{Until: &second, State: webhook.Delivered}, "1"},
		{webhook.DeliveryFilter{From: &second, ObjectID: "t2"}, "2"},
		{webhook.DeliveryFilter{CreatedFrom: &third}, ""},
		{webhook.DeliveryFilter{CreatedUntil: &third}, "123"},
		{webhook.DeliveryFilter{CreatedUntil: &second, State: webhook.Delivered}, "1"},
		{webhook.DeliveryFilter{CreatedFrom: &second, ObjectID: "t2"}, "2"},
		{webhook.DeliveryFilter{CreatedFrom: &second, Until: &second}, ""},
		{webhook.DeliveryFilter{From: &second, CreatedUntil: &second}, ""},
	} {
		var got strings.Builder
		for _, found := range w.all(c.filter) {
			got.WriteString(strconv.Itoa(1 + slices.Index(idsOf(all), found.ID)))
		}
		list, err := w.deliveries.List(w.as(seller), c.filter, domain.Page{Limit: 1})
		total := -1
		if err == nil {
			total, err = list.Total(t.Context())
		}
		if got.String() != c.want || total != len(c.want) || err != nil {
			t.Errorf("%+v: got %s of %d, want %s, %v", c.filter, got.String(), total, c.want, err)
		}
	}
	wrong := webhook.DeliveryFilter{
		State: "done", Type: "ticket", Outcome: "5xx", ObjectID: strings.Repeat("x", 101), From: &third, Until: &second,
		CreatedFrom: &third, CreatedUntil: &second,
	}
	_, err := w.deliveries.List(w.as(seller), wrong, domain.Page{Limit: 1})
	var paths []string
	for _, field := range domain.AsError(err).Fields {
		paths = append(paths, field.Path)
	}
	if strings.Join(paths, " ") != "state type outcome objectId until createdUntil" {
		t.Errorf("got errors at %v", paths)
	}
	_, err = w.deliveries.List(w.as(seller), webhook.DeliveryFilter{
		StateIn: []webhook.State{webhook.Failed, "done"}, TypeIn: []domain.EventType{"ticket"},
	}, domain.Page{Limit: 1})
	if fields := domain.AsError(err).Fields; len(fields) != 2 || fields[0].Path != "stateIn[1]" || fields[1].Path != "typeIn[0]" {
		t.Errorf("got list errors %v", fields)
	}
	for outcome, known := range map[string]bool{"503": true, "closed_early": true, "timeouts": false, "099": false, "2xx": false} {
		if _, err := w.deliveries.List(w.as(seller), webhook.DeliveryFilter{Outcome: outcome}, domain.Page{Limit: 1}); (err == nil) != known {
			t.Errorf("outcome %s: %v", outcome, err)
		}
	}
	_, err = w.deliveries.List(w.as(seller), webhook.DeliveryFilter{WebhookID: "x"}, domain.Page{Limit: 1})
	if !domain.HasCode(err, domain.CodeNotFound) {
		t.Errorf("an unknown webhook: %v", err)
	}
}

func TestDeliveriesAreListedNewestFirst(t *testing.T) {
	w := newFixture(t)
	w.wants(seller, "ticket.created")
	for range 7 {
		w.publish(seller, "ticket.created", `{"ticket":{"_id":"t1"}}`)
	}
	want := idsOf(w.all(webhook.DeliveryFilter{}))
	slices.Reverse(want)
	for _, filter := range []webhook.DeliveryFilter{{}, {ObjectID: "t1"}, {State: webhook.Pending}} {
		var got []string
		page := domain.Page{Limit: 3, Order: domain.NewestFirst}
		for {
			list, err := w.deliveries.List(w.as(seller), filter, page)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, idsOf(list.Items)...)
			if !list.HasMore {
				break
			}
			page.After = &domain.Cursor{ID: got[len(got)-1]}
			w.publish(seller, "ticket.created", `{"ticket":{"_id":"t2"}}`) // must not shift the pages
		}
		if !slices.Equal(got, want) {
			t.Errorf("%+v: got %v, want %v", filter, got, want)
		}
		w.Exec("DELETE FROM deliveries WHERE id <> ALL($1::uuid[])", want)
	}
}

func TestWatchingDeliveries(t *testing.T) {
	w := newFixture(t)
	hook, quiet := w.wants(seller, "ticket.created"), w.wants(seller, "scan.created")
	mark := func(webhookID string) string {
		t.Helper()
		mark, err := w.Store.Webhooks().DeliveriesMark(t.Context(), seller, webhookID)
		if err != nil || mark == "" {
			t.Fatal(mark, err)
		}
		return mark
	}
	before := map[string]string{"": mark(""), hook.ID: mark(hook.ID), quiet.ID: mark(quiet.ID)}
	changed := func(what string, ids ...string) {
		t.Helper()
		for id, old := range before {
			before[id] = mark(id)
			if got, want := before[id] != old, slices.Contains(ids, id); got != want {
				t.Errorf("%s: mark of %q changed is %v, want %v", what, id, got, want)
			}
		}
	}
	changed("nothing")
	w.publish(seller, "ticket.created", `{"ticket":{}}`)
	changed("a delivery", "", hook.ID)
	w.called(w.only(), time.Now(), 500, 1)
	changed("an attempt", "", hook.ID)

	for name, c := range map[string]struct {
		ctx  context.Context //nolint:containedctx // the caller is part of the case
		id   string
		code domain.Code
	}{
		"another seller's webhook": {w.as(other), hook.ID, domain.CodeNotFound},
		"a missing permission":     {w.as(seller, "webhooks:update"), "", domain.CodeMissingPermission},
	} {
		if _, err := w.deliveries.Watch(c.ctx, c.id); !domain.HasCode(err, c.code) {
			t.Errorf("%s: %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(w.as(seller))
	marks, err := w.deliveries.Watch(ctx, hook.ID)
	if err != nil || <-marks != before[hook.ID] {
		t.Error("the first mark is not the current one", err)
	}
	cancel()
	if _, more := <-marks; more {
		t.Error("received a mark after the end")
	}
}

func TestDeliveriesAreFoundByResourceID(t *testing.T) {
	w := newFixture(t)
	w.wants(seller, "ticket.created")
	ids := []string{`a"b`, `a\b`, "a\tb", "a\nb", `\`, `"`, "é<&>\u2028", strings.Repeat("☃", 64)}
	for _, id := range ids {
		w.publish(seller, "ticket.created", `{"ticket":{"_id":`+string(ecmajson.AppendString(nil, id))+`}}`)
	}
	all := w.all(webhook.DeliveryFilter{})
	for i, id := range ids {
		if found := w.all(webhook.DeliveryFilter{ObjectID: id}); !slices.Equal(idsOf(found), idsOf(all[i:i+1])) {
			t.Errorf("%q: got %d deliveries", id, len(found))
		}
	}
}
