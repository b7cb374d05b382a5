package systemtest

import (
	"context"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"ticketgate/db/embedded"
)

// Replica is a streaming replica of a private PostgreSQL.
type Replica struct {
	t      *testing.T
	bin    string
	folder string
	as     *syscall.SysProcAttr
	server *exec.Cmd
	// Log has each statement that the replica has executed.
	Log *Log
	// URL is that of the application's role, SuperuserURL that of the administrator.
	URL, SuperuserURL string
}

// StartReplica makes a replica of a private PostgreSQL whose data are in a folder, and starts it.
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

// here is an address of the primary with the replica's socket.
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

// Start starts the replica, after Kill once more.
func (r *Replica) Start() {
	r.t.Helper()
	r.server = r.command("postgres", "-D", filepath.Join(r.folder, "data"), "-k", r.folder, "-c", "listen_addresses=",
		"-c", "log_statement=all", "-c", "logging_collector=off")
	r.server.Stdout, r.server.Stderr = r.Log, r.Log
	Must(r.t, r.server.Start())
}

// Kill ends the replica as a failing machine does.
func (r *Replica) Kill() {
	_ = r.server.Process.Signal(syscall.SIGQUIT)
	_ = r.server.Wait()
}
