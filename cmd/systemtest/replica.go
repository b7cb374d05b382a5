package systemtest

import (
	"context"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"

	"ticketgate/db/embedded"
)

// Replica is a streaming replica of a private PostgreSQL.
type Replica struct {
	t      *testing.T
	bin    string
	folder string
	as     *syscall.SysProcAttr
	server *exec.Cmd
	// Log contains each statement that the replica has executed.
	Log *Log
	// URL is for the application's role. SuperuserURL is for the superuser.
	URL, SuperuserURL string
}

// StartReplica starts a streaming replica of a private PostgreSQL. data is the data directory of the installation.
func StartReplica(t *testing.T, of *embedded.Server, data string) *Replica {
	t.Helper()
	bin, _, err := embedded.Find(t.Context(), embedded.Config{DataDir: data})
	Must(t, err)
	r := &Replica{t: t, bin: bin, folder: openFolder(t), Log: &Log{}}
	owner, err := user.Lookup(ownerOf(filepath.Join(data, "postgres")))
	Must(t, err)
	if os.Geteuid() == 0 { // PostgreSQL refuses to run as root
		uid, _ := strconv.Atoi(owner.Uid)
		gid, _ := strconv.Atoi(owner.Gid)
		Must(t, os.Chown(r.folder, uid, gid))
		r.as = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
	}
	primary, err := url.Parse(of.SuperuserURL("postgres"))
	Must(t, err)
	host := primary.Query().Get("host")
	copying := r.command("pg_basebackup", "-h", host, "-p", primary.Query().Get("port"), "-U", primary.User.Username(),
		"-D", filepath.Join(r.folder, "data"), "-R", "-X", "stream", "-c", "fast")
	if report, err := copying.CombinedOutput(); err != nil {
		t.Fatalf("copy the primary: %v\n%s", err, report)
	}
	r.URL = of.ApplicationURL()
	r.URL, r.SuperuserURL = r.here(of.ApplicationURL()), r.here(of.SuperuserURL(embedded.Database))
	r.Start()
	t.Cleanup(r.Kill)
	return r
}

// here replaces the socket in a URL of the primary with the socket of the replica.
func (r *Replica) here(primary string) string {
	address, err := url.Parse(primary)
	Must(r.t, err)
	query := address.Query()
	query.Set("host", r.folder)
	address.RawQuery = query.Encode()
	return address.String()
}

func (r *Replica) command(name string, arguments ...string) *exec.Cmd {
	command := exec.CommandContext(context.WithoutCancel(r.t.Context()), filepath.Join(r.bin, name), arguments...)
	command.Env, command.SysProcAttr = Environment("LANG=C.UTF-8"), r.as
	return command
}

// Start starts the replica. It can be called again after Kill.
func (r *Replica) Start() {
	r.t.Helper()
	r.server = r.command("postgres", "-D", filepath.Join(r.folder, "data"), "-k", r.folder, "-c", "listen_addresses=",
		"-c", "log_statement=all", "-c", "logging_collector=off")
	r.server.Stdout, r.server.Stderr = r.Log, r.Log
	Must(r.t, r.server.Start())
}

// Follow makes the replica follow another one.
func (r *Replica) Follow(another *Replica) {
	r.t.Helper()
	admin, err := pgx.Connect(r.t.Context(), r.SuperuserURL)
	Must(r.t, err)
	defer func() { _ = admin.Close(r.t.Context()) }()
	for _, statement := range []string{
		"ALTER SYSTEM SET primary_conninfo = '" + another.SuperuserURL + "'", "SELECT pg_reload_conf()",
	} {
		_, err := admin.Exec(r.t.Context(), statement)
		Must(r.t, err)
	}
}

// Hang stops all processes of the replica until resume is called. Their connections stay open.
func (r *Replica) Hang() (resume func()) {
	r.t.Helper()
	admin, err := pgx.Connect(r.t.Context(), r.SuperuserURL)
	Must(r.t, err)
	rows, err := admin.Query(r.t.Context(), "SELECT pid FROM pg_stat_activity")
	Must(r.t, err)
	processes, err := pgx.CollectRows(rows, pgx.RowTo[int])
	Must(r.t, err)
	processes = append([]int{r.server.Process.Pid}, processes...) // the one that starts the others comes first
	signal := func(with syscall.Signal) {
		for _, process := range processes {
			_ = syscall.Kill(process, with)
		}
	}
	signal(syscall.SIGSTOP)
	resume = sync.OnceFunc(func() {
		signal(syscall.SIGCONT)
		_ = admin.Close(context.Background())
	})
	r.t.Cleanup(resume)
	return resume
}

// Kill kills the replica, like a failing machine.
func (r *Replica) Kill() {
	_ = r.server.Process.Signal(syscall.SIGQUIT)
	_ = r.server.Wait()
}
