package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"ticketgate/db/embedded"
)

// throughPooler compares a server behind PgBouncer with a server that connects directly, reading or adding entries.
func throughPooler(adding bool) func(context.Context, *rig) (subject, error) {
	return func(ctx context.Context, r *rig) (subject, error) {
		direct, s, err := r.installation(ctx, "--no-workers")
		if err != nil {
			return subject{}, err
		}
		pooled, bouncer, err := r.behindPgBouncer(ctx)
		if err != nil {
			return subject{}, err
		}
		measure, err := r.callsOf(ctx, pooled, s, adding)
		if err != nil {
			return subject{}, err
		}
		baseline, err := r.callsOf(ctx, direct, s, adding)
		return subject{
			measure: withHelper(bouncer, "PgBouncer", measure), baseline: baseline, against: "a server that connects directly",
		}, err
	}
}

// callsOf returns a measurement of a server's calls.
func (r *rig) callsOf(ctx context.Context, p *process, s seller, adding bool) (measurement, error) {
	calls, err := p.settled(s).calls(ctx, s, adding)
	if err != nil {
		return nil, err
	}
	calls.connections = connections
	_, err = calls.run(ctx, warmUp)
	return r.costing(p, calls.run), err
}

// behindPgBouncer starts a PgBouncer that is configured as in docs/scaling.md, and a server that uses it.
func (r *rig) behindPgBouncer(ctx context.Context) (server, bouncer *process, err error) {
	direct, err := url.Parse(r.database(embedded.ApplicationRole))
	if err != nil {
		return nil, nil, err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, err
	}
	address := listener.Addr().String()
	_ = listener.Close()
	file, err := r.pooling(direct, address)
	if err != nil {
		return nil, nil, err
	}
	program, err := exec.LookPath("pgbouncer")
	if err != nil {
		return nil, nil, errors.New("needs PgBouncer: apt-get install pgbouncer")
	}
	arguments := []string{file}
	if os.Geteuid() == 0 { // PgBouncer refuses to run as root
		arguments = []string{"-u", "postgres", file}
	}
	if bouncer, _, err = r.start(ctx, r.environment(), program, arguments...); err != nil {
		return nil, nil, err
	}
	bouncer.url = "http://" + address // only the address is used
	if err := bouncer.await(ctx); err != nil {
		return nil, nil, err
	}
	server, err = r.serve(ctx, r.environment(
		"TICKETGATE_DATABASE_URL=postgres://"+direct.User.Username()+"@"+address+"/ticketgate?sslmode=disable",
		"TICKETGATE_DATABASE_POOLER=transaction", "TICKETGATE_DATABASE_DIRECT_URL="+direct.String()), "--no-workers")
	return server, bouncer, err
}

// pooling writes the configuration in docs/scaling.md, adapted to a database and an address, and returns its path.
func (r *rig) pooling(direct *url.URL, address string) (file string, err error) {
	page, err := os.ReadFile("docs/scaling.md")
	if err != nil {
		return "", err
	}
	_, rest, found := strings.Cut(string(page), "```ini\n")
	config, _, ended := strings.Cut(rest, "```")
	if !found || !ended {
		return "", errors.New("docs/scaling.md has no configuration of PgBouncer")
	}
	users, query := filepath.Join(r.folder, "pgbouncer.users"), direct.Query()
	at := fmt.Sprintf("host=%s port=%s dbname=%s", query.Get("host"), query.Get("port"), strings.Trim(direct.Path, "/"))
	_, port, _ := net.SplitHostPort(address)
	config = strings.NewReplacer(
		"host=10.0.0.5 dbname=ticketgate", at, "listen_addr = 10.0.0.6", "listen_addr = 127.0.0.1\nunix_socket_dir =",
		"listen_port = 6432", "listen_port = "+port, "auth_type = scram-sha-256", "auth_type = trust", "/etc/pgbouncer/userlist.txt", users,
	).Replace(config)
	file = filepath.Join(r.folder, "pgbouncer.ini")
	known := fmt.Appendf(nil, "%q \"\"\n", direct.User.Username())
	return file, errors.Join(os.WriteFile(users, known, 0o644), os.WriteFile(file, []byte(config), 0o644)) //nolint:gosec // not a secret
}
