package db

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"
	"github.com/uptrace/bun/migrate"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// migrationLock is the key of the advisory lock that lets only one process migrate at a time.
const migrationLock = 0x7469636b6574 // "ticket"

// Further is a set of migrations of another package, such as the job queue. They run as the database's owner under the
// same lock.
type Further interface {
	Up(ctx context.Context, owner *sql.DB) error
	Down(ctx context.Context, owner *sql.DB) error
	// Status returns the applied and the missing migrations.
	Status(ctx context.Context, owner *sql.DB) (applied, missing []string, err error)
}

// MigrationStatus describes a migration and whether it was applied.
type MigrationStatus struct {
	Name    string
	Applied bool
	At      time.Time // zero if unknown
}

// Migrator migrates the schema up and down as the database's owner.
type Migrator struct {
	owner *sql.DB
	// application is the role that gets privileges on rows. It is empty if it is also the owner.
	application string
	further     Further
	now         func() time.Time
}

// NewMigrator returns a migrator that connects as the owner. The role of applicationURL gets the privileges that it
// needs.
func NewMigrator(ownerURL, applicationURL string, other Further, now func() time.Time) (*Migrator, error) {
	application, err := pgx.ParseConfig(applicationURL)
	if err != nil {
		return nil, fmt.Errorf("database URL: %w", err)
	}
	config, err := connConfig(ownerURL, Limits{Statement: 20 * time.Minute, Lock: 2 * time.Second, Idle: time.Minute})
	if err != nil {
		return nil, err
	}
	config.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol // a migration has many statements in one text
	m := &Migrator{owner: stdlib.OpenDB(*config), further: other, now: now}
	if application.User != config.User {
		m.application = application.User
	}
	return m, nil
}

// Stats returns the statistics of the owner's connections.
func (m *Migrator) Stats() sql.DBStats { return m.owner.Stats() }

// Close closes the owner's connections.
func (m *Migrator) Close() error { return m.owner.Close() }

// Up applies missing migrations, creates the partitions of the coming days, and grants privileges to the application's
// role.
func (m *Migrator) Up(ctx context.Context) error {
	return m.locked(ctx, func(own *migrate.Migrator) error {
		if err := own.Init(ctx); err != nil {
			return err
		}
		if _, err := own.Migrate(ctx); err != nil {
			return err
		}
		if err := m.further.Up(ctx, m.owner); err != nil {
			return err
		}
		if err := ensurePartitions(ctx, m.owner, m.now()); err != nil {
			return err
		}
		return m.grant(ctx)
	})
}

// Down reverts the latest group of Ticketgate's migrations or, if all is set, all migrations including Further's.
func (m *Migrator) Down(ctx context.Context, all bool) error {
	return m.locked(ctx, func(own *migrate.Migrator) error {
		if err := own.Init(ctx); err != nil {
			return err
		}
		for {
			group, err := own.Rollback(ctx)
			if err != nil {
				return err
			}
			if !all {
				return nil
			}
			if group.IsZero() {
				return m.further.Down(ctx, m.owner)
			}
		}
	})
}

// Status returns the status of every migration, Ticketgate's before Further's.
func (m *Migrator) Status(ctx context.Context) ([]MigrationStatus, error) {
	var list []MigrationStatus
	err := m.locked(ctx, func(own *migrate.Migrator) error {
		if err := own.Init(ctx); err != nil {
			return err
		}
		known, err := own.MigrationsWithStatus(ctx)
		if err != nil {
			return err
		}
		for _, migration := range known {
			list = append(list, MigrationStatus{
				Name: migration.String(), Applied: migration.IsApplied(), At: migration.MigratedAt,
			})
		}
		applied, missing, err := m.further.Status(ctx, m.owner)
		for _, name := range applied {
			list = append(list, MigrationStatus{Name: name, Applied: true})
		}
		for _, name := range missing {
			list = append(list, MigrationStatus{Name: name})
		}
		return err
	})
	return list, err
}

// EnsurePartitions creates the partitions of the coming days.
func (m *Migrator) EnsurePartitions(ctx context.Context) error {
	return ensurePartitions(ctx, m.owner, m.now())
}

// DropPartitions drops partitions that end before the given time, and returns their number.
func (m *Migrator) DropPartitions(ctx context.Context, before time.Time) (int, error) {
	return dropPartitions(ctx, m.owner, before)
}

// locked calls f while this process holds the advisory lock. Other processes wait for it.
func (m *Migrator) locked(ctx context.Context, f func(*migrate.Migrator) error) error {
	lock, err := m.owner.Conn(ctx)
	if err != nil {
		return mapError(err)
	}
	defer func() { _ = lock.Close() }()
	// Waiting for the lock may take as long as a migration, so lock_timeout must not apply.
	if _, err := lock.ExecContext(ctx, "SET lock_timeout = 0; SELECT pg_advisory_lock($1)", int64(migrationLock)); err != nil {
		return mapError(err)
	}
	defer func() {
		const release = "SELECT pg_advisory_unlock($1); RESET lock_timeout"
		_, _ = lock.ExecContext(context.WithoutCancel(ctx), release, int64(migrationLock))
	}()
	own, err := ownMigrations(m.owner)
	if err != nil {
		return err
	}
	return mapError(f(own))
}

func ownMigrations(owner *sql.DB) (*migrate.Migrator, error) {
	files, err := fs.Sub(migrationFiles, "migrations")
	if err != nil {
		return nil, err
	}
	all := migrate.NewMigrations()
	if err := all.Discover(files); err != nil {
		return nil, err
	}
	return migrate.NewMigrator(bun.NewDB(owner, pgdialect.New()), all,
		migrate.WithTableName("migrations"), migrate.WithLocksTableName("migration_locks"),
		migrate.WithMarkAppliedOnSuccess(true)), nil
}

// grant lets the application's role read and write the rows of every table. In the audit log it can only read and
// append.
func (m *Migrator) grant(ctx context.Context) error {
	if m.application == "" {
		return nil
	}
	role := pgx.Identifier{m.application}.Sanitize()
	for _, statement := range [...]string{
		"DO $$ BEGIN EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database()); END $$",
		"GRANT USAGE ON SCHEMA public TO " + role,
		"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO " + role,
		"GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO " + role,
		"GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public TO " + role,
		"REVOKE UPDATE, DELETE, TRUNCATE ON audit_entries FROM " + role,
		"REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON migrations, migration_locks FROM " + role,
	} {
		if _, err := m.owner.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("grant to %s: %w", m.application, err)
		}
	}
	return nil
}

// MigrationFiles returns the SQL files of all migrations.
func MigrationFiles() fs.FS { return migrationFiles }

// LatestMigration returns the number of the newest migration of this program, such as "0074".
func LatestMigration() string {
	entries, err := migrationFiles.ReadDir("migrations")
	if err != nil || len(entries) == 0 {
		return ""
	}
	return entries[len(entries)-1].Name()[:4]
}

// migrationRow is a row of migrations: an applied migration.
type migrationRow struct {
	bun.BaseModel `bun:"table:migrations,alias:m"`

	Name string `bun:"name"`
}

var migrations = &source[migrationRow]{}

// Migrated reports whether the latest migration of this program was applied. It uses the application's privileges.
func (s *Store) Migrated(ctx context.Context) (bool, error) {
	return migrations.where("m.name = $", LatestMigration()).exists(ctx, s, s.sql)
}
