package webhook_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/webhook"
)

func data(t *testing.T, text string) ecmajson.Value {
	t.Helper()
	value, err := ecmajson.Parse([]byte(text), ecmajson.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return value
}

func TestPublishMany(t *testing.T) {
	w := newFixture(t)
	w.wants(seller, "ticket.created")
	ticket := webhook.EventOfMany{Type: "ticket.created", Data: data(t, `{"ticket":{}}`)}
	fund := webhook.EventOfMany{Type: "fund.created", Data: data(t, `{"fund":{}}`)}

	t.Run("stores all events in order, with deliveries of the selected types", func(t *testing.T) {
		published, err := w.events.PublishMany(w.platform(), webhook.NewEvents{
			SellerID: seller, Events: []webhook.EventOfMany{ticket, fund, ticket},
		})
		if err != nil || len(published) != 3 {
			t.Fatalf("got %v, %v", published, err)
		}
		for i, kind := range []string{"ticket.created", "fund.created", "ticket.created"} {
			if n := w.Count("SELECT count(*) FROM events WHERE id = $1 AND type = $2", published[i].ID, kind); n != 1 {
				t.Errorf("event %d is not of type %s", i, kind)
			}
		}
		if n := w.Count("SELECT count(*) FROM deliveries WHERE event_id IN ($1, $2)", published[0].ID, published[2].ID); n != 2 {
			t.Errorf("got %d deliveries, want 2", n)
		}
	})
	t.Run("reports all errors with their paths and stores nothing", func(t *testing.T) {
		before := w.Count("SELECT count(*) FROM events")
		_, err := w.events.PublishMany(w.platform(), webhook.NewEvents{SellerID: seller, Events: []webhook.EventOfMany{
			ticket, {Type: "fund.create", Data: fund.Data}, {Type: "fund.created", Data: ticket.Data},
		}})
		var paths []string
		for _, field := range domain.AsError(err).Fields {
			paths = append(paths, field.Path)
		}
		if want := []string{"events[1].type", "events[2].data.fund", "events[2].data.ticket"}; !slices.Equal(paths, want) {
			t.Errorf("got errors at %v, want %v", paths, want)
		}
		if after := w.Count("SELECT count(*) FROM events"); after != before {
			t.Errorf("got %d events, before %d", after, before)
		}
	})
	t.Run("rejects none and more than 500 events", func(t *testing.T) {
		for _, count := range []int{0, 501} {
			_, err := w.events.PublishMany(w.platform(), webhook.NewEvents{
				SellerID: seller, Events: slices.Repeat([]webhook.EventOfMany{ticket}, count),
			})
			if fields := domain.AsError(err).Fields; len(fields) != 1 || fields[0].Path != "events" {
				t.Errorf("%d events: %v", count, err)
			}
		}
	})
	t.Run("is for the platform only", func(t *testing.T) {
		_, err := w.events.PublishMany(w.as(seller), webhook.NewEvents{SellerID: seller, Events: []webhook.EventOfMany{ticket}})
		if !domain.HasCode(err, domain.CodeForbidden) {
			t.Errorf("got %v", err)
		}
	})
}

// Concurrent calls share a commit, but each gets the ids of its own events.
func TestConcurrentCallsOfPublishGetTheirOwnEvents(t *testing.T) {
	w := newFixture(t)
	w.wants(seller, "ticket.created")
	const calls = 40
	ids := make([]string, calls)
	kinds := [...]domain.EventType{"ticket.created", "ticket.updated"}
	var all sync.WaitGroup
	for i := range calls {
		all.Go(func() {
			published, err := w.events.Publish(w.platform(), webhook.NewEvent{
				SellerID: seller, Type: kinds[i%2], Data: data(t, `{"ticket":{}}`),
			})
			if err != nil {
				t.Error(err)
			}
			ids[i] = published.ID
		})
	}
	all.Wait()
	for i, id := range ids {
		if n := w.Count("SELECT count(*) FROM events WHERE id = $1 AND type = $2", id, string(kinds[i%2])); n != 1 {
			t.Errorf("call %d got the id of an event of another type", i)
		}
	}
	if n := w.Count("SELECT count(*) FROM deliveries"); n != calls/2 {
		t.Errorf("got %d deliveries", n)
	}
}

// A caller that leaves must not cancel the events of others in the same commit.
func TestACanceledCallerDoesNotCancelOthersEvents(t *testing.T) {
	w := newFixture(t)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	event := domain.Event{SellerID: seller, Type: "ticket.created", Data: []byte(`{"ticket":{}}`)}
	if _, err := w.Store.Webhooks().PublishAll(gone, []domain.Event{event}); err == nil {
		t.Log("the call returned before the cancellation was noticed")
	}
	ids, err := w.Store.Webhooks().PublishAll(t.Context(), []domain.Event{event, event})
	if err != nil || len(ids) != 2 || ids[0] == ids[1] {
		t.Errorf("got %v, %v", ids, err)
	}
}
