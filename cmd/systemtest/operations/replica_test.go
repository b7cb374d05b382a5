package operations

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"regexp"
	"strings"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver of the administrator's connections

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/ticketgate/demo"
	"ticketgate/db/embedded"
)

// withReplica is a program on a private PostgreSQL that has a replica.
type withReplica struct {
	*systemtest.Process

	replica     *systemtest.Replica
	admin       *sql.DB // of the replica
	primary     *sql.DB
	seller      demo.Seller
	environment []string
}

func startWithReplica(t *testing.T) *withReplica {
	t.Helper()
	_, folder := systemtest.Privately(t)
	primary, err := embedded.Start(t.Context(), embedded.Config{DataDir: folder})
	systemtest.Must(t, err)
	t.Cleanup(func() { _ = primary.Stop(context.Background()) })
	settings := func(more ...string) []string {
		return systemtest.Environment(append([]string{
			"TICKETGATE_DATABASE_URL=" + primary.ApplicationURL(), "TICKETGATE_DATABASE_OWNER_URL=" + primary.OwnerURL(),
			"TICKETGATE_LISTEN=127.0.0.1:0", "TICKETGATE_SECRET_KEY=" + systemtest.SecretKey,
			"TICKETGATE_SYSTEM_TOKEN=" + systemtest.SystemToken, "TICKETGATE_DATA_DIR=/nonexistent",
		}, more...)...)
	}
	made := systemtest.Seed(t, settings())
	w := &withReplica{replica: systemtest.StartReplica(t, primary, folder), seller: made.Sellers[0]}
	w.admin, w.primary = open(t, w.replica.SuperuserURL), open(t, primary.SuperuserURL(embedded.Database))
	systemtest.Eventually(t, "the replica takes connections", func() bool { return w.admin.PingContext(t.Context()) == nil })
	w.environment = settings("TICKETGATE_DATABASE_REPLICA_URL="+w.replica.URL, "TICKETGATE_ALLOW_PRIVATE_ADDRESSES=true")
	w.Process = systemtest.Serve(t, w.environment)
	return w
}

func open(t *testing.T, url string) *sql.DB {
	t.Helper()
	opened, err := sql.Open("pgx", url)
	systemtest.Must(t, err)
	t.Cleanup(func() { _ = opened.Close() })
	return opened
}

// browser is a signed-in dashboard.
type browser struct {
	t      *testing.T
	at     *withReplica
	client *http.Client
}

func (w *withReplica) browser(t *testing.T) *browser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	systemtest.Must(t, err)
	b := &browser{t, w, &http.Client{Jar: jar}}
	b.do(fmt.Sprintf(`mutation { login(input: {email: %q, password: %q, cookie: true}) { user { _id } } }`,
		w.seller.AdminEmail, w.seller.AdminPassword))
	return b
}

func (b *browser) do(document string) string {
	b.t.Helper()
	body, err := json.Marshal(map[string]string{"query": document})
	systemtest.Must(b.t, err)
	status, text, err := systemtest.TryRequest(b.t.Context(), b.client, http.MethodPost, b.at.URL+"/graphql", string(body),
		"X-Seller-Id: "+string(b.at.seller.SellerID))
	if err != nil || status != http.StatusOK || strings.Contains(text, `"errors"`) {
		b.t.Fatalf("%s: %d %s, %v", document, status, text, err)
	}
	return text
}

func (b *browser) lists() string {
	b.t.Helper()
	return b.do(`{ accessLists(first: 100) { nodes { name } } }`)
}

func (b *browser) create(name string) {
	b.t.Helper()
	b.do(`mutation { createAccessList(input: {name: "` + name + `"}) { _id } }`)
}

// create makes a list as a program does, which no browser hears of.
func (w *withReplica) create(t *testing.T, name string) {
	t.Helper()
	status, text := systemtest.Request(t, http.MethodPost, w.URL+"/api/access-lists", `{"name": "`+name+`"}`,
		systemtest.AsKey(w.seller.APIKey))
	if status != http.StatusCreated {
		t.Fatalf("%d %s", status, text)
	}
}

func (w *withReplica) pause(t *testing.T, paused bool) {
	t.Helper()
	call := "SELECT pg_wal_replay_resume()"
	if paused {
		call = "SELECT pg_wal_replay_pause()"
	}
	_, err := w.admin.ExecContext(t.Context(), call)
	systemtest.Must(t, err)
	if paused {
		systemtest.Eventually(t, "replay is paused", func() bool {
			var state string
			systemtest.Must(t, w.admin.QueryRowContext(t.Context(), "SELECT pg_get_wal_replay_pause_state()").Scan(&state))
			return state == "paused"
		})
	}
}

// caughtUp waits until the replica has all that the primary has.
func (w *withReplica) caughtUp(t *testing.T) {
	t.Helper()
	var written string
	systemtest.Must(t, w.primary.QueryRowContext(t.Context(), "SELECT pg_current_wal_flush_lsn()::text").Scan(&written))
	systemtest.Eventually(t, "the replica has caught up", func() (there bool) {
		systemtest.Must(t, w.admin.QueryRowContext(t.Context(), "SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn", written).Scan(&there))
		return there
	})
}

func TestAReplicaAnswersTheDashboard(t *testing.T) {
	t.Parallel()
	w := startWithReplica(t)
	b := w.browser(t)
	as := systemtest.AsKey(w.seller.APIKey)

	w.caughtUp(t)
	systemtest.Eventually(t, "the replica is asked", func() bool {
		b.lists()
		return strings.Contains(w.replica.Log.String(), "access_lists")
	})

	// What another caller has changed comes when the replica has it; REST and the one who changed it see it at once.
	w.pause(t, true)
	systemtest.Eventually(t, "the replica answers without what came after it paused", func() bool {
		name := systemtest.Serial("By a program ")
		w.create(t, name)
		if _, text := systemtest.Request(t, http.MethodGet, w.URL+"/api/access-lists?top=100", "", as); !strings.Contains(text, name) {
			t.Fatalf("REST does not list %s: %s", name, text)
		}
		stale := !strings.Contains(b.lists(), name)
		if !stale {
			w.pause(t, false)
			w.caughtUp(t)
			b.create(systemtest.Serial("Again ")) // a position that the replica reaches
			w.caughtUp(t)
			w.pause(t, true)
		}
		return stale
	})
	b.create("Of this browser")
	if lists := b.lists(); !strings.Contains(lists, "Of this browser") {
		t.Errorf("the browser does not see its own change: %s", lists)
	}
	w.pause(t, false)

	// A replica that lags is not asked, though it has all that the browser has changed.
	w.caughtUp(t)
	w.pause(t, true)
	w.create(t, "After a while")
	systemtest.Eventually(t, "the primary answers in place of a replica that lags", func() bool {
		return strings.Contains(b.lists(), "After a while")
	})
	w.pause(t, false)

	if code, report, _ := systemtest.Run(t, w.environment, "doctor"); code != 0 || !strings.Contains(report, ":5432 is a standby, ") {
		t.Errorf("doctor: %d %s", code, report)
	}
	w.replica.Kill()
	b.create("While the replica is away")
	if lists := b.lists(); !strings.Contains(lists, "While the replica is away") {
		t.Errorf("without the replica: %s", lists)
	}
	asked := strings.Count(w.replica.Log.String(), "access_lists")
	w.replica.Start()
	systemtest.Eventually(t, "the replica is asked again", func() bool {
		b.lists()
		return strings.Count(w.replica.Log.String(), "access_lists") > asked
	})
}

// mayNotLag is what no statement on a replica may be about: credentials, and decisions at the gate.
var mayNotLag = regexp.MustCompile(`digest|FROM "?(api_keys|sessions|users|leases|device_tokens|claims)|FOR UPDATE|FOR SHARE|INSERT|UPDATE "`)

func TestAReplicaDecidesNothing(t *testing.T) {
	t.Parallel()
	w := startWithReplica(t)
	b := w.browser(t)
	as := systemtest.AsKey(w.seller.APIKey)
	w.caughtUp(t)
	systemtest.Eventually(t, "the replica is asked", func() bool {
		b.lists()
		return strings.Contains(w.replica.Log.String(), "access_lists")
	})
	b.do(`{ me { _id } accessLists(first: 100) { nodes { _id } } }`) // with a field that may not lag, the primary answers all of it
	before := strings.Count(w.replica.Log.String(), "\n")
	for _, call := range []struct{ method, path, body, header string }{
		{http.MethodGet, "/api/keys/info", "", as},
		{http.MethodGet, "/api/access-lists", "", as},
		{http.MethodGet, "/api/access-lists/entries/TG1/ticket?eventId=5f0000000000000000000000", "", "Token: " + w.seller.DeviceToken},
		{http.MethodGet, "/api/access-lists/entries/TG1/ticket?eventId=5f0000000000000000000000", "", as},
		{http.MethodPost, "/graphql", `{"query":"{ accessLists(first: 100) { nodes { name } } tickets(first: 10) { nodes { _id } } }"}`, as},
		{http.MethodPost, "/graphql", `{"query":"mutation { createEvent(input: {name: \"E\", start: \"2026-01-01T00:00:00Z\"}) { _id } }"}`, as},
	} {
		systemtest.Request(t, call.method, w.URL+call.path, call.body, call.header)
	}
	var asked []string
	for line := range strings.Lines(w.replica.Log.String()) {
		if mayNotLag.MatchString(line) {
			t.Errorf("the replica was asked: %s", line)
		}
		asked = append(asked, line)
	}
	for _, line := range asked[min(before, len(asked)):] {
		if strings.Contains(line, "execute") && !strings.Contains(line, "pg_last_wal_replay_lsn") {
			t.Errorf("the replica answered a program: %s", line)
		}
	}
}
