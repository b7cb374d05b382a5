package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"ticketgate/cmd/ticketgate/program"
	"ticketgate/db"
)

// serverBound is the time limit for querying one server.
const serverBound = 2 * time.Second

// examineServers checks the role and the lag of every server, if the settings name several servers or a replica.
func examineServers(ctx context.Context, config *program.Config, at *program.Database) []finding {
	named, replicas := serversOf(at.Session()), serversOf(config.ReplicaURL)
	if len(named) < 2 && len(replicas) == 0 {
		return nil
	}
	var findings []finding
	servers, written, primaries := askServers(ctx, named), int64(0), 0
	for _, server := range servers {
		if server.err == nil && !server.standby {
			written = max(written, server.position)
			primaries++
		}
	}
	if len(named) > 1 {
		for _, server := range servers {
			findings = append(findings, server.finding("servers", written))
		}
		if primaries != 1 {
			found := fmt.Sprintf("%d primaries found, expected 1", primaries)
			findings = append(findings, finding{trouble, "servers", found, "check the cluster's state with `patronictl list`"})
		}
	}
	for _, replica := range askServers(ctx, replicas) {
		findings = append(findings, replica.replicaFinding(servers, written))
	}
	return findings
}

// replicaFinding is like finding, for a replica. A replica of another database, or on another timeline than the primary,
// is reported as a problem.
func (s *server) replicaFinding(servers []server, written int64) finding {
	const advice = "it is not used; name a standby of " + program.SettingDatabaseURL + " in " + program.SettingReplicaURL
	if s.err == nil {
		for _, item := range servers {
			if item.err == nil && item.cluster != s.cluster {
				text := s.name + " is a replica of another database: " + s.cluster + ", not " + item.cluster
				return finding{trouble, "replica", text, advice}
			}
			if item.err == nil && !item.standby && item.timeline != s.timeline {
				text := fmt.Sprintf("%s is on timeline %d of the database, not on the primary's, %d", s.name, s.timeline, item.timeline)
				return finding{trouble, "replica", text, advice}
			}
		}
	}
	found := s.finding("replica", written)
	if s.err == nil && !s.standby {
		found.verdict, found.advice = note, advice
	}
	return found
}

// serversOf returns the connection settings of each server that a URL names. Each keeps its fallbacks, such as plain
// text after TLS if sslmode is not set.
func serversOf(url string) []*pgx.ConnConfig {
	config, err := pgx.ParseConfig(url)
	if url == "" || err != nil {
		return nil
	}
	var servers []*pgx.ConnConfig
	first := &pgconn.FallbackConfig{Host: config.Host, Port: config.Port, TLSConfig: config.TLSConfig}
	for _, way := range append([]*pgconn.FallbackConfig{first}, config.Fallbacks...) {
		known := slices.IndexFunc(servers, func(item *pgx.ConnConfig) bool { return item.Host == way.Host && item.Port == way.Port })
		if known >= 0 {
			servers[known].Fallbacks = append(servers[known].Fallbacks, way)
			continue
		}
		item := config.Copy()
		item.Host, item.Port, item.TLSConfig, item.Fallbacks, item.ValidateConnect = way.Host, way.Port, way.TLSConfig, nil, nil
		item.DefaultQueryExecMode = pgx.QueryExecModeExec
		servers = append(servers, item)
	}
	return servers
}

// server is the state of one of several database servers.
type server struct {
	name string
	err  error
	// cluster identifies the database, see db.SelectCluster.
	cluster string
	// timeline changes with each promotion.
	timeline int
	// standby reports whether the server follows a primary. receiving reports whether it is connected to the primary.
	standby, receiving bool
	// position is the log position that a primary has written or a standby has replayed.
	position int64
	// since is the age in seconds of the last change that a standby has replayed. It is nil if there is none.
	since *float64
}

func askServers(ctx context.Context, at []*pgx.ConnConfig) []server {
	list := make([]server, len(at))
	for i, config := range at {
		list[i].name = fmt.Sprintf("%s:%d", config.Host, config.Port)
		list[i].err = list[i].ask(ctx, config)
	}
	return list
}

// ask reads the role and the position of the server. The application's role can see only whether a standby has a
// connection to its primary.
func (s *server) ask(ctx context.Context, config *pgx.ConnConfig) error {
	ctx, cancel := context.WithTimeout(ctx, serverBound)
	defer cancel()
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		text, _, _ := strings.Cut(err.Error(), "\n")
		return fmt.Errorf("can't be reached: %s", text)
	}
	defer func() { _ = conn.Close(ctx) }()
	if err := conn.QueryRow(ctx, db.SelectCluster).Scan(&s.cluster); err != nil {
		return err
	}
	return conn.QueryRow(ctx, `SELECT pg_is_in_recovery(), EXISTS (SELECT FROM pg_stat_wal_receiver),
		coalesce(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_flush_lsn() END - '0/0', 0)::bigint,
		extract(epoch FROM now() - pg_last_xact_replay_timestamp())::float8, `+db.Timeline).
		Scan(&s.standby, &s.receiving, &s.position, &s.since, &s.timeline)
}

// finding describes the server. written is the position that the primary has written, or 0 if unknown.
func (s *server) finding(about string, written int64) finding {
	switch {
	case s.err != nil:
		return finding{note, about, s.name + " " + s.err.Error(), ""}
	case !s.standby:
		return finding{fine, about, s.name + " is the primary", ""}
	}
	found := finding{verdict: fine, about: about, found: s.name + " is a standby"}
	if written > 0 {
		found.found += fmt.Sprintf(", %d bytes behind the primary", max(0, written-s.position))
	}
	if s.since != nil {
		ago := time.Duration(*s.since * float64(time.Second)).Round(time.Millisecond)
		found.found += fmt.Sprintf("; it last replayed a change made %s ago", ago)
	}
	if !s.receiving {
		found.verdict = note
		found.found += "; it is not connected to the primary"
	}
	return found
}
