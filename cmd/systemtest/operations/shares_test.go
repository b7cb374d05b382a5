package operations

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"ticketgate/cmd/systemtest"
	"ticketgate/domain/secrets"
)

// The limits of docs/limits.md hold per process: another process on the same database still has its own.
func TestBoundsHoldPerProcess(t *testing.T) {
	t.Parallel()
	database, data := systemtest.Seeded(t)
	settings := systemtest.OnDatabase(database, "TICKETGATE_LONG_WORK=2", "TICKETGATE_LONG_WORK_PER_SELLER=1", "TICKETGATE_LONG_WORK_WAIT=50ms",
		"TICKETGATE_FAILED_CREDENTIAL_RATE=1", "TICKETGATE_PUBLIC_RATE=1", "TICKETGATE_PUBLIC_BURST=5")
	first, second := systemtest.Serve(t, settings, "--no-workers"), systemtest.Serve(t, settings, "--no-workers")
	key := systemtest.AsKey(data.Sellers[0].APIKey)

	commit := func(on *systemtest.Process, path string) int {
		status, _, err := systemtest.TryRequest(t.Context(), http.DefaultClient, http.MethodPost, on.URL+path+"/commit", "{}", key)
		if err != nil {
			return 0
		}
		return status
	}
	staged := func() (list, path string) {
		t.Helper()
		_, text := systemtest.Request(t, http.MethodPost, first.URL+"/api/access-lists", `{"name":"`+systemtest.Serial("list ")+`"}`, key)
		list = systemtest.Field(t, text, "_id")
		path = "/api/access-lists/" + list + "/entries/imports"
		status, text := systemtest.Request(t, http.MethodPost, first.URL+path, codesOf(longRows), key, "Content-Type: text/csv")
		if status != http.StatusCreated {
			t.Fatalf("%d %s", status, text)
		}
		return list, path + "/" + systemtest.Field(t, text, "_id")
	}
	list, blocked := staged()
	_, other := staged()
	_, another := staged()
	connect := func(url string) *pgx.Conn {
		t.Helper()
		conn, err := pgx.Connect(t.Context(), url)
		systemtest.Must(t, err)
		t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
		return conn
	}
	looking := connect(database.ApplicationURL) // statistics show only the waits of the own role
	tx, err := connect(database.OwnerURL).Begin(t.Context())
	systemtest.Must(t, err)
	_, err = tx.Exec(t.Context(), "SELECT FROM access_lists WHERE id = $1 FOR UPDATE", list)
	systemtest.Must(t, err)
	ended := make(chan int, 1)
	go func() { ended <- commit(first, blocked) }()
	for waiting := 0; waiting == 0; {
		systemtest.Must(t, looking.QueryRow(t.Context(), `SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock'`).Scan(&waiting))
		select {
		case status := <-ended:
			t.Fatalf("the commit did not wait: %d", status)
		case <-time.After(5 * time.Millisecond):
		}
	}
	if status := commit(first, other); status != http.StatusTooManyRequests {
		t.Errorf("the process with the busy share: %d", status)
	}
	if status := commit(second, another); status != http.StatusOK {
		t.Errorf("the other process: %d", status)
	}
	systemtest.Must(t, tx.Rollback(t.Context()))
	if status := <-ended; status != http.StatusOK {
		t.Errorf("the waiting commit: %d", status)
	}

	guess := func(on *systemtest.Process) int {
		status, _ := systemtest.Request(t, http.MethodGet, on.URL+"/api/keys/info", "", systemtest.AsKey(secrets.New(secrets.APIKey)))
		return status
	}
	public := func(on *systemtest.Process) int {
		status, _ := systemtest.Request(t, http.MethodPost, on.URL+"/graphql", `{"query":"{permissions}"}`)
		return status
	}
	for name, row := range map[string]struct {
		call func(on *systemtest.Process) int
		free int
	}{
		"unknown credentials":        {guess, http.StatusUnauthorized},
		"calls without a credential": {public, http.StatusOK},
	} {
		limited := false
		for range 30 {
			limited = limited || row.call(first) == http.StatusTooManyRequests
		}
		if status := row.call(second); !limited || status != row.free {
			t.Errorf("%s: limited at one process: %t, status at the other: %d", name, limited, status)
		}
	}
}
