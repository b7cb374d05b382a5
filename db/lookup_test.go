package db_test

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"ticketgate/db"
	"ticketgate/db/dbtest"
)

// The lookup must be as fast with millions of entries as with thousands: no plan, whether for given values or
// generic, reads a table sequentially.
func TestTheLookupScansNoTable(t *testing.T) {
	t.Parallel()
	pool := loadedForLookups(t)
	for _, mode := range []string{"force_custom_plan", "force_generic_plan"} {
		readsByIndex(t, planOf(t, pool, mode, db.StaticTicketStatement, "seller3", "code777", "event7", "", "checkins", "2026-11-27T12:00:00Z"),
			"access_entries_by_code", "tickets_by_customer", "tickets_by_email", "event_id_is_taken", "scan_places_pkey")
		readsByIndex(t, planOf(t, pool, mode, db.PlainTicketStatement, "seller3", "code777", "event7"),
			"access_entries_by_code", "tickets_by_customer", "event_id_is_taken")
	}
}

func readsByIndex(t *testing.T, plan string, indexes ...string) {
	t.Helper()
	if strings.Contains(plan, "Seq Scan") {
		t.Errorf("a table is read sequentially:\n%s", plan)
	}
	for _, index := range indexes {
		if !strings.Contains(plan, index) {
			t.Errorf("%s is not used:\n%s", index, plan)
		}
	}
}

// A page of the feed reads only its own tickets, however many there are.
func TestAPageOfTheFeedScansNoTable(t *testing.T) {
	t.Parallel()
	pool := loadedForLookups(t)
	for _, statement := range []string{"UPDATE device_feed SET seq = id", "ANALYZE device_feed"} {
		if _, err := pool.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	for _, mode := range []string{"force_custom_plan", "force_generic_plan"} {
		plan := planOf(t, pool, mode, db.ChangesAfterStatement, "seller3", "10", "501")
		if strings.Contains(plan, "Seq Scan") || !strings.Contains(plan, "tickets_pkey") {
			t.Errorf("%s:\n%s", mode, plan)
		}
	}
}

// loadedForLookups returns a database with 10,000 entries in ten lists of five sellers, 5,000 tickets and 500 events.
func loadedForLookups(t *testing.T) *sql.DB {
	t.Helper()
	pool := dbtest.New(t).Owner(t)
	for _, statement := range []string{
		`INSERT INTO organizations VALUES ('o', 'O', now())`,
		`INSERT INTO sellers (id, organization_id, name, country, webhooks, siren, created_at, updated_at)
			SELECT 'seller' || n, 'o', 'S', 'FR', true, false, now(), now() FROM generate_series(0, 4) n`,
		`INSERT INTO catalog_events (seller_id, id, name, name_folded, type, starts_at, time_zone, skip_address_info, code_display,
				created_at, updated_at)
			SELECT 'seller' || n % 5, 'event' || n / 5, 'E', 'e', 'SINGLE', now(), 'UTC', false, 'QR', now(), now()
			FROM generate_series(0, 499) n`,
		`INSERT INTO access_lists (id, seller_id, type, name, name_folded, created_at, updated_at)
			SELECT 'list' || n, 'seller' || n % 5, 'static', 'L', 'l', now(), now() FROM generate_series(0, 9) n`,
		`INSERT INTO access_entries (id, list_id, seller_id, external_code, customer_id, email_folded, created_at, updated_at)
			SELECT 'entry' || n, 'list' || n % 10, 'seller' || n % 5, 'code' || n / 5,
				CASE WHEN n % 4 > 0 THEN 'customer' || n / 5 END, 'p' || n / 5 || '@x.org', now(), now()
			FROM generate_series(0, 9999) n`,
		`INSERT INTO tickets (id, seller_id, event_id, ticket_type_id, customer_id, status, barcode, email_folded, search_folded,
				excluded_event_ids, document, created_at, updated_at)
			SELECT 'ticket' || n, 'seller' || n % 5, 'event' || n % 100, 'tt', 'customer' || n / 5, 'VALID', 'b' || n,
				'p' || n / 5 || '@x.org', '', '{}', '{}', now(), now() FROM generate_series(0, 4999) n`,
		`INSERT INTO scan_places (seller_id, ticket_id, event_id, zone_id, checkins, inside)
			SELECT seller_id, id, event_id, '', 1, 1 FROM tickets WHERE right(id, 1) = '7'`,
		`ANALYZE`,
	} {
		if _, err := pool.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	return pool
}

// planOf returns the plan of a prepared statement.
func planOf(t *testing.T, pool *sql.DB, mode, statement string, args ...string) string {
	t.Helper()
	ctx := context.Background()
	conn, err := pool.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	for _, prepare := range []string{"DEALLOCATE ALL", "SET plan_cache_mode = " + mode, "PREPARE " + mode + " AS " + statement} {
		if _, err := conn.ExecContext(ctx, prepare); err != nil {
			t.Fatalf("%s: %v", prepare, err)
		}
	}
	found, err := conn.QueryContext(ctx, fmt.Sprintf("EXPLAIN EXECUTE %s ('%s')", mode, strings.Join(args, "', '")))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = found.Close() }()
	var plan strings.Builder
	for found.Next() {
		var line string
		if err := found.Scan(&line); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&plan, line)
	}
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	return plan.String()
}

func TestAnyCase(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"aB-1":   "^[aA][Bb]-1$",
		"é":      "^[éÉ]$",
		"k":      "^[k\u212aK]$", // matches the Kelvin sign too
		`.*[a]\`: `^\.\*\[[aA]\]\\$`,
		"日 本":    "^日 本$",
		"":       "^$",
	} {
		if got := db.AnyCase(text); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}
