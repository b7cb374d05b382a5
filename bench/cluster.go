package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5"

	"ticketgate/db/embedded"
)

// cluster is the PostgreSQL server that all programs and baselines use.
type cluster struct {
	superuser string
	version   string
	bin       string // the folder of pgbench
	pid       int    // of the postmaster, whose children serve the connections
	kept      bool   // its databases are kept after the run
	close     func() // stops the server if this command started it
}

// openCluster starts a server with fsync in an empty folder. It stops when this command ends.
func openCluster(ctx context.Context, folder string) (*cluster, error) {
	server, err := embedded.Start(ctx, embedded.Config{
		DataDir: folder, BinDir: os.Getenv("TICKETGATE_POSTGRES_BIN"), Fsync: true, Log: slog.Default(),
		// Enough for several processes with a pool each, and for the clients of a baseline.
		Parameters: map[string]string{"max_connections": "300"},
	})
	if err != nil {
		return nil, err
	}
	return reach(ctx, started(ctx, server))
}

// openKeptCluster starts the server in a kept folder. It uses fsync, because loaded data must survive a crash.
func openKeptCluster(ctx context.Context, folder string) (*cluster, error) {
	server, err := embedded.Start(ctx, embedded.Config{
		DataDir: folder, BinDir: os.Getenv("TICKETGATE_POSTGRES_BIN"), Fsync: true, Log: slog.Default(),
		// Settings for loading: no replica follows this server, and checkpoints during the load would only write pages
		// twice.
		Parameters: map[string]string{"wal_level": "minimal", "max_wal_senders": "0", "max_wal_size": "4GB"},
	})
	if err != nil {
		return nil, err
	}
	c := started(ctx, server)
	c.kept = true
	return reach(ctx, c)
}

// started returns a cluster for a server that this command has started.
func started(ctx context.Context, server *embedded.Server) *cluster {
	ending := context.WithoutCancel(ctx)
	return &cluster{superuser: server.SuperuserURL("postgres"), close: func() { _ = server.Stop(ending) }}
}

// reach reads the server's version and settings.
func reach(ctx context.Context, c *cluster) (*cluster, error) {
	var version, fsync string
	// The folder is that of the running server instead of one in PATH, because pgbench must have the same version.
	err := c.row(ctx, `SELECT 'PostgreSQL ' || current_setting('server_version'), current_setting('fsync'), setting,
		split_part(pg_read_file('postmaster.pid'), E'\n', 1)::int FROM pg_config WHERE name = 'BINDIR'`,
		&version, &fsync, &c.bin, &c.pid)
	if err != nil {
		c.close()
		return nil, err
	}
	c.version = version + " with fsync " + fsync
	return c, nil
}

// row queries one row as the superuser.
func (c *cluster) row(ctx context.Context, query string, into ...any) error {
	return c.connected(ctx, c.superuser, func(conn *pgx.Conn) error { return conn.QueryRow(ctx, query).Scan(into...) })
}

// execute runs a statement as the superuser of a database.
func (c *cluster) execute(ctx context.Context, database, statement string) error {
	return c.connected(ctx, c.url("postgres", database), func(conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, statement)
		return err
	})
}

// walSyncs returns the number of log flushes that connections have reported so far.
func (c *cluster) walSyncs(ctx context.Context) (count int64, err error) {
	// PostgreSQL 18 counts them among all input and output.
	err = c.row(ctx, "SELECT (to_jsonb(w) ->> 'wal_sync')::bigint FROM pg_stat_wal w WHERE to_jsonb(w) ? 'wal_sync'", &count)
	if errors.Is(err, pgx.ErrNoRows) {
		err = c.row(ctx, "SELECT coalesce(sum(fsyncs), 0)::bigint FROM pg_stat_io WHERE object = 'wal'", &count)
	}
	return count, err
}

// commits returns the number of transactions committed in the rig's database so far.
func (r *rig) commits(ctx context.Context) (count int64, err error) {
	select { // backends report about once a second
	case <-ctx.Done():
		return 0, ctx.Err()
	case <-time.After(time.Second):
	}
	err = r.cluster.row(ctx, "SELECT xact_commit FROM pg_stat_database WHERE datname = '"+r.name+"'", &count)
	return count, err
}

// connected opens a connection for one use. Benchmarks don't need speed here, and a connection that is kept open would
// prevent dropping the database.
func (*cluster) connected(ctx context.Context, url string, do func(*pgx.Conn) error) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return fmt.Errorf("benchmark database: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx)) //nolint:errcheck // the result was already read
	return do(conn)
}

// has reports whether the database exists.
func (c *cluster) has(ctx context.Context, database string) (exists bool, err error) {
	err = c.row(ctx, "SELECT EXISTS (SELECT FROM pg_database WHERE datname = '"+database+"')", &exists)
	return exists, err
}

// create creates an empty database with the privileges that the product expects. The program migrates it.
func (c *cluster) create(ctx context.Context, database string) error {
	if err := c.execute(ctx, "postgres", "DROP DATABASE IF EXISTS "+database+" WITH (FORCE)"); err != nil {
		return err
	}
	// Default privileges are copied from template1, where the private server has set them.
	return c.execute(ctx, "postgres", "CREATE DATABASE "+database+" OWNER "+embedded.OwnerRole)
}

// drop drops a database, closing its connections.
func (c *cluster) drop(ctx context.Context, database string) error {
	return c.execute(ctx, "postgres", "DROP DATABASE IF EXISTS "+database+" WITH (FORCE)")
}

// url returns the URL of a database for a role.
func (c *cluster) url(role, database string) string {
	address, err := url.Parse(c.superuser)
	if err != nil {
		return c.superuser
	}
	if role == "postgres" { // whatever the superuser's name is, with its password if it has one
		address.Path = "/" + database
		return address.String()
	}
	address.User, address.Path = url.User(role), "/"+database
	return address.String()
}

// program returns the path of a program of the server's installation.
func (c *cluster) program(name string) (string, error) {
	path := filepath.Join(c.bin, name)
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("%s is part of PostgreSQL, but does not exist: %w", name, err)
	}
	return path, nil
}
