package program

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/url"
	"time"

	"ticketgate/db"
	"ticketgate/db/embedded"
	"ticketgate/jobs"
)

// Database holds the URLs of the database, and the private server if this process started one.
type Database struct {
	Application, Owner string
	// Direct leads past the pooler that Application leads to; empty if there is none.
	Direct string
	server *embedded.Server
}

// Configured returns the database of the settings.
func Configured(config *Config) *Database {
	return &Database{
		Application: toPrimary(config.DatabaseURL), Owner: toPrimary(config.OwnerURL), Direct: toPrimary(config.DirectURL),
	}
}

// toPrimary adds to a URL that connections must not go to a standby, unless the URL has such a parameter. A load balancer in
// front of PostgreSQL may take a standby for the primary while it starts, and the standby would still accept a credential
// that was just revoked.
func toPrimary(database string) string {
	address, err := url.Parse(database)
	if database == "" || err != nil || address.Query().Has(sessionAttributes) {
		return database
	}
	if address.RawQuery != "" {
		address.RawQuery += "&"
	}
	address.RawQuery += sessionAttributes + "=primary"
	return address.String()
}

// sessionAttributes is the URL parameter that chooses among several servers.
const sessionAttributes = "target_session_attrs"

// Session returns the URL for connections of the application that keep their session.
func (d *Database) Session() string { return cmp.Or(d.Direct, d.Application) }

// stopBound is how long to wait for the private PostgreSQL to stop.
const stopBound = 20 * time.Second

// openDatabase returns the configured database, or starts a private PostgreSQL that runs as long as this process.
func openDatabase(ctx context.Context, config *Config, log *slog.Logger) (*Database, error) {
	if config.DatabaseURL != "" {
		return Configured(config), nil
	}
	wanted := embedded.Config{DataDir: config.DataDir, BinDir: config.PostgresBin, Fsync: true, Log: log}
	server, err := embedded.Start(ctx, wanted)
	if errors.Is(err, embedded.ErrNoBinaries) && embedded.CanInstall() {
		if err := embedded.Install(ctx, log); err != nil {
			return nil, err
		}
		server, err = embedded.Start(ctx, wanted)
	}
	if err != nil {
		return nil, err
	}
	return &Database{Application: server.ApplicationURL(), Owner: server.OwnerURL(), server: server}, nil
}

// JoinDatabase returns the configured database or the private PostgreSQL that `serve` is running. It starts none.
func JoinDatabase(ctx context.Context, config *Config, log *slog.Logger) (*Database, error) {
	if config.DatabaseURL == "" {
		owner, application, err := embedded.Running(config.DataDir)
		if err == nil {
			return &Database{Application: application, Owner: owner}, nil
		}
		if !errors.Is(err, embedded.ErrNotRunning) {
			return nil, err
		}
	}
	return openDatabase(ctx, config, log)
}

// Close stops the private server, if there is one, even if ctx is done.
func (d *Database) Close() error {
	if d.server == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), stopBound)
	defer cancel()
	return d.server.Stop(ctx)
}

// failed returns a channel that is closed when the private server stops by itself. Without one, it blocks forever.
func (d *Database) failed() <-chan struct{} {
	if d.server == nil {
		return nil
	}
	return d.server.Done()
}

// Migrator returns a migrator that works as the database's owner.
func (d *Database) Migrator() (*db.Migrator, error) {
	return db.NewMigrator(d.Owner, d.Application, jobs.Migrations{}, time.Now)
}

// migrate migrates the schema to this program's version.
func (d *Database) migrate(ctx context.Context) error {
	migrator, err := d.Migrator()
	if err != nil {
		return err
	}
	return errors.Join(migrator.Up(ctx), migrator.Close())
}
