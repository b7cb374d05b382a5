package operations

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"slices"
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

	server      *embedded.Server
	folder      string // of the server's data
	replica     *systemtest.Replica
	admin       *sql.DB // of the replica
	primary     *sql.DB
	seller      demo.Seller
	environment []string
}

func startWithReplica(t *testing.T) *withReplica {
	t.Helper()
	primary, folder, settings := startPrimary(t)
	data := systemtest.Seed(t, settings())
	w := &withReplica{server: primary, folder: folder, replica: systemtest.StartReplica(t, primary, folder), seller: data.Sellers[0]}
	w.admin, w.primary = open(t, w.replica.SuperuserURL), open(t, primary.SuperuserURL(embedded.Database))
	systemtest.Eventually(t, "the replica accepts connections", func() bool { return w.admin.PingContext(t.Context()) == nil })
	w.environment = settings("TICKETGATE_DATABASE_REPLICA_URL="+w.replica.URL, "TICKETGATE_ALLOW_PRIVATE_ADDRESSES=true")
	w.Process = systemtest.Serve(t, w.environment)
	return w
}

// startPrimary starts a private PostgreSQL. It returns its data folder, and the environment of a program with it and more
// settings.
func startPrimary(t *testing.T) (primary *embedded.Server, folder string, settings func(more ...string) []string) {
	t.Helper()
	_, folder = systemtest.Privately(t)
	primary, err := embedded.Start(t.Context(), embedded.Config{DataDir: folder})
	systemtest.Must(t, err)
	t.Cleanup(func() { _ = primary.Stop(context.Background()) })
	return primary, folder, func(more ...string) []string {
		return systemtest.Environment(append([]string{
			"TICKETGATE_DATABASE_URL=" + primary.ApplicationURL(), "TICKETGATE_DATABASE_OWNER_URL=" + primary.OwnerURL(),
			"TICKETGATE_LISTEN=127.0.0.1:0", "TICKETGATE_SECRET_KEY=" + systemtest.SecretKey,
			"TICKETGATE_SYSTEM_TOKEN=" + systemtest.SystemToken, "TICKETGATE_DATA_DIR=/nonexistent",
		}, more...)...)
	}
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

// create creates a list over REST, without the browser.
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

// caughtUp waits until the replica has replayed everything.
func (w *withReplica) caughtUp(t *testing.T) {
	t.Helper()
	var written string
	systemtest.Must(t, w.primary.QueryRowContext(t.Context(), "SELECT pg_current_wal_flush_lsn()::text").Scan(&written))
	systemtest.Eventually(t, "the replica has caught up", func() (there bool) {
		systemtest.Must(t, w.admin.QueryRowContext(t.Context(), "SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn", written).Scan(&there))
		return there
	})
}

// askedReplica returns an installation whose replica serves a browser, and the header of its seller's key.
func askedReplica(t *testing.T) (w *withReplica, b *browser, as string) {
	t.Helper()
	w = startWithReplica(t)
	b = w.browser(t)
	w.caughtUp(t)
	systemtest.Eventually(t, "the replica is used", func() bool {
		b.lists()
		return strings.Contains(w.replica.Log.String(), "access_lists")
	})
	return w, b, systemtest.AsKey(w.seller.APIKey)
}

func TestAReplicaServesTheDashboard(t *testing.T) {
	t.Parallel()
	w, b, as := askedReplica(t)

	// The browser sees other callers' changes once the replica has them. REST and the browser that made a change see it at
	// once.
	w.pause(t, true)
	systemtest.Eventually(t, "the replica serves without changes after its pause", func() bool {
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

	// A lagging replica is not used, even if it has all changes of the browser.
	w.caughtUp(t)
	w.pause(t, true)
	w.create(t, "After a while")
	systemtest.Eventually(t, "the primary serves in place of a lagging replica", func() bool {
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
	systemtest.Eventually(t, "the replica is used again", func() bool {
		b.lists()
		return strings.Count(w.replica.Log.String(), "access_lists") > asked
	})
}

// A replica that does not respond delays neither the dashboard nor devices: the primary serves their requests.
func TestAHangingReplicaDelaysNothing(t *testing.T) {
	t.Parallel()
	w, b, _ := askedReplica(t)
	b.create("Before it hangs")
	w.caughtUp(t)
	b.lists()
	resume := w.replica.Hang()
	const reads = 10
	lists := make(chan string, reads)
	for range reads {
		go func() {
			_, text, err := systemtest.TryRequest(t.Context(), b.client, http.MethodPost, w.URL+"/graphql",
				`{"query": "{ accessLists(first: 100) { nodes { name } } }"}`, "X-Seller-Id: "+string(w.seller.SellerID))
			lists <- fmt.Sprint(text, err)
		}()
	}
	for served := 0; served < reads; {
		status, text := systemtest.Request(t, http.MethodPost, w.URL+"/api/accessusers/tickets/TG1/scan?eventId=5f0000000000000000000000",
			"", "Token: "+w.seller.DeviceToken)
		if status != http.StatusOK {
			t.Fatalf("a scan while the replica hangs: %d %s", status, text)
		}
		select {
		case text := <-lists:
			if !strings.Contains(text, "Before it hangs") {
				t.Errorf("a list while the replica hangs: %s", text)
			}
			served++
		default:
		}
	}
	if log := w.Stderr.String(); !strings.Contains(log, "replica unavailable") {
		t.Errorf("the log does not say that the replica is unavailable: %s", log)
	}
	resume()
	asked := strings.Count(w.replica.Log.String(), "access_lists")
	systemtest.Eventually(t, "the replica is used again", func() bool {
		b.lists()
		return strings.Count(w.replica.Log.String(), "access_lists") > asked
	})
}

// A replica of another database, even of one with the same name, is never read.
func TestReplicaOfAnotherClusterIsNotRead(t *testing.T) {
	t.Parallel()
	_, _, settings := startPrimary(t)
	data := systemtest.Seed(t, settings())
	other, folder, _ := startPrimary(t)
	w := &withReplica{replica: systemtest.StartReplica(t, other, folder), seller: data.Sellers[0]}
	w.environment = settings("TICKETGATE_DATABASE_REPLICA_URL=" + w.replica.URL)
	w.Process = systemtest.Serve(t, w.environment)
	b := w.browser(t)
	const warning = "it is a replica of another database"
	systemtest.Eventually(t, "the log says that the replica is foreign", func() bool { return strings.Contains(w.Stderr.String(), warning) })
	b.create("Of this database")
	systemtest.Eventually(t, "the replica is checked several times", func() bool {
		if lists := b.lists(); !strings.Contains(lists, "Of this database") {
			t.Fatalf("the list is missing: %s", lists)
		}
		return strings.Count(w.replica.Log.String(), "FROM pg_control_system()") > 2
	})
	if warned := strings.Count(w.Stderr.String(), warning); warned != 1 {
		t.Errorf("the log says %d times that the replica is foreign", warned)
	}
	if strings.Contains(w.replica.Log.String(), "access_lists") {
		t.Errorf("the foreign replica was read: %s", w.replica.Log)
	}
	code, report, _ := systemtest.Run(t, w.environment, "doctor")
	if code != systemtest.CodeFailed || !strings.Contains(report, "is a replica of another database") {
		t.Errorf("doctor: %d %s", code, report)
	}
}

// A copy that was promoted has the identity of its primary, but not its changes. The same is true of the copy's own standbys.
func TestAPromotedCopyIsNotRead(t *testing.T) {
	t.Parallel()
	w, b, _ := askedReplica(t)
	follower := systemtest.StartReplica(t, w.server, w.folder)
	admin := open(t, follower.SuperuserURL)
	systemtest.Eventually(t, "the second copy accepts connections", func() bool { return admin.PingContext(t.Context()) == nil })
	follower.Follow(w.replica)
	_, err := w.admin.ExecContext(t.Context(), "SELECT pg_promote()")
	systemtest.Must(t, err)
	run := func(on *sql.DB, statement string) {
		t.Helper()
		_, err := on.ExecContext(t.Context(), statement)
		systemtest.Must(t, err)
	}
	run(w.admin, "UPDATE access_lists SET name = 'Of the copy'")
	run(w.admin, "CHECKPOINT")
	systemtest.Eventually(t, "the second copy follows the first", func() bool {
		run(admin, "CHECKPOINT")
		var timeline int
		systemtest.Must(t, admin.QueryRowContext(t.Context(), "SELECT timeline_id FROM pg_control_checkpoint()").Scan(&timeline))
		return timeline > 1
	})
	other := systemtest.Serve(t, append(w.environment, "TICKETGATE_DATABASE_REPLICA_URL="+follower.URL), "--no-workers")
	for _, row := range []struct {
		at      *systemtest.Process
		warning string
	}{
		{w.Process, "it was promoted and no longer follows the primary"},
		{other, "it is on timeline 2 of the database, not on the primary's, 1"},
	} {
		systemtest.Eventually(t, row.warning, func() bool {
			if lists := b.lists(); strings.Contains(lists, "Of the copy") {
				t.Fatalf("the copy was read: %s", lists)
			}
			return strings.Contains(row.at.Stderr.String(), row.warning)
		})
		if warned := strings.Count(row.at.Stderr.String(), "the replica is not used"); warned != 1 {
			t.Errorf("warned %d times", warned)
		}
	}
	for _, url := range []string{w.replica.URL, follower.URL} {
		code, report, _ := systemtest.Run(t, append(w.environment, "TICKETGATE_DATABASE_REPLICA_URL="+url), "doctor")
		if code != systemtest.CodeFailed || !strings.Contains(report, "is on timeline 2 of the database, not on the primary's, 1") {
			t.Errorf("doctor: %d %s", code, report)
		}
	}
}

// mayNotLag matches statements that must not run on a replica: on credentials, and for decisions at the gate.
var mayNotLag = regexp.MustCompile(`digest|FROM "?(api_keys|sessions|users|leases|device_tokens|claims)|FOR UPDATE|FOR SHARE|INSERT|UPDATE "`)

func TestReplicaMakesNoDecisions(t *testing.T) {
	t.Parallel()
	w, b, as := askedReplica(t)
	b.do(`{ me { _id } accessLists(first: 100) { nodes { _id } } }`) // with a field that must not lag, the primary serves all of it
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
			t.Errorf("the replica executed: %s", line)
		}
		asked = append(asked, line)
	}
	for _, line := range asked[min(before, len(asked)):] {
		if strings.Contains(line, "execute") && !strings.Contains(line, "pg_last_wal_replay_lsn") {
			t.Errorf("the replica served an API key: %s", line)
		}
	}
}

// A replica that lost its primary has replayed all that it received, but is still behind.
func TestDoctorReportsDisconnectedReplica(t *testing.T) {
	t.Parallel()
	w := startWithReplica(t)
	w.caughtUp(t)
	if code, report, _ := systemtest.Run(t, w.environment, "doctor"); code != 0 || strings.Contains(report, "not connected") ||
		!regexp.MustCompile(`ok +replica +\S+ is a standby, \d+ bytes behind the primary`).MatchString(report) {
		t.Errorf("doctor while it follows: %d %s", code, report)
	}
	for _, statement := range []string{"ALTER SYSTEM SET primary_conninfo = ''", "SELECT pg_reload_conf()"} {
		_, err := w.admin.ExecContext(t.Context(), statement)
		systemtest.Must(t, err)
	}
	systemtest.Eventually(t, "the replica receives no changes", func() (cut bool) {
		systemtest.Must(t, w.admin.QueryRowContext(t.Context(), "SELECT NOT EXISTS (SELECT FROM pg_stat_wal_receiver)").Scan(&cut))
		return cut
	})
	w.create(t, "Not replicated")
	// Test servers respond before the log is written, so the primary may not be ahead yet.
	behind := regexp.MustCompile(`note +replica +\S+ is a standby, [1-9]\d* bytes behind the primary; .* it is not connected to the primary`)
	systemtest.Eventually(t, "doctor reports that the replica has lost the primary", func() bool {
		_, report, _ := systemtest.Run(t, w.environment, "doctor")
		return behind.MatchString(report)
	})
}

// If a URL leads to a standby first, as a load balancer may do while it starts, connections go only to the primary.
func TestConnectionsNeverGoToAStandby(t *testing.T) {
	t.Parallel()
	w := startWithReplica(t)
	both := func(setting string) string {
		primary := settingOf(w.environment, setting)
		replica, err := url.Parse(w.replica.URL)
		systemtest.Must(t, err)
		address, err := url.Parse(primary)
		systemtest.Must(t, err)
		query := address.Query()
		query.Set("host", replica.Query().Get("host")+","+query.Get("host"))
		query.Set("port", replica.Query().Get("port")+","+query.Get("port"))
		address.RawQuery = query.Encode()
		return setting + "=" + address.String()
	}
	s := systemtest.Serve(t, append(w.environment, both("TICKETGATE_DATABASE_URL"), both("TICKETGATE_DATABASE_OWNER_URL")))
	status, text := systemtest.Request(t, http.MethodPost, s.URL+"/api/access-lists", `{"name": "Written"}`, systemtest.AsKey(w.seller.APIKey))
	if status != http.StatusCreated {
		t.Errorf("%d %s", status, text)
	}
	// The URL of a standby alone is refused.
	alone := slices.Concat(w.environment, []string{"TICKETGATE_DATABASE_URL=" + w.replica.URL, "TICKETGATE_DATABASE_OWNER_URL="})
	if code, _, log := systemtest.Run(t, alone, "serve"); code == 0 || !strings.Contains(log, "standby mode") {
		t.Errorf("serve on a standby: %d %s", code, log)
	}
}

// settingOf returns the value of a setting in an environment.
func settingOf(environment []string, name string) string {
	for _, variable := range environment {
		if value, found := strings.CutPrefix(variable, name+"="); found {
			return value
		}
	}
	return ""
}
