//go:build linux

package embedded_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"ticketgate/db/embedded"
)

func TestServer(t *testing.T) {
	// The caller's environment must not reach the server.
	for name, v := range map[string]string{"PGPORT": "1", "PGHOST": "/nowhere", "PGDATA": "/nowhere", "PGUSER": "x", "PGDATABASE": "x"} {
		t.Setenv(name, v)
	}
	t.Setenv("TICKETGATE_SECRET_KEY", "canary-of-environment")
	dir := filepath.Join(dataDir(t), "made", "on the way")
	s := start(t, embedded.Config{DataDir: dir, Fsync: true, Parameters: map[string]string{"work_mem": "9MB"}})

	t.Run("connects both roles, neither a superuser, to a UTF-8 database", func(t *testing.T) {
		const question = `select format('%s %s %s %s', current_user, current_database(), getdatabaseencoding(),
			(select rolsuper or rolcreaterole or rolcreatedb or rolbypassrls from pg_roles where rolname = current_user))`
		for url, want := range map[string]string{
			s.OwnerURL():       "ticketgate_owner ticketgate UTF8 f",
			s.ApplicationURL(): "ticketgate_app ticketgate UTF8 f",
		} {
			if got := value(t, url, question); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		}
	})
	t.Run("listens on a private socket only, with the given settings", func(t *testing.T) {
		for setting, want := range map[string]string{"listen_addresses": "", "fsync": "on", "work_mem": "9MB", "TimeZone": "UTC"} {
			if got := value(t, s.SuperuserURL("postgres"), "select current_setting('"+setting+"')"); got != want {
				t.Errorf("%s is %q, want %q", setting, got, want)
			}
		}
		info, err := os.Stat(socketDirOf(t, s.OwnerURL()))
		check(t, err)
		if info.Mode().Perm() != 0o700 {
			t.Errorf("the socket's folder has mode %o", info.Mode().Perm())
		}
	})
	t.Run("lets the application read and write rows and do nothing else", func(t *testing.T) {
		testRights(t, s.OwnerURL(), s.ApplicationURL())
	})
	t.Run("gives databases created later the same rules", func(t *testing.T) {
		run(t, s.SuperuserURL("postgres"), "create database later owner ticketgate_owner")
		owner := strings.Replace(s.OwnerURL(), "/ticketgate?", "/later?", 1)
		application := strings.Replace(s.ApplicationURL(), "/ticketgate?", "/later?", 1)
		run(t, owner, "create table note (id bigserial, text text)")
		run(t, application, "insert into note (text) values ('a')")
		refuses(t, application, "create table mine ()")
	})
	t.Run("keeps environment and processes apart from the caller's", func(t *testing.T) {
		postmaster, supervisor := postmasterOf(t, dir)
		for _, pid := range []int{postmaster, supervisor} {
			environment, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
			check(t, err)
			if strings.Contains(string(environment), "canary") || strings.Contains(string(environment), "PGDATA") {
				t.Errorf("process %d sees the caller's environment: %q", pid, environment)
			}
		}
	})
	t.Run("logs neither statements nor values", func(t *testing.T) {
		_, err := connect(t, s.OwnerURL()).Exec(t.Context(), "select 'canary-of-statement'::int")
		if err == nil {
			t.Fatal("the statement should fail")
		}
		log, err := os.ReadFile(filepath.Join(dir, "postgres.log"))
		check(t, err)
		if strings.Contains(string(log), "select 'canary") {
			t.Errorf("the log holds a statement: %s", log)
		}
	})
	t.Run("keeps rows over a stop, which leaves no process, and takes a second stop", func(t *testing.T) {
		run(t, s.OwnerURL(), "create table kept as select 'still here' as text")
		stop(t, s)
		stop(t, s)
		if err := s.Err(); err != nil {
			t.Errorf("Err after a stop: %v", err)
		}
		mustBeQuiet(t, filepath.Join(dir, "postgres"), s.OwnerURL())
		again := start(t, embedded.Config{DataDir: dir, Fsync: true})
		if got := value(t, again.ApplicationURL(), "select text from kept"); got != "still here" {
			t.Errorf("got %q", got)
		}
	})
}

func testRights(t *testing.T, owner, application string) {
	t.Helper()
	run(t, owner, "create table entry (id bigserial primary key, text text)")
	for _, sql := range []string{
		"insert into entry (text) values ('a')", "update entry set text = 'b'", "select * from entry for update", "delete from entry",
	} {
		run(t, application, sql)
	}
	for _, sql := range []string{
		"create table mine ()", "create temporary table mine ()", "create schema mine", "truncate entry", "drop table entry",
		"alter table entry add more int", "create index on entry (text)", "create role mine",
		"create function mine() returns int language sql as 'select 1'",
		"set role ticketgate_owner", "select * from pg_authid", "copy entry to program 'cat'",
	} {
		refuses(t, application, sql)
	}
	refuses(t, owner, "create database mine")
	refuses(t, owner, "create role mine")
}

// refuses fails unless the statement lacks the privilege.
func refuses(t *testing.T, url, sql string) {
	t.Helper()
	_, err := connect(t, url).Exec(t.Context(), sql)
	var refusal *pgconn.PgError
	if !errors.As(err, &refusal) || refusal.Code != "42501" {
		t.Errorf("%s: want insufficient_privilege, got %v", sql, err)
	}
}

func TestStartTwice(t *testing.T) {
	dir := dataDir(t)
	t.Run("admits only one of several concurrent processes, and tells the others which process runs where", func(t *testing.T) {
		runners := []*process{launch(t, dir, nil), launch(t, dir, nil), launch(t, dir, nil)}
		var winner string
		for _, p := range runners {
			switch a := p.says(t); {
			case a.Error == "" && winner == "":
				winner = a.Owner
			case a.Error == "":
				t.Error("a second one serves too")
			case !strings.Contains(a.Error, dir) || !strings.Contains(a.Error, "another ticketgate"):
				t.Errorf("the error is %q", a.Error)
			}
		}
		if got := value(t, winner, "select 'works'"); got != "works" {
			t.Errorf("got %q", got)
		}
		for _, p := range runners {
			check(t, p.input.Close())
			check(t, p.cmd.Wait())
		}
	})
	t.Run("names the owner's process and doesn't stop it", func(t *testing.T) {
		p := launch(t, dir, nil)
		url := p.mustServe(t)
		_, err := embedded.Start(t.Context(), embedded.Config{DataDir: dir})
		if !errors.Is(err, embedded.ErrInUse) || !strings.Contains(err.Error(), fmt.Sprintf("process %d)", p.cmd.Process.Pid)) {
			t.Errorf("got %v", err)
		}
		if got := value(t, url, "select 'works'"); got != "works" {
			t.Errorf("got %q", got)
		}
	})
}

func TestRunning(t *testing.T) {
	dir := seeded(t)
	if _, _, err := embedded.Running(dir); !errors.Is(err, embedded.ErrNotRunning) {
		t.Errorf("before the first start: %v", err)
	}
	p := launch(t, dir, nil)
	want := p.mustServe(t)
	owner, application, err := embedded.Running(dir)
	check(t, err)
	if owner != want {
		t.Errorf("got %s, want %s", owner, want)
	}
	if got := value(t, application, "select current_user::text"); got != embedded.ApplicationRole {
		t.Errorf("got %q", got)
	}
	check(t, p.input.Close())
	check(t, p.cmd.Wait())
	if _, _, err := embedded.Running(dir); !errors.Is(err, embedded.ErrNotRunning) {
		t.Errorf("after the stop: %v", err)
	}
}
