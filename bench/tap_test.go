package main

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"ticketgate/db/embedded"
)

func TestTapRecordsExecutedStatements(t *testing.T) {
	t.Parallel()
	through, conn := tapped(t, "")
	for number := range 2 { // prepared once, executed twice
		var text string
		var sum int
		query := "SELECT $1::text, $2::int + 1"
		if err := conn.QueryRow(t.Context(), query, "é'"+strings.Repeat("x", number), number-1).Scan(&text, &sum); err != nil {
			t.Fatal(err)
		}
		if sum != number {
			t.Errorf("the result through the tap is %d", sum)
		}
	}
	if _, err := conn.Exec(t.Context(), "SELECT 1", pgx.QueryExecModeSimpleProtocol); err != nil {
		t.Fatal(err)
	}
	want := []statement{
		{"SELECT $1::text, $2::int + 1", []string{"é'", "-1"}},
		{"SELECT $1::text, $2::int + 1", []string{"é'x", "0"}},
		{"SELECT 1", nil},
	}
	// Preparing is a separate round trip, and so is each execution. A forwarded message is recorded a moment later.
	var got []statement
	var roundTrips int
	for deadline := time.Now().Add(time.Minute); roundTrips < 4 && time.Now().Before(deadline); <-time.After(time.Millisecond) {
		seen, waited := through.take()
		got, roundTrips = append(got, seen...), roundTrips+waited
	}
	if difference := cmp.Diff(want, got, cmp.AllowUnexported(statement{})); difference != "" || roundTrips != 4 {
		t.Errorf("got %q in %d round trips, want %q in 4; difference (-want +got):\n%s", got, roundTrips, want, difference)
	}
	if again, roundTrips := through.take(); len(again) != 0 || roundTrips != 0 {
		t.Errorf("returned %q a second time", again)
	}
}

func TestTapMeasuresTheSelectedStatements(t *testing.T) {
	t.Parallel()
	through, conn := tapped(t, "pg_sleep")
	for range 2 {
		for _, query := range []string{"SELECT 1 FROM pg_sleep($1::float8)", "SELECT $1::float8"} {
			if _, err := conn.Exec(t.Context(), query, 0.3); err != nil {
				t.Fatal(err)
			}
		}
	}
	times := through.takeTimes()
	// A late relay measures less, but never this little.
	if len(times) != 2 || times[0] < 100*time.Millisecond || times[1] < times[0] {
		t.Errorf("got %v", times)
	}
	if seen, _ := through.take(); len(seen)+len(through.takeTimes()) != 0 {
		t.Errorf("also recorded %q", seen)
	}
}

// tapped returns a connection through a tap to a new database.
func tapped(t *testing.T, timed string) (*tap, *pgx.Conn) {
	t.Helper()
	r := newTestRig(t)
	through, err := openTap(t.Context(), r.database(embedded.ApplicationRole), timed)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(through.close)
	conn, err := pgx.Connect(t.Context(), through.url(embedded.ApplicationRole, r.name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return through, conn
}

func TestPerRequestLeavesOutRareStatements(t *testing.T) {
	t.Parallel()
	request := []statement{{"read", []string{"1"}}, {"look", nil}, {"look", nil}}
	seen := append([]statement{{text: "renew the lease"}}, slices.Repeat(request, 10)...)
	got := perRequest(seen, 10)
	if difference := cmp.Diff(request, got, cmp.AllowUnexported(statement{})); difference != "" {
		t.Errorf("got %q, want %q; difference (-want +got):\n%s", got, request, difference)
	}
}
