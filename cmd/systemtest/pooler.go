package systemtest

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"ticketgate/db/dbtest"
)

// Pooler is a PgBouncer in front of a test's database.
type Pooler struct {
	// Settings make a program use the pooler.
	Settings []string
	// URL is the URL of the pooler for the application's role.
	URL string
}

// Pooled is an environment variable. If it is not empty, many tests run their programs through a PgBouncer.
const Pooled = "TICKETGATE_TEST_POOLED"

// PoolerOfTests returns ThroughPooler if Pooled is set, and nil otherwise.
func PoolerOfTests(t *testing.T, database *dbtest.Database) *Pooler {
	t.Helper()
	if os.Getenv(Pooled) == "" {
		return nil
	}
	return ThroughPooler(t, database)
}

// ThroughPooler starts a PgBouncer that is configured as in docs/scaling.md, with the addresses and accounts of the
// test. changes are pairs of texts to replace in its configuration.
func ThroughPooler(t *testing.T, database *dbtest.Database, changes ...string) *Pooler {
	t.Helper()
	program := NeedsProgram("pgbouncer")(t)[0]
	direct, err := url.Parse(database.ApplicationURL)
	Must(t, err)
	folder := openFolder(t)
	role, at, port := direct.User.Username(), direct.Query().Get("host"), FreePort(t)
	Must(t, os.WriteFile(filepath.Join(folder, "users"), []byte(fmt.Sprintf("%q \"\"\n", role)), 0o644))
	config := strings.NewReplacer(append(changes,
		"host=10.0.0.5 dbname=ticketgate", PoolerEntry(t, database),
		"listen_addr = 10.0.0.6", "listen_addr = 127.0.0.1\nunix_socket_dir =",
		"listen_port = 6432", "listen_port = "+port,
		"auth_type = scram-sha-256", "auth_type = trust",
		"/etc/pgbouncer/userlist.txt", filepath.Join(folder, "users"),
	)...).Replace(Documented(t, "scaling.md", "ini"))
	file := filepath.Join(folder, "pgbouncer.ini")
	Must(t, os.WriteFile(file, []byte(config), 0o644))
	arguments := []string{file}
	if os.Geteuid() == 0 { // PgBouncer refuses to run as root
		arguments = []string{"-u", ownerOf(at), file}
	}
	Background(t, program, arguments...)
	Eventually(t, "PgBouncer listens", func() bool { return listens(t, "127.0.0.1:"+port) })
	address := "postgres://" + role + "@127.0.0.1:" + port + "/ticketgate?sslmode=disable"
	return &Pooler{URL: address, Settings: []string{
		"TICKETGATE_DATABASE_URL=" + address, "TICKETGATE_DATABASE_POOLER=transaction",
		"TICKETGATE_DATABASE_DIRECT_URL=" + database.ApplicationURL,
	}}
}

// PoolerEntry returns the options of an entry in pgbouncer.ini for a test's database.
func PoolerEntry(t *testing.T, database *dbtest.Database) string {
	t.Helper()
	direct, err := url.Parse(database.ApplicationURL)
	Must(t, err)
	return "host=" + direct.Query().Get("host") + " port=" + direct.Query().Get("port") + " dbname=" + strings.Trim(direct.Path, "/")
}

// ownerOf returns the name of the user who owns the folder of a server's socket. If folder is a host name instead, it
// returns any user.
func ownerOf(folder string) string {
	if info, err := os.Stat(folder); err == nil {
		if system, ok := info.Sys().(*syscall.Stat_t); ok {
			if owner, err := user.LookupId(strconv.FormatUint(uint64(system.Uid), 10)); err == nil {
				return owner.Username
			}
		}
	}
	return "nobody"
}

// Documented returns the first example in a language on a page of the documentation.
func Documented(t *testing.T, page, language string) string {
	t.Helper()
	text, err := os.ReadFile("../../../docs/" + page)
	Must(t, err)
	_, rest, found := strings.Cut(string(text), "```"+language+"\n")
	part, _, ended := strings.Cut(rest, "```")
	if !found || !ended {
		t.Fatalf("docs/%s has no example of %s", page, language)
	}
	return part
}

// Background starts a program that stays in the foreground. It is stopped at the end of the test.
func Background(t *testing.T, name string, arguments ...string) (*exec.Cmd, *Log) {
	t.Helper()
	log := &Log{}
	running := exec.CommandContext(context.WithoutCancel(t.Context()), name, arguments...)
	running.Env, running.Stdout, running.Stderr = Environment("LANG=C.UTF-8"), log, log
	Must(t, running.Start())
	t.Cleanup(func() {
		_ = running.Process.Kill()
		_ = running.Wait()
		if t.Failed() {
			t.Logf("log of %s:\n%.20000s", name, log)
		}
	})
	return running, log
}

// openFolder returns a folder that other users, such as the unprivileged user of a server, can access.
func openFolder(t *testing.T) string {
	t.Helper()
	folder, err := os.MkdirTemp("", "ticketgate-peer-") //nolint:usetesting // t.TempDir is closed to other users
	Must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	Must(t, os.Chmod(folder, 0o755))
	return folder
}

// FreePort returns an unused port of this machine.
func FreePort(t *testing.T) string {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	Must(t, err)
	defer listener.Close()
	_, port, err := net.SplitHostPort(listener.Addr().String())
	Must(t, err)
	return port
}

func listens(t *testing.T, address string) bool {
	t.Helper()
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", address)
	if err != nil {
		return false
	}
	return conn.Close() == nil
}
