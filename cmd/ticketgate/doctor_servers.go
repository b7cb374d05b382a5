package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"ticketgate/cmd/ticketgate/program"
)

// serverBound is how long one of several servers may take to say what it is.
const serverBound = 2 * time.Second

// examineServers looks at each server of the settings that name several, or a replica: what role it has, and how far it lags.
func examineServers(ctx context.Context, config *program.Config, at *program.Database) []finding {
	var findings []finding
	if servers := serversOf(at.Session()); len(servers) > 1 {
		primaries := 0
		for _, server := range servers {
			found, primary := examineServer(ctx, server)
			findings = append(findings, found)
			if primary {
				primaries++
			}
		}
		if primaries != 1 {
			found := fmt.Sprintf("%d of them are the primary", primaries)
			findings = append(findings, finding{trouble, "servers", found, "see what Patroni says: patronictl list"})
		}
	}
	for _, server := range serversOf(config.ReplicaURL) {
		found, primary := examineServer(ctx, server)
		found.about = "replica"
		if primary {
			found.verdict, found.advice = note, "it is not asked; name a standby in "+program.SettingReplicaURL
		}
		findings = append(findings, found)
	}
	return findings
}

// serversOf returns the settings of each server that a URL names.
func serversOf(url string) []*pgx.ConnConfig {
	config, err := pgx.ParseConfig(url)
	if url == "" || err != nil {
		return nil
	}
	servers, known := []*pgx.ConnConfig{}, []string{}
	add := func(host string, port uint16) {
		if name := fmt.Sprintf("%s:%d", host, port); !slices.Contains(known, name) {
			one := config.Copy()
			one.Host, one.Port, one.Fallbacks, one.ValidateConnect = host, port, nil, nil
			one.DefaultQueryExecMode = pgx.QueryExecModeExec
			servers, known = append(servers, one), append(known, name)
		}
	}
	add(config.Host, config.Port)
	for _, fallback := range config.Fallbacks {
		add(fallback.Host, fallback.Port)
	}
	return servers
}

// examineServer asks one server for its role. How far a standby lags is by its own account: by what it has received and when the last
// change was made.
func examineServer(ctx context.Context, server *pgx.ConnConfig) (found finding, primary bool) {
	ctx, cancel := context.WithTimeout(ctx, serverBound)
	defer cancel()
	name := fmt.Sprintf("%s:%d", server.Host, server.Port)
	conn, err := pgx.ConnectConfig(ctx, server)
	if err != nil {
		text, _, _ := strings.Cut(err.Error(), "\n")
		return finding{note, "servers", name + " can't be reached: " + text, ""}, false
	}
	defer func() { _ = conn.Close(ctx) }()
	var standby bool
	var waiting *int64
	var since *float64
	err = conn.QueryRow(ctx, `SELECT pg_is_in_recovery(), CASE WHEN pg_is_in_recovery()
			THEN (pg_last_wal_receive_lsn() - pg_last_wal_replay_lsn())::bigint END,
		extract(epoch FROM now() - pg_last_xact_replay_timestamp())::float8`).Scan(&standby, &waiting, &since)
	switch {
	case err != nil:
		return finding{note, "servers", name + ": " + err.Error(), ""}, false
	case !standby:
		return finding{verdict: fine, about: "servers", found: name + " is the primary"}, true
	case waiting == nil:
		return finding{verdict: note, about: "servers", found: name + " is a standby that has received nothing yet"}, false
	}
	found = finding{verdict: fine, about: "servers"}
	found.found = fmt.Sprintf("%s is a standby, %d bytes behind what it received", name, *waiting)
	if since != nil {
		found.found += fmt.Sprintf("; its last change is of %s ago", time.Duration(*since*float64(time.Second)).Round(time.Millisecond))
	}
	return found, false
}
