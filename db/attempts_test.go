package db_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"ticketgate/db"
	"ticketgate/db/dbtest"
	"ticketgate/domain"
	"ticketgate/domain/moment"
	"ticketgate/domain/webhook"
)

// The server plans the statement that loads attempts once per connection, perhaps when the day's partition is nearly
// empty. Even then the plan must not read the partition whole.
func TestAttemptsOfANewDayAreLoadedByIndex(t *testing.T) {
	t.Parallel()
	store, err := db.Open(db.Config{URL: dbtest.New(t).ApplicationURL, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	scans := func(kind string) (count int) {
		t.Helper()
		const query = `SELECT coalesce(sum(` + "%s" + `), 0) FROM pg_stat_user_tables WHERE relname ~ '^(deliveries|events|webhooks|sellers)'`
		pool := store.AttemptsPool()
		if _, err := pool.ExecContext(t.Context(), "SELECT pg_stat_force_next_flush()"); err != nil {
			t.Fatal(err)
		}
		if err := pool.QueryRowContext(t.Context(), fmt.Sprintf(query, kind)).Scan(&count); err != nil {
			t.Fatal(err)
		}
		return count
	}
	whole, byIndex := scans("seq_scan"), scans("idx_scan")
	if _, err := store.Attempts().Load(t.Context(), []string{"019ad000-0000-7000-8000-000000000001", "019ad000-0000-7000-8000-000000000002"}); err != nil {
		t.Fatal(err)
	}
	whole, byIndex = scans("seq_scan")-whole, scans("idx_scan")-byIndex
	if whole != 0 || byIndex == 0 {
		t.Errorf("%d tables are read sequentially, and %d by an index", whole, byIndex)
	}
}

// If attempts are recorded together, only those of deliveries that have changed in the meantime are left out.
func TestAnAttemptOfAChangedDeliveryIsNotRecorded(t *testing.T) {
	t.Parallel()
	i := dbtest.Install(t, time.Now)
	i.Exec(`INSERT INTO webhooks VALUES ('w1', $1, 'W', 'https://example.com', true, '{ticket.created}', '', 'USER', 'u', now(), now())`,
		string(dbtest.Seller))
	event := domain.Event{SellerID: dbtest.Seller, Type: "ticket.created", Data: []byte(`{"ticket":{}}`)}
	published, err := i.Store.Webhooks().PublishAll(t.Context(), []domain.Event{event, event, event})
	i.Must(err)
	out, err := i.Store.Attempts().Load(t.Context(), i.Texts("SELECT id FROM deliveries ORDER BY id"))
	i.Must(err)
	if len(out) != len(published) {
		t.Fatalf("%d deliveries", len(out))
	}
	created := make([]webhook.EndedAttempt, len(out))
	for n, item := range out {
		attempt := webhook.Attempt{Number: 1, URL: item.URL, StartedAt: moment.New(time.Now()), Status: new(http.StatusOK)}
		created[n] = webhook.EndedAttempt{Delivery: item.Delivery, Attempt: attempt, Judge: func(now webhook.Delivery) webhook.Verdict {
			return webhook.DefaultRetrySchedule().Judge(now, attempt, 0)
		}}
	}
	i.Exec("UPDATE deliveries SET retry_requested = true, retriggered_at = now() WHERE id = $1", out[0].Delivery.ID)
	i.Exec("UPDATE deliveries SET attempts = 1 WHERE id = $1", out[1].Delivery.ID)
	recorded, err := i.Store.Attempts().Record(t.Context(), created)
	i.Must(err)
	if !recorded[0].OK || recorded[1].OK || !recorded[2].OK {
		t.Errorf("recorded: %t, %t, %t", recorded[0].OK, recorded[1].OK, recorded[2].OK)
	}
	const stored = `SELECT d.state || ' ' || count(a.number) FROM deliveries d LEFT JOIN attempts a ON a.delivery_id = d.id
		GROUP BY d.id, d.state ORDER BY d.id`
	if got, want := i.Texts(stored), []string{"delivered 1", "pending 0", "delivered 1"}; !slices.Equal(got, want) {
		t.Errorf("stored: %q, want %q", got, want)
	}
}
