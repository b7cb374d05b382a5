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

// failedOverWithin is how soon after the death of the leader an event must be published and delivered again.
const failedOverWithin = 30 * time.Second

const failovers = 10

// patroni is PostgreSQL on three nodes of this machine, which Patroni and etcd make one.
type patroni struct {
	t      *testing.T
	folder string
	as     *syscall.SysProcAttr
	bin    string
	etcd   string
	nodes  [3]*patroniNode
}

type patroniNode struct {
	name, data, postgres, rest string
	running                    *exec.Cmd
}

func openPatroni(t *testing.T) *patroni {
	t.Helper()
	systemtest.NeedsProgram("patroni")(t)
	systemtest.NeedsProgram("etcd")(t)
	bin, _, err := embedded.Find(t.Context(), embedded.Config{DataDir: t.TempDir()})
	systemtest.Must(t, err)
	folder, err := os.MkdirTemp("", "ticketgate-patroni-") //nolint:usetesting // t.TempDir is closed to the servers' user
	systemtest.Must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	p := &patroni{t: t, folder: folder, bin: bin, as: &syscall.SysProcAttr{Setpgid: true}}
	if os.Geteuid() == 0 {
		owner, err := user.Lookup("postgres")
		systemtest.Must(t, err)
		uid, _ := strconv.Atoi(owner.Uid)
		gid, _ := strconv.Atoi(owner.Gid)
		systemtest.Must(t, os.Chown(folder, uid, gid))
		p.as.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	}
	p.etcd = systemtest.FreePort(t)
	peer := systemtest.FreePort(t)
	p.start("etcd", "--data-dir", filepath.Join(folder, "etcd"), "--listen-client-urls", "http://127.0.0.1:"+p.etcd,
		"--advertise-client-urls", "http://127.0.0.1:"+p.etcd, "--listen-peer-urls", "http://127.0.0.1:"+peer,
		"--initial-advertise-peer-urls", "http://127.0.0.1:"+peer, "--initial-cluster", "default=http://127.0.0.1:"+peer)
	for i := range p.nodes {
		name := fmt.Sprintf("node%d", i+1)
		p.nodes[i] = &patroniNode{
			name: name, data: filepath.Join(folder, name), postgres: systemtest.FreePort(t), rest: systemtest.FreePort(t),
		}
		p.run(p.nodes[i])
	}
	t.Cleanup(func() {
		for _, node := range p.nodes {
			p.kill(node)
		}
	})
	systemtest.Eventually(t, "there is a leader", func() bool { return p.leader() != nil })
	p.prepare()
	systemtest.Eventually(t, "there are two standbys, one of them synchronous", func() bool {
		return p.answers("/synchronous") != nil && p.answers("/asynchronous") != nil
	})
	return p
}

func (p *patroni) start(name string, arguments ...string) *exec.Cmd {
	p.t.Helper()
	log, err := os.OpenFile(filepath.Join(p.folder, name+".log"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	systemtest.Must(p.t, err)
	running := exec.CommandContext(context.WithoutCancel(p.t.Context()), name, arguments...)
	running.Env = systemtest.Environment("LANG=C.UTF-8", "HOME="+p.folder, "ETCD_UNSUPPORTED_ARCH=arm64")
	running.SysProcAttr, running.Stdout, running.Stderr = p.as, log, log
	systemtest.Must(p.t, running.Start())
	p.t.Cleanup(func() {
		_ = running.Process.Kill()
		_ = running.Wait()
		_ = log.Close()
	})
	return running
}

// run starts the Patroni of a node, which starts its PostgreSQL.
func (p *patroni) run(node *patroniNode) {
	p.t.Helper()
	config := fmt.Sprintf(`scope: tickets
name: %s
restapi: {listen: "127.0.0.1:%s", connect_address: "127.0.0.1:%s"}
etcd3: {host: "127.0.0.1:%s"}
bootstrap:
  dcs:
    ttl: 15
    loop_wait: 3
    retry_timeout: 5
    maximum_lag_on_failover: 1048576
    synchronous_mode: true
    postgresql:
      use_pg_rewind: true
      use_slots: true
      parameters: {max_connections: 200, wal_keep_size: 256MB, wal_log_hints: "on"}
  initdb: [{encoding: UTF8}, data-checksums]
  pg_hba: ["host all all 127.0.0.1/32 trust", "host replication all 127.0.0.1/32 trust", "local all all trust"]
postgresql:
  listen: "127.0.0.1:%s"
  connect_address: "127.0.0.1:%s"
  data_dir: %s
  bin_dir: %s
  pgpass: %s
  authentication: {superuser: {username: postgres, password: "x"}, replication: {username: replicator, password: "x"}, rewind: {username: postgres, password: "x"}}
  parameters: {unix_socket_directories: %s}
`, node.name, node.rest, node.rest, p.etcd, node.postgres, node.postgres, node.data, p.bin, node.data+".pgpass", p.folder)
	file := filepath.Join(p.folder, node.name+".yml")
	systemtest.Must(p.t, os.WriteFile(file, []byte(config), 0o644))
	node.running = p.start("patroni", file)
}

// answers returns the node that says it is what a path of Patroni's asks for.
func (p *patroni) answers(path string) *patroniNode {
	client := http.Client{Timeout: 2 * time.Second}
	for _, node := range p.nodes {
		status, _, err := systemtest.TryRequest(p.t.Context(), &client, http.MethodGet, "http://127.0.0.1:"+node.rest+path, "")
		if err == nil && status == http.StatusOK {
			return node
		}
	}
	return nil
}

func (p *patroni) leader() *patroniNode { return p.answers("/primary") }

// url names all nodes, of which connections go to the leader.
func (p *patroni) url(role, database string) string {
	var hosts []string
	for _, node := range p.nodes {
		hosts = append(hosts, "127.0.0.1:"+node.postgres)
	}
	return "postgres://" + role + "@" + strings.Join(hosts, ",") + "/" + database + "?target_session_attrs=read-write&sslmode=disable&connect_timeout=2"
}

// prepare makes the roles and the database.
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

// kill ends Patroni and PostgreSQL of a node, as a failing machine does.
func (p *patroni) kill(node *patroniNode) {
	_ = node.running.Process.Kill()
	_ = node.running.Wait()
	file, err := os.ReadFile(filepath.Join(node.data, "postmaster.pid"))
	if err != nil {
		return
	}
	line, _, _ := strings.Cut(string(file), "\n")
	if process, err := strconv.Atoi(line); err == nil {
		_ = syscall.Kill(process, syscall.SIGKILL)
	}
}

func (p *patroni) settings(more ...string) []string {
	return systemtest.Environment(append([]string{
		"TICKETGATE_DATABASE_URL=" + p.url("ticketgate_app", "ticketgate"),
		"TICKETGATE_DATABASE_OWNER_URL=" + p.url("ticketgate_owner", "ticketgate"),
		"TICKETGATE_LISTEN=127.0.0.1:0", "TICKETGATE_SECRET_KEY=" + systemtest.SecretKey, "TICKETGATE_SYSTEM_TOKEN=" + systemtest.SystemToken,
		"TICKETGATE_ALLOW_PRIVATE_ADDRESSES=true", "TICKETGATE_DATA_DIR=/nonexistent", "TICKETGATE_RETRY_SCHEDULE=100ms,1s,1s,1s,1s,1s",
	}, more...)...)
}

// The leader is killed ten times under load. What was acknowledged is on the synchronous standby, which takes over.
func TestAFailoverLosesNothing(t *testing.T) {
	p := openPatroni(t)
	settings := p.settings()
	s := systemtest.Serve(t, settings)
	l := openLedger(t, settings, p.url("ticketgate_app", "ticketgate"), systemtest.Seed(t, settings).Sellers[0])
	l.subscribe(t, s)
	if code, report, _ := systemtest.Run(t, settings, "doctor"); code != 0 || strings.Count(report, "is a standby") != 2 ||
		strings.Count(report, "is the primary") != 1 {
		t.Errorf("doctor: %d %s", code, report)
	}
	steady := publishSteadily(t, l, s)
	for i := range failovers {
		l.awaitCalls(t, fmt.Sprintf("before failover %d", i+1), 50)
		leader := p.leader()
		if leader == nil {
			t.Fatal("no leader")
		}
		p.kill(leader)
		gone := time.Now()
		probe, tries := marks(fmt.Sprintf("failover-%d-0", i), 1), 1
		for ; !l.publish(s, probe); tries++ {
			if time.Since(gone) > 2*failedOverWithin {
				t.Fatalf("nothing is published %v after failover %d", 2*failedOverWithin, i+1)
			}
			<-time.After(publishEvery)
			probe = marks(fmt.Sprintf("failover-%d-%d", i, tries), 1)
		}
		l.awaitCall(t, probe[0], gone.Add(2*failedOverWithin))
		back := time.Since(gone)
		t.Logf("back %v after failover %d from %s, with %d tries", back, i+1, leader.name, tries)
		if back > failedOverWithin {
			t.Errorf("failover %d took %v", i+1, back)
		}
		p.run(leader)
		systemtest.Eventually(t, "the old leader follows the new one", func() bool {
			client := http.Client{Timeout: 2 * time.Second}
			status, _, err := systemtest.TryRequest(t.Context(), &client, http.MethodGet, "http://127.0.0.1:"+leader.rest+"/replica", "")
			return err == nil && status == http.StatusOK && p.answers("/synchronous") != nil
		})
	}
	steady()
	l.delivered(t, time.Now().Add(systemtest.DeliveredWithin))
	t.Logf("%d deliveries", l.check(t))
}
