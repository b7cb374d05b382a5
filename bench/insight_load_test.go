package main

import (
	"testing"
)

func TestAttemptsAreLoadedOnce(t *testing.T) {
	t.Parallel()
	r := newMigratedRig(t)
	const perDay = 1000
	for _, run := range []string{"the first run", "a second run"} {
		if err := r.loadAttempts(t.Context(), perDay*insightDays); err != nil {
			t.Fatalf("%s: %v", run, err)
		}
		past := " WHERE started_at < date_trunc('day', now(), 'UTC')"
		got := counts(t, r, "webhooks", "attempts"+past, "attempts JOIN deliveries d ON d.id = delivery_id"+past,
			"(SELECT sum(calls) FROM webhook_figures WHERE part = 'all' AND at < date_trunc('day', now(), 'UTC')) f WHERE sum = 7000",
			"deliveries d JOIN events e ON e.id = d.event_id WHERE d.state = 'failed' AND e.object_id = 'object-100'",
			"pg_class WHERE relname LIKE 'attempts\\_20%' AND relispartition AND relkind = 'r'")
		// Today adds an object once the day is old enough.
		if got != "50 7000 7000 1 7 15" && got != "50 7000 7000 1 8 15" {
			t.Errorf("after %s: got %s", run, got)
		}
	}
}
