package main

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"ticketgate/db"
	"ticketgate/db/embedded"
	"ticketgate/jobs"
)

// database is where the data is, and the private server if this process started one.
type database struct {
	application, owner string
	server             *embedded.Server
}

// stopBound is how long the private PostgreSQL may take to stop before the program ends without it.
const stopBound = 20 * time.Second

// openDatabase is the configured database, or a private PostgreSQL that runs as long as this process.
func openDatabase(ctx context.Context, config *Config, log *slog.Logger) (*database, error) {
	if config.DatabaseURL != "" {
		return &database{application: config.DatabaseURL, owner: config.OwnerURL}, nil
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
	return &database{application: server.ApplicationURL(), owner: server.OwnerURL(), server: server}, nil
}

// joinDatabase is openDatabase for a command beside `serve`: it uses the private PostgreSQL that runs already.
func joinDatabase(ctx context.Context, config *Config, log *slog.Logger) (*database, error) {
	if config.DatabaseURL == "" {
		owner, application, err := embedded.Running(config.DataDir)
		if err == nil {
			return &database{application: application, owner: owner}, nil
		}
		if !errors.Is(err, embedded.ErrNotRunning) {
			return nil, err
		}
	}
	return openDatabase(ctx, config, log)
}

// close stops the private server, if there is one, also when what it was started for has been given up.
func (d *database) close() error {
	if d.server == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), stopBound)
	defer cancel()
	return d.server.Stop(ctx)
}

// failed tells that the private server ended by itself; it blocks for ever without one.
func (d *database) failed() <-chan struct{} {
	if d.server == nil {
		return nil
	}
	return d.server.Done()
}

// migrator works on the schema as the database's owner.
func (d *database) migrator() (*db.Migrator, error) {
	return db.NewMigrator(d.owner, d.application, jobs.Migrations{}, time.Now)
}

// migrate brings the schema up to this program's version.
func (d *database) migrate(ctx context.Context) error {
	migrator, err := d.migrator()
	if err != nil {
		return err
	}
	return errors.Join(migrator.Up(ctx), migrator.Close())
}
