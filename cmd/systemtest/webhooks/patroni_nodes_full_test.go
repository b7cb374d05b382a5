//go:build full

package webhooks

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"ticketgate/cmd/systemtest"
	"ticketgate/db/embedded"
)

// patroni is PostgreSQL on three nodes, each with Patroni and a member of etcd.
type patroni struct {
	t      *testing.T
	folder string
	owner  *user.User // of PostgreSQL's processes, which don't run as root; nil if the tests don't
	bin    string
	nodes  [3]*patroniNode
}

type patroniNode struct {
	name, host string
	// The ports of its programs. peer is etcd's for its other members.
	postgres, rest, etcd, peer string
	link                       *netLink // nil on this machine's own network
	programs                   []*exec.Cmd
}

// openPatroni starts three nodes, connected by the links, or on ports of this machine if links is nil.
func openPatroni(t *testing.T, links []*netLink) *patroni {
	t.Helper()
	systemtest.NeedsProgram("patroni")(t)
	systemtest.NeedsProgram("etcd")(t)
	systemtest.NeedsProgram("haproxy")(t)
	bin, _, err := embedded.Find(t.Context(), embedded.Config{DataDir: t.TempDir()})
	systemtest.Must(t, err)
	folder, err := os.MkdirTemp("", "ticketgate-patroni-") //nolint:usetesting // t.TempDir is closed to the servers' user
	systemtest.Must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	p := &patroni{t: t, folder: folder, bin: bin}
	if os.Geteuid() == 0 {
		p.owner, err = user.Lookup("postgres")
		systemtest.Must(t, err)
		uid, _ := strconv.Atoi(p.owner.Uid)
		gid, _ := strconv.Atoi(p.owner.Gid)
		systemtest.Must(t, os.Chown(folder, uid, gid))
	}
	for i := range p.nodes {
		node := &patroniNode{
			name: fmt.Sprintf("node%d", i+1), host: "127.0.0.1",
			postgres: systemtest.FreePort(t), rest: systemtest.FreePort(t), etcd: systemtest.FreePort(t), peer: systemtest.FreePort(t),
		}
		if links != nil {
			node.link, node.host = links[i], links[i].address
		}
		p.nodes[i] = node
	}
	t.Cleanup(func() {
		for _, node := range p.nodes {
			p.kill(node)
		}
		p.logs()
	})
	for _, node := range p.nodes {
		p.run(node)
	}
	systemtest.Eventually(t, "there is a leader", func() bool { return p.leader() != nil })
	p.prepare()
	p.awaitStandbys()
	return p
}

// logs prints the end of each log if the test failed.
func (p *patroni) logs() {
	if !p.t.Failed() {
		return
	}
	for _, node := range p.nodes {
		for _, name := range []string{"etcd", "patroni"} {
			text, _ := os.ReadFile(filepath.Join(p.folder, node.name+"."+name+".log"))
			p.t.Logf("%s of %s:\n%s", name, node.name, text[max(0, len(text)-8<<10):])
		}
	}
}

// awaitStandbys waits until two standbys follow, one of them synchronously. A node that can't be rewound is copied again.
func (p *patroni) awaitStandbys() {
	p.t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); <-time.After(20 * time.Millisecond) {
		if p.leader() != nil && len(p.answering("/synchronous")) == 1 && len(p.answering("/asynchronous")) == 1 {
			return
		}
	}
	p.t.Fatal("no two standbys, one of them synchronous, after two minutes")
}

// start starts a program of a node.
func (p *patroni) start(node *patroniNode, name string, arguments ...string) {
	p.t.Helper()
	log, err := os.OpenFile(filepath.Join(p.folder, node.name+"."+name+".log"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	systemtest.Must(p.t, err)
	defer log.Close()
	words := append([]string{name}, arguments...)
	if p.owner != nil {
		words = append([]string{"setpriv", "--reuid", p.owner.Uid, "--regid", p.owner.Gid, "--clear-groups"}, words...)
	}
	if node.link != nil {
		words = append([]string{"ip", "netns", "exec", node.link.namespace}, words...)
	}
	running := exec.CommandContext(context.WithoutCancel(p.t.Context()), words[0], words[1:]...)
	running.Env = systemtest.Environment("LANG=C.UTF-8", "HOME="+p.folder)
	running.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	running.Stdout, running.Stderr = log, log
	systemtest.Must(p.t, running.Start())
	node.programs = append(node.programs, running)
}

// run starts the etcd and the Patroni of a node, which starts its PostgreSQL.
func (p *patroni) run(node *patroniNode) {
	p.t.Helper()
	var members, clients []string
	for _, other := range p.nodes {
		members = append(members, other.name+"=http://"+other.host+":"+other.peer)
		clients = append(clients, `"`+other.host+":"+other.etcd+`"`)
	}
	client, peer := "http://"+node.host+":"+node.etcd, "http://"+node.host+":"+node.peer
	p.start(node, "etcd", "--name", node.name, "--data-dir", filepath.Join(p.folder, node.name+".etcd"), "--listen-client-urls", client,
		"--advertise-client-urls", client, "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer,
		"--initial-cluster", strings.Join(members, ","), "--heartbeat-interval", "200", "--election-timeout", "2000", "--enable-v2")
	file := filepath.Join(p.folder, node.name+".yml")
	systemtest.Must(p.t, os.WriteFile(file, []byte(p.config(node, strings.Join(clients, ", "))), 0o644))
	p.start(node, "patroni", file)
}

// config returns the configuration of a node's Patroni. docs/scaling.md explains the times. With etcd's v3 API, the
// Patroni of Debian 12 takes the leader's lock away from the successor when a leader returns that was cut off together
// with its member of etcd.
func (p *patroni) config(node *patroniNode, etcd string) string {
	return strings.NewReplacer("NAME", node.name, "HOST", node.host, "REST", node.rest, "ETCD", etcd, "PORT", node.postgres,
		"DATA", filepath.Join(p.folder, node.name), "BIN", p.bin, "FOLDER", p.folder).Replace(`scope: tickets
name: NAME
restapi: {listen: "HOST:REST", connect_address: "HOST:REST"}
etcd: {hosts: [ETCD]}
bootstrap:
  dcs:
    ttl: 15
    loop_wait: 3
    retry_timeout: 5
    primary_stop_timeout: 5
    maximum_lag_on_failover: 1048576
    synchronous_mode: true
    postgresql:
      use_pg_rewind: true
      use_slots: true
      parameters: {max_connections: 200, wal_keep_size: 256MB, wal_log_hints: "on", wal_sender_timeout: 10s}
  initdb: [{encoding: UTF8}, data-checksums]
  pg_hba: ["host all all all trust", "host replication all all trust", "local all all trust"]
postgresql:
  listen: "HOST:PORT"
  connect_address: "HOST:PORT"
  data_dir: DATA
  bin_dir: BIN
  pgpass: DATA.pgpass
  authentication: {superuser: {username: postgres, password: "x"}, replication: {username: replicator, password: "x"}, rewind: {username: postgres, password: "x"}}
  parameters: {unix_socket_directories: FOLDER}
  basebackup: [{checkpoint: fast}]
`)
}

// answering returns the nodes that report a role at the given path of Patroni's API.
func (p *patroni) answering(path string) (list []*patroniNode) {
	for _, node := range p.nodes {
		if p.is(node, path) {
			list = append(list, node)
		}
	}
	return list
}

func (p *patroni) is(node *patroniNode, path string) bool {
	client := http.Client{Timeout: 2 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	status, _, err := systemtest.TryRequest(p.t.Context(), &client, http.MethodGet, "http://"+node.host+":"+node.rest+path, "")
	return err == nil && status == http.StatusOK
}

// leader returns the node that reports to be the primary, or nil if there is not exactly one.
func (p *patroni) leader() *patroniNode {
	if list := p.answering("/primary"); len(list) == 1 {
		return list[0]
	}
	return nil
}

// url returns a URL that names all nodes. Connections go to the leader.
func (p *patroni) url(role, database string) string {
	var hosts []string
	for _, node := range p.nodes {
		hosts = append(hosts, node.host+":"+node.postgres)
	}
	return "postgres://" + role + "@" + strings.Join(hosts, ",") + "/" + database + "?target_session_attrs=read-write&sslmode=disable&connect_timeout=2"
}

// prepare creates the roles and the database.
func (p *patroni) prepare() {
	p.t.Helper()
	conn, err := pgx.Connect(p.t.Context(), p.url("postgres", "postgres"))
	systemtest.Must(p.t, err)
	defer conn.Close(p.t.Context())
	for _, statement := range []string{
		"CREATE ROLE ticketgate_owner LOGIN", "CREATE ROLE ticketgate_app LOGIN", "CREATE DATABASE ticketgate OWNER ticketgate_owner",
	} {
		_, err := conn.Exec(p.t.Context(), statement)
		systemtest.Must(p.t, err)
	}
	inside, err := pgx.Connect(p.t.Context(), p.url("postgres", "ticketgate"))
	systemtest.Must(p.t, err)
	defer inside.Close(p.t.Context())
	_, err = inside.Exec(p.t.Context(), "ALTER SCHEMA public OWNER TO ticketgate_owner")
	systemtest.Must(p.t, err)
}

// kill ends all programs of a node, as a failing machine does.
func (p *patroni) kill(node *patroniNode) {
	for _, program := range node.programs {
		_ = program.Process.Kill()
		_ = program.Wait()
	}
	node.programs = nil
	file, err := os.ReadFile(filepath.Join(p.folder, node.name, "postmaster.pid"))
	if err != nil {
		return
	}
	line, _, _ := strings.Cut(string(file), "\n")
	if process, err := strconv.Atoi(line); err == nil {
		_ = syscall.Kill(process, syscall.SIGKILL)
	}
}

// settings returns the settings of a program whose roles connect to the database by url.
func (p *patroni) settings(url func(role, database string) string) []string {
	return systemtest.Environment(
		"TICKETGATE_DATABASE_URL="+url("ticketgate_app", "ticketgate"), "TICKETGATE_DATABASE_OWNER_URL="+url("ticketgate_owner", "ticketgate"),
		"TICKETGATE_LISTEN=127.0.0.1:0", "TICKETGATE_SECRET_KEY="+systemtest.SecretKey, "TICKETGATE_SYSTEM_TOKEN="+systemtest.SystemToken,
		"TICKETGATE_ALLOW_PRIVATE_ADDRESSES=true", "TICKETGATE_DATA_DIR=/nonexistent", "TICKETGATE_RETRY_SCHEDULE=100ms,1s,1s,1s,1s,1s",
	)
}
