package program

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"time"

	"ticketgate/db"
	"ticketgate/db/embedded"
	"ticketgate/jobs"
)

// Database is where the data is, and the private server if this process started one.
type Database struct {
	Application, Owner string
	// Direct leads past the pooler to which Application leads; empty if there is none.
	Direct string
	server *embedded.Server
}

// Configured is the database that the settings name.
func Configured(config *Config) *Database {
	return &Database{Application: config.DatabaseURL, Owner: config.OwnerURL, Direct: config.DirectURL}
}

// Session returns the URL for connections of the application that keep their session.
func (d *Database) Session() string { return cmp.Or(d.Direct, d.Application) }

// stopBound is how long the private PostgreSQL may take to stop before the program ends without it.
const stopBound = 20 * time.Second

// openDatabase is the configured database, or a private PostgreSQL that runs as long as this process.
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

// JoinDatabase is openDatabase for a command beside `serve`: it uses the private PostgreSQL that runs already.
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

// Close stops the private server, if there is one, also when what it was started for has been given up.
func (d *Database) Close() error {
	if d.server == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), stopBound)
	defer cancel()
	return d.server.Stop(ctx)
}

// failed tells that the private server ended by itself; it blocks for ever without one.
func (d *Database) failed() <-chan struct{} {
	if d.server == nil {
		return nil
	}
	return d.server.Done()
}

// Migrator works on the schema as the database's owner.
func (d *Database) Migrator() (*db.Migrator, error) {
	return db.NewMigrator(d.Owner, d.Application, jobs.Migrations{}, time.Now)
}

// migrate brings the schema up to this program's version.
func (d *Database) migrate(ctx context.Context) error {
	migrator, err := d.Migrator()
	if err != nil {
		return err
	}
	return errors.Join(migrator.Up(ctx), migrator.Close())
}
