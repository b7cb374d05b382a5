package commands

import (
	"net"
	"net/http"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"ticketgate/cmd/systemtest"
	"ticketgate/db/dbtest"
)

func TestMigrateUpDownAndStatus(t *testing.T) {
	t.Parallel()
	settings := systemtest.OnDatabase(dbtest.New(t))
	states := func() (applied, missing int) {
		code, stdout, stderr := systemtest.Run(t, settings, "migrate", "status")
		if code != 0 {
			t.Fatalf("status: exit code %d, log %s", code, stderr)
		}
		return strings.Count(stdout, " applied"), strings.Count(stdout, " missing")
	}
	all, missing := states()
	if all < 2 || missing != 0 {
		t.Fatalf("a migrated database: %d applied, %d missing", all, missing)
	}
	for _, step := range []struct {
		arguments        string
		applied, missing int
		doctor           string
	}{
		{"migrate down --all", 0, all, "wrong  migrations"},
		{"migrate up", all, 0, "ok     migrations"},
		{"migrate up", all, 0, "ok     migrations"},
	} {
		if code, _, stderr := systemtest.Run(t, settings, strings.Fields(step.arguments)...); code != 0 {
			t.Fatalf("%s: exit code %d, log %s", step.arguments, code, stderr)
		}
		if applied, missing := states(); applied != step.applied || missing != step.missing {
			t.Errorf("%s: %d applied, %d missing, want %d and %d", step.arguments, applied, missing, step.applied, step.missing)
		}
		if _, stdout, _ := systemtest.Run(t, settings, "doctor"); !strings.Contains(stdout, step.doctor) {
			t.Errorf("doctor after %s:\n%s", step.arguments, stdout)
		}
	}
}

func TestDoctor(t *testing.T) {
	t.Parallel()
	database := dbtest.New(t)
	for name, test := range map[string]struct {
		settings []string
		code     int
		want     []string
	}{
		"finds nothing wrong": {systemtest.OnDatabase(database), 0, []string{
			"ok     settings", "ok     secrets", "note   outbound", "ok     PostgreSQL", "ok     database", "ok     clock",
			"ok     roles", "ok     migrations",
		}},
		"names a wrong setting": {systemtest.Environment("TICKETGATE_MODE=live"), systemtest.CodeFailed, []string{
			"wrong  settings    TICKETGATE_MODE must be dev or prod", "→ see `ticketgate help settings`",
		}},
		"reports excessive rights of the role": {
			systemtest.OnDatabase(database, "TICKETGATE_DATABASE_URL="+database.OwnerURL), 0,
			[]string{"note   roles", "→ create a second role"},
		},
		"reports an unreachable database": {
			systemtest.Environment("TICKETGATE_DATABASE_URL=postgres://app:hidden@127.0.0.1:1/tickets"), systemtest.CodeFailed,
			[]string{"wrong  database", "→ check that the server is running"},
		},
		"reports an ignored proxy": {systemtest.OnDatabase(database, "HTTPS_PROXY=http://proxy.example.org"), 0, []string{
			"note   outbound    HTTPS_PROXY is set but ignored",
		}},
		"reports that the private server is not running": {systemtest.Environment("TICKETGATE_DATA_DIR=" + t.TempDir()), 0, []string{
			"note   database    the private PostgreSQL is not running", "not generated yet",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			code, stdout, stderr := systemtest.Run(t, test.settings, "doctor")
			if code != test.code {
				t.Errorf("exit code %d, want %d; log %s", code, test.code, stderr)
			}
			for _, want := range test.want {
				if !strings.Contains(stdout, want) {
					t.Errorf("no %q in\n%s", want, stdout)
				}
			}
			if strings.Contains(stdout+stderr, "hidden") {
				t.Error("the database's password is shown")
			}
		})
	}
}

func TestUserAndKeyCommandsWhileServing(t *testing.T) {
	t.Parallel()
	database, data := systemtest.Seeded(t)
	settings, seller := systemtest.OnDatabase(database), string(data.Sellers[0].SellerID)
	s := systemtest.Serve(t, settings, "--no-workers")
	run := func(arguments ...string) string {
		t.Helper()
		code, stdout, stderr := systemtest.Run(t, settings, arguments...)
		if code != 0 {
			t.Fatalf("%v: exit code %d, log %s", arguments, code, stderr)
		}
		return stdout
	}
	shown := func(text, name string) string {
		t.Helper()
		found := regexp.MustCompile(`(?m)^` + name + ` +(\S+)`).FindStringSubmatch(text)
		if found == nil {
			t.Fatalf("no %s in %s", name, text)
		}
		return found[1]
	}

	first := shown(run("user", "create", "ann@tickets.example.org", "--seller", seller, "--role", "DEVELOPER"), "password")
	token := systemtest.Login(t, s.URL, "ann@tickets.example.org", first)
	const second = "the second password of Ann"
	reset := shown(run("user", "reset-password", "ANN@tickets.example.org"), "link")
	done := systemtest.GraphQL(t, s.URL, "", `mutation($input: ResetPasswordInput!) { resetPassword(input: $input) }`,
		object{"input": object{"code": systemtest.CodeOf(reset), "newPassword": second}})
	if !strings.Contains(done, `"resetPassword":true`) {
		t.Fatalf("the link did not reset the password: %s", done)
	}
	if status, _ := systemtest.Request(t, http.MethodGet, s.URL+"/api/keys", "", "Authorization: Bearer "+token); status != http.StatusUnauthorized {
		t.Errorf("the session is still valid after the reset: %d", status)
	}
	systemtest.Login(t, s.URL, "ann@tickets.example.org", second)
	for _, organization := range []string{"Odeon", "Lyceum"} { // the second time, the user exists already
		link := shown(run("user", "create", "ann@tickets.example.org", "--new-organization", organization), "link")
		token = systemtest.Login(t, s.URL, "ann@tickets.example.org", second)
		systemtest.GraphQL(t, s.URL, token, `mutation($input: AcceptInvitationInput!) { acceptInvitation(input: $input) { member { _id } } }`,
			object{"input": object{"code": systemtest.CodeOf(link)}})
		list := systemtest.GraphQL(t, s.URL, token, "{ me { memberships { role organization { name } } } }", nil)
		if !strings.Contains(list, `{"role":"ADMIN","organization":{"name":"`+organization+`"}}`) {
			t.Errorf("the user is not an administrator of the new organization: %s", list)
		}
	}
	if code, _, _ := systemtest.Run(t, settings, "user", "create", "bob@tickets.example.org", "--new-organization", "A", "--role", "VIEWER"); code != systemtest.CodeWrong {
		t.Errorf("a role at a new organization: exit code %d", code)
	}

	created := run("key", "create", "--seller", seller, "--name", "Gate", "--permission", "webhooks:list")
	id, secret := shown(created, "key"), shown(created, "secret")
	info := func(secret string) int {
		status, _ := systemtest.Request(t, http.MethodGet, s.URL+"/api/keys/info", "", "Authorization: Bearer "+secret)
		return status
	}
	if status := info(secret); status != http.StatusOK {
		t.Errorf("the new key: %d", status)
	}
	rotated := shown(run("key", "rotate", id, "--seller", seller), "secret")
	if info(secret) != http.StatusUnauthorized || info(rotated) != http.StatusOK {
		t.Error("after the rotation, the old secret is valid or the new one is not")
	}
	run("key", "deactivate", id, "--seller", seller)
	if status := info(rotated); status != http.StatusUnauthorized {
		t.Errorf("the deactivated key: %d", status)
	}
	if list := run("key", "list", "--seller", seller); !regexp.MustCompile(id + `  inactive  key_\w{4}…\w{4}  Gate\n`).MatchString(list) {
		t.Errorf("list:\n%s", list)
	}
}

func TestProfilesAreServedAtTheConfiguredAddress(t *testing.T) {
	t.Parallel()
	free, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	systemtest.Must(t, err)
	address := free.Addr().String()
	systemtest.Must(t, free.Close())
	s := systemtest.Serve(t, systemtest.OnDatabase(dbtest.New(t), "TICKETGATE_ADMIN_LISTEN="+address), "--no-workers")
	status, body := systemtest.Request(t, http.MethodGet, "http://"+address+"/debug/pprof/cmdline", "")
	if status != http.StatusOK || !strings.Contains(body, "serve") {
		t.Errorf("admin: %d %s", status, body)
	}
	if status, _ := systemtest.Request(t, http.MethodGet, s.URL+"/debug/pprof/cmdline", ""); status != http.StatusNotFound {
		t.Errorf("the public address: %d", status)
	}
}

func TestAddressInUseIsNamed(t *testing.T) {
	t.Parallel()
	used, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	systemtest.Must(t, err)
	defer used.Close()
	code, _, stderr := systemtest.Run(t, systemtest.OnDatabase(dbtest.New(t), "TICKETGATE_LISTEN="+used.Addr().String()), "serve")
	if code != systemtest.CodeFailed || !strings.Contains(stderr, "ticketgate: TICKETGATE_LISTEN: ") || !strings.Contains(stderr, "in use") {
		t.Errorf("exit code %d, log %s", code, stderr)
	}
}

func TestASecondSignalEndsTheProgramAtOnce(t *testing.T) {
	t.Parallel()
	database, data := systemtest.Seeded(t)
	hang := make(chan struct{})
	listener, calls := systemtest.NewListener(t, func(int) int { <-hang; return http.StatusOK })
	t.Cleanup(func() { close(hang) })
	s := systemtest.Serve(t, systemtest.OnDatabase(database))
	systemtest.Publish(t, s.URL, systemtest.Subscribed(t, s.URL, listener, data.Sellers[0]))
	systemtest.Await(t, calls, time.Minute)
	s.Signal(syscall.SIGTERM) // the process waits for the attempt
	systemtest.Eventually(t, "the process is stopping", func() bool { return strings.Contains(s.Stderr.String(), "msg=stopping") })
	if code := s.Stop(); code != systemtest.CodeInterrupted {
		t.Errorf("exit code %d", code)
	}
}

// TestNamesCantControlTheTerminal tries names with an escape sequence, a direction override and a line break: new ones
// are refused, and stored ones are printed escaped (LIMIT-10).
func TestNamesCantControlTheTerminal(t *testing.T) {
	t.Parallel()
	const name = "\x1b]0;pwn\x07\u202exs\nforged"
	database, data := systemtest.Seeded(t)
	settings, seller := systemtest.OnDatabase(database), data.Sellers[0]
	owner := []string{"--seller", string(seller.SellerID)}
	for what, arguments := range map[string][]string{
		"key":          append([]string{"key", "create", "--full-access", "--name", name}, owner...),
		"user":         {"user", "create", "ann@tickets.example.org", "--name", name},
		"organization": {"user", "create", "ann@tickets.example.org", "--new-organization", name},
	} {
		code, stdout, stderr := systemtest.Run(t, settings, arguments...)
		if code == 0 || !strings.Contains(stderr, "name must not contain control characters such as U+001B") {
			t.Errorf("%s: exit code %d, %s%s", what, code, stdout, stderr)
		}
	}
	conn, err := pgx.Connect(t.Context(), database.OwnerURL)
	systemtest.Must(t, err)
	defer conn.Close(t.Context())
	_, err = conn.Exec(t.Context(), "UPDATE api_keys SET name = $1 WHERE seller_id = $2", name, string(seller.SellerID))
	systemtest.Must(t, err)
	code, stdout, _ := systemtest.Run(t, settings, append([]string{"key", "list"}, owner...)...)
	if code != 0 || !strings.Contains(stdout, `\u001b]0;pwn\u0007\u202exs\u000aforged`) || strings.ContainsAny(stdout, "\x1b\x07\u202e") {
		t.Errorf("exit code %d, %q", code, stdout)
	}
}

// TestErrorsAreReadable checks errors of pgx, which contain line breaks and tabs (LIMIT-10).
func TestErrorsAreReadable(t *testing.T) {
	t.Parallel()
	// pgx makes two attempts: with TLS and without.
	unreachable := []string{"TICKETGATE_DATABASE_URL=postgres://ann:secret@127.0.0.1:1/tickets", "TICKETGATE_DATA_DIR=" + t.TempDir()}
	const attempt = "127.0.0.1:1 (127.0.0.1): dial error"
	for _, row := range []struct{ command, wanted string }{
		{"migrate up", "\nticketgate:  " + attempt},
		{"doctor", "`user=ann database=tickets`: " + attempt},
	} {
		code, stdout, stderr := systemtest.Run(t, unreachable, strings.Fields(row.command)...)
		if said := stdout + stderr; code == 0 || !strings.Contains(said, row.wanted) || strings.Contains(said, `\u00`) {
			t.Errorf("%s: exit code %d, %q", row.command, code, said)
		}
	}
}
