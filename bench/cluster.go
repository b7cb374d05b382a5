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

// cluster is the PostgreSQL server that programs and baselines share.
type cluster struct {
	superuser string
	version   string
	bin       string // where pgbench is
	pid       int    // of the process whose children serve the connections
	kept      bool   // its databases outlive the run
	close     func() // stops the server if it was started here
}

// openCluster starts a server with fsync in an empty folder; it ends with this command.
func openCluster(ctx context.Context, folder string) (*cluster, error) {
	server, err := embedded.Start(ctx, embedded.Config{
		DataDir: folder, BinDir: os.Getenv("TICKETGATE_POSTGRES_BIN"), Fsync: true, Log: slog.Default(),
		// Several processes with a pool each, and a baseline's clients.
		Parameters: map[string]string{"max_connections": "300"},
	})
	if err != nil {
		return nil, err
	}
	return reach(ctx, started(ctx, server))
}

// openKeptCluster starts the server of a folder that is kept, with fsync: what was loaded is there after a crash, too.
func openKeptCluster(ctx context.Context, folder string) (*cluster, error) {
	server, err := embedded.Start(ctx, embedded.Config{
		DataDir: folder, BinDir: os.Getenv("TICKETGATE_POSTGRES_BIN"), Fsync: true, Log: slog.Default(),
		// For the loading: nobody follows this server, and checkpoints in between would only write pages twice.
		Parameters: map[string]string{"wal_level": "minimal", "max_wal_senders": "0", "max_wal_size": "4GB"},
	})
	if err != nil {
		return nil, err
	}
	c := started(ctx, server)
	c.kept = true
	return reach(ctx, c)
}

// started is a server that ends with this command.
func started(ctx context.Context, server *embedded.Server) *cluster {
	ending := context.WithoutCancel(ctx)
	return &cluster{superuser: server.SuperuserURL("postgres"), close: func() { _ = server.Stop(ending) }}
}

// reach asks the server what it is.
func reach(ctx context.Context, c *cluster) (*cluster, error) {
	var version, fsync string
	// The folder of the server that runs, not of one that happens to be in PATH: pgbench must be of the same version.
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

// row asks for one row as the superuser.
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

// walSyncs is how often the server has flushed its log to the disk, as far as its connections have reported it.
func (c *cluster) walSyncs(ctx context.Context) (count int64, err error) {
	// PostgreSQL 18 counts them among all other input and output.
	err = c.row(ctx, "SELECT (to_jsonb(w) ->> 'wal_sync')::bigint FROM pg_stat_wal w WHERE to_jsonb(w) ? 'wal_sync'", &count)
	if errors.Is(err, pgx.ErrNoRows) {
		err = c.row(ctx, "SELECT coalesce(sum(fsyncs), 0)::bigint FROM pg_stat_io WHERE object = 'wal'", &count)
	}
	return count, err
}

// commits are the transactions that were committed in the rig's database so far.
func (r *rig) commits(ctx context.Context) (count int64, err error) {
	select { // backends report about once a second
	case <-ctx.Done():
		return 0, ctx.Err()
	case <-time.After(time.Second):
	}
	err = r.cluster.row(ctx, "SELECT xact_commit FROM pg_stat_database WHERE datname = '"+r.name+"'", &count)
	return count, err
}

// connected opens a connection for one purpose: benchmarks are not in a hurry, and an idle connection would keep a
// database from being dropped.
func (*cluster) connected(ctx context.Context, url string, do func(*pgx.Conn) error) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return fmt.Errorf("PostgreSQL of the benchmarks: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx)) //nolint:errcheck // what was asked has been answered
	return do(conn)
}

// has tells whether there is such a database.
func (c *cluster) has(ctx context.Context, database string) (exists bool, err error) {
	err = c.row(ctx, "SELECT EXISTS (SELECT FROM pg_database WHERE datname = '"+database+"')", &exists)
	return exists, err
}

// create makes an empty database as the product has it; the program migrates it.
func (c *cluster) create(ctx context.Context, database string) error {
	if err := c.execute(ctx, "postgres", "DROP DATABASE IF EXISTS "+database+" WITH (FORCE)"); err != nil {
		return err
	}
	// The rights on what is in it come from template1, which the private server has prepared.
	return c.execute(ctx, "postgres", "CREATE DATABASE "+database+" OWNER "+embedded.OwnerRole)
}

// drop ends whoever is still connected.
func (c *cluster) drop(ctx context.Context, database string) error {
	return c.execute(ctx, "postgres", "DROP DATABASE IF EXISTS "+database+" WITH (FORCE)")
}

// url is the address of a database for a role.
func (c *cluster) url(role, database string) string {
	address, err := url.Parse(c.superuser)
	if err != nil {
		return c.superuser
	}
	if role == "postgres" { // whatever the superuser is called, with its password if it has one
		address.Path = "/" + database
		return address.String()
	}
	address.User, address.Path = url.User(role), "/"+database
	return address.String()
}

// program is the path of one of the server's own programs.
func (c *cluster) program(name string) (string, error) {
	path := filepath.Join(c.bin, name)
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("%s comes with PostgreSQL, but is not there: %w", name, err)
	}
	return path, nil
}
