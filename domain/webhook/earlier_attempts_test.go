package webhook_test

import (
	"database/sql"
	"io/fs"
	"testing"
	"time"

	"ticketgate/db"
	"ticketgate/domain"
	"ticketgate/domain/webhook"
	"ticketgate/jobs"
)

// once returns a schedule with one retry.
func once(t *testing.T) webhook.RetrySchedule {
	t.Helper()
	schedule, err := webhook.ParseRetrySchedule("1h")
	if err != nil {
		t.Fatal(err)
	}
	return schedule
}

// attempt records a scheduled attempt and returns the delivery after it.
func (w *fixture) attempt(by webhook.RetrySchedule, d webhook.Delivery, at time.Time, status, ms int) webhook.Delivery {
	w.T.Helper()
	endedAttempt := attempted(d, at, status, ms)
	endedAttempt.Judge = func(now webhook.Delivery) webhook.Verdict { return by.Judge(now, endedAttempt.Attempt, 0) }
	recorded, err := w.Store.Attempts().Record(w.T.Context(), []webhook.EndedAttempt{endedAttempt})
	if err != nil || !recorded[0].OK {
		w.T.Fatal(recorded, err)
	}
	return recorded[0].After
}

// retryManually requests a manual attempt of the delivery.
func (w *fixture) retryManually(d webhook.Delivery) webhook.Delivery {
	w.T.Helper()
	wished, err := w.deliveries.Retry(w.as(seller), d.ID)
	if err != nil {
		w.T.Fatal(err)
	}
	return wished
}

// figures returns all stored figures as text.
func (w *fixture) figures() (text string) {
	w.T.Helper()
	err := w.SQL.QueryRowContext(w.T.Context(), `SELECT coalesce(string_agg(line, E'\n' ORDER BY line), '') FROM (
		SELECT concat_ws(' ', webhook_id, part, value, at, calls, succeeded, delivered, failed, milliseconds, times) AS line
		FROM webhook_figures UNION ALL SELECT concat_ws(' ', id, outcome) FROM deliveries) AS lines`).Scan(&text)
	if err != nil {
		w.T.Fatal(err)
	}
	return text
}

// again reverts a migration and applies it to the current data.
func (w *fixture) again(owner *sql.DB, name, file string) {
	w.T.Helper()
	down, err := fs.ReadFile(db.MigrationFiles(), "migrations/"+file)
	if err != nil {
		w.T.Fatal(err)
	}
	for _, statement := range []string{string(down), "DELETE FROM migrations WHERE name = '" + name + "'"} {
		if _, err := owner.ExecContext(w.T.Context(), statement); err != nil {
			w.T.Fatal(err)
		}
	}
	m, err := db.NewMigrator(w.OwnerURL, w.ApplicationURL, jobs.Migrations{}, time.Now)
	if err != nil {
		w.T.Fatal(err)
	}
	defer func() { _ = m.Close() }()
	if err := m.Up(w.T.Context()); err != nil {
		w.T.Fatal(err)
	}
}

// Attempts that are counted later must give the same statistics as attempts counted when they are recorded.
func TestAttemptsBeforeStatisticsAreCounted(t *testing.T) {
	w := newFixture(t)
	owner := w.Owner(t)
	if looked, err := w.Store.CountEarlierAttempts(t.Context(), once(t)); looked != 0 || err != nil {
		t.Errorf("in a new database %d attempts are counted, %v", looked, err)
	}

	schedule, hooked := once(t), w.wants(seller, "ticket.created")
	const deliveries = 999 // two batches
	many := make([]domain.Event, deliveries)
	for i := range many {
		many[i] = domain.Event{SellerID: seller, Type: "ticket.created", Data: []byte(`{"ticket":{}}`)}
	}
	if _, err := w.Store.Webhooks().PublishAll(t.Context(), many); err != nil {
		t.Fatal(err)
	}
	d := w.all(webhook.DeliveryFilter{WebhookID: hooked.ID})
	started := time.Now().Add(-time.Hour)
	old := func(i, minutes, status, ms int) {
		t.Helper()
		d[i] = w.attempt(schedule, d[i], started.Add(time.Duration(minutes-200)*time.Minute), status, ms)
	}
	old(0, 0, 200, 8)            // delivered
	old(1, 0, 0, 10_000)         // given up, then delivered manually
	old(1, 60, 503, 20)          //
	d[1] = w.retryManually(d[1]) //
	old(1, 61, 204, 5)           //
	old(500, 3, 410, 7)          // waits for its last attempt
	old(501, 4, 410, 9)          // given up
	old(501, 64, 410, 9)         //
	old(901, 4, 302, 1)          // in the second batch
	old(998, 5, 500, 300)        // its last attempt is recorded by a process that counts
	d[998] = w.attempt(schedule, d[998], time.Now(), 200, 3)
	kept := w.figures()

	for _, statement := range []string{
		"UPDATE migrations SET migrated_at = now() - interval '1 h' WHERE name = '0017'",
		"DELETE FROM webhook_figures WHERE at < now() - interval '1 h'",
		"UPDATE deliveries SET outcome = NULL WHERE id <> '" + d[998].ID + "'",
	} {
		if _, err := owner.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	w.again(owner, "0027", "0027_uncounted_attempts.tx.down.sql")
	for _, want := range []int{500, 499, 0} {
		if looked, err := w.Store.CountEarlierAttempts(t.Context(), schedule); looked != want || err != nil {
			t.Fatalf("%d attempts are counted, want %d, %v", looked, want, err)
		}
	}
	if counted := w.figures(); counted != kept {
		t.Errorf("counted afterwards:\n%s\nwhile they were recorded:\n%s", counted, kept)
	}
	list, err := w.webhooks.Figures(w.as(seller), webhook.Day, domain.Page{Limit: 1})
	want := webhook.Figures{Calls: 10, Succeeded: 4, Delivered: 4, Failed: 1, Milliseconds: 10_362}
	if err != nil || list.Items[0].Figures != want {
		t.Errorf("%+v, want %+v, %v", list.Items[0].Figures, want, err)
	}
}
