package operations

import (
	"slices"
	"testing"

	"github.com/jackc/pgx/v5/pgtype"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
)

// The names of periodic jobs are stored in the database: a renamed job would run twice in the period of its change.
var periodicNames = []string{
	"abort_checkouts", "cancel_deliveries", "count_attempts", "drop_partitions", "expire_purchase_intents", "make_partitions",
	"remove_device_changes", "remove_entry_imports", "remove_idempotent_requests", "remove_identification_refusals",
	"remove_key_calls", "remove_sessions", "remove_unknown_codes", "sweep_deliveries",
}

func TestEveryPeriodicJobRuns(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t, apitest.DeliversToTests)
	var ran []string
	systemtest.Eventually(t, "all periodic jobs have run", func() bool {
		systemtest.Must(t, h.SQL.QueryRowContext(t.Context(), `SELECT coalesce(array_agg(name ORDER BY name), '{}') FROM periodic_runs`).
			Scan(pgtype.NewMap().SQLScanner(&ran)))
		return len(ran) >= len(periodicNames)
	})
	if !slices.Equal(ran, periodicNames) {
		t.Errorf("ran %q, want %q", ran, periodicNames)
	}
}
