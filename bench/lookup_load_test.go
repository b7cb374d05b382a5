package main

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"ticketgate/db"
	"ticketgate/db/embedded"
	"ticketgate/jobs"
)

// small is ten entries for each seller.
const small = 10 * lookupSellers

// newMigratedRig returns a rig whose database has the product's schema.
func newMigratedRig(t *testing.T) *rig {
	t.Helper()
	r := newTestRig(t)
	migrator, err := db.NewMigrator(r.database(embedded.OwnerRole), r.database(embedded.ApplicationRole), jobs.Migrations{}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(migrator.Up(t.Context()), migrator.Close()); err != nil {
		t.Fatal(err)
	}
	return r
}

// counts returns one number for each query.
func counts(t *testing.T, r *rig, queries ...string) string {
	t.Helper()
	var text []string
	for _, query := range queries {
		var count int
		own := *r.cluster
		own.superuser = r.database("postgres")
		if err := own.row(t.Context(), "SELECT count(*) FROM "+query, &count); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		text = append(text, fmt.Sprint(count))
	}
	return strings.Join(text, " ")
}

func TestAnInterruptedLoadContinues(t *testing.T) {
	t.Parallel()
	r := newMigratedRig(t)
	// The fourth seller can't be loaded, because its device exists.
	device := fmt.Sprintf(`INSERT INTO devices (id, seller_id, name, name_folded, access_all_events, event_ids, active, settings,
		token_digest, hint, created_at, updated_at)
		VALUES ('%d', 'x', '', '', true, '{}', true, '{}', '', '', now(), now())`, firstLookupSeller+3)
	err := r.cluster.execute(t.Context(), r.name, "SET session_replication_role = replica; "+device)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.loadLookups(t.Context(), small); err == nil || !strings.Contains(err.Error(), "devices") {
		t.Fatalf("got %v", err)
	}
	all := []string{"sellers", "access_lists", "access_entries", "tickets", "scan_places", "devices", "pg_index WHERE NOT indisvalid"}
	if got, want := counts(t, r, all...), "3 30 30 15 9 4 "+counts(t, r, "pg_index WHERE "+indexesOfLookups); got != want {
		t.Errorf("after the interruption: got %s, want %s", got, want)
	}
	if err := r.cluster.execute(t.Context(), r.name, "DELETE FROM devices WHERE seller_id = 'x'"); err != nil {
		t.Fatal(err)
	}
	for _, run := range []string{"the continued run", "a third run"} {
		size, err := r.loadLookups(t.Context(), small)
		if err != nil || !strings.HasSuffix(size, "kB") {
			t.Errorf("%s read %q, %v", run, size, err)
		}
		if got, want := counts(t, r, all...), "100 1000 1000 500 300 100 0"; got != want {
			t.Errorf("after %s: got %s, want %s", run, got, want)
		}
	}
	// The index built afterwards finds the ticket of a code of the last seller.
	plan, err := r.planned(t.Context(), statement{
		`SELECT 1 / (count(*) = 1)::int FROM access_entries e JOIN tickets t USING (seller_id, customer_id)
			WHERE seller_id = $1 AND external_code = $2`, []string{fmt.Sprint(firstLookupSeller + 99), fmt.Sprint(firstLookupCode + 8)},
	})
	if err != nil || !strings.Contains(plan, "no sequential scan") {
		t.Errorf("got %q, %v", plan, err)
	}
}

func TestDeviceTokensAreUniqueAndOfTheProductsForm(t *testing.T) {
	t.Parallel()
	item, other := deviceToken(firstLookupSeller), deviceToken(firstLookupSeller+1)
	if item == other || item != deviceToken(firstLookupSeller) || len(item) != len("dev_")+88+8 {
		t.Errorf("got %q and %q", item, other)
	}
}
