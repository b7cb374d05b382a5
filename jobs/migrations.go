package jobs

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/riverqueue/river/riverdriver/riverdatabasesql"
	"github.com/riverqueue/river/rivermigrate"
)

// Migrations migrates River's tables as part of `ticketgate migrate`.
type Migrations struct{}

// Up applies the missing migrations up to MigrationVersion.
func (Migrations) Up(ctx context.Context, owner *sql.DB) error {
	return migrateRiver(ctx, owner, rivermigrate.DirectionUp, MigrationVersion)
}

// Down removes River's tables.
func (Migrations) Down(ctx context.Context, owner *sql.DB) error {
	const everything = -1
	return migrateRiver(ctx, owner, rivermigrate.DirectionDown, everything)
}

// Status returns River's applied and missing migrations.
func (Migrations) Status(ctx context.Context, owner *sql.DB) (applied, missing []string, err error) {
	migrator, err := rivermigrate.New(riverdatabasesql.New(owner), nil)
	if err != nil {
		return nil, nil, err
	}
	existing, err := migrator.ExistingVersions(ctx)
	if err != nil {
		return nil, nil, err
	}
	for _, migration := range migrator.AllVersions() {
		name := fmt.Sprintf("river_%04d", migration.Version)
		switch {
		case len(existing) > 0 && existing[len(existing)-1].Version >= migration.Version:
			applied = append(applied, name)
		case migration.Version <= MigrationVersion:
			missing = append(missing, name)
		}
	}
	return applied, missing, nil
}

func migrateRiver(ctx context.Context, owner *sql.DB, direction rivermigrate.Direction, target int) error {
	migrator, err := rivermigrate.New(riverdatabasesql.New(owner), nil)
	if err != nil {
		return err
	}
	if _, err := migrator.Migrate(ctx, direction, &rivermigrate.MigrateOpts{TargetVersion: target}); err != nil {
		return fmt.Errorf("tables of the job queue: %w", err)
	}
	return nil
}
