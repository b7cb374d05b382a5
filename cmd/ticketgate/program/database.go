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

// Database has the URLs of the database, and the private server if this process started it.
type Database struct {
	Application, Owner string
	// Direct bypasses the pooler at Application. It is empty if there is no pooler.
	Direct string
	server *embedded.Server
}

// Configured returns the database of the settings.
func Configured(config *Config) *Database {
	return &Database{
		Application: toPrimary(config.DatabaseURL), Owner: toPrimary(config.OwnerURL), Direct: toPrimary(config.DirectURL),
	}
}

// toPrimary adds target_session_attrs to a URL, unless it has that parameter, so that connections never go to a
// standby. While it starts, a load balancer in front of PostgreSQL may take a standby for the primary. The standby
// could accept a credential that was just revoked.
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

// sessionAttributes is the URL parameter that selects among several servers.
const sessionAttributes = "target_session_attrs"

// Session returns the URL for connections of the application that need a session, and so must bypass a pooler.
func (d *Database) Session() string { return cmp.Or(d.Direct, d.Application) }

// stopBound is the time within which the private PostgreSQL must stop.
const stopBound = 20 * time.Second

// openDatabase returns the configured database or, if none is configured, starts a private PostgreSQL that runs as long
// as this process.
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

// JoinDatabase returns the configured database, or the private PostgreSQL that `serve` is running. It does not start
// one.
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

// Close stops the private server if this process started it. It works even if the context of the process is done.
func (d *Database) Close() error {
	if d.server == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), stopBound)
	defer cancel()
	return d.server.Stop(ctx)
}

// failed returns a channel that is closed when the private server stops by itself. It is nil if this process has not
// started one.
func (d *Database) failed() <-chan struct{} {
	if d.server == nil {
		return nil
	}
	return d.server.Done()
}

// Migrator returns a migrator that connects as the database's owner.
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
