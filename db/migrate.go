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

// migrationLock is the advisory lock under which only one process migrates at a time.
const migrationLock = 0x7469636b6574 // "ticket"

// Further is a set of migrations that another package owns, such as the job queue's. It runs as the owner,
// under the same lock.
type Further interface {
	Up(ctx context.Context, owner *sql.DB) error
	Down(ctx context.Context, owner *sql.DB) error
	// Status names the migrations that are applied and those that are missing.
	Status(ctx context.Context, owner *sql.DB) (applied, missing []string, err error)
}

// MigrationStatus is one migration and when it was applied, if it was.
type MigrationStatus struct {
	Name    string
	Applied bool
	At      time.Time // zero when not known
}

// Migrator brings the schema up, or down again, as the database's owner.
type Migrator struct {
	owner *sql.DB
	// application is the role that gets the rights on rows; empty when it is the owner itself.
	application string
	further     Further
	now         func() time.Time
}

// NewMigrator takes the owner's URL and the application's, whose role is granted what it needs.
func NewMigrator(ownerURL, applicationURL string, further Further, now func() time.Time) (*Migrator, error) {
	application, err := pgx.ParseConfig(applicationURL)
	if err != nil {
		return nil, fmt.Errorf("database URL: %w", err)
	}
	config, err := connConfig(ownerURL, Limits{Statement: 20 * time.Minute, Lock: 2 * time.Second, Idle: time.Minute})
	if err != nil {
		return nil, err
	}
	config.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol // a migration is many statements in one text
	m := &Migrator{owner: stdlib.OpenDB(*config), further: further, now: now}
	if application.User != config.User {
		m.application = application.User
	}
	return m, nil
}

// Stats says how the owner's connections are used.
func (m *Migrator) Stats() sql.DBStats { return m.owner.Stats() }

// Close closes the owner's connections.
func (m *Migrator) Close() error { return m.owner.Close() }

// Up applies what is missing, makes the coming days' partitions and grants the application its rights.
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

// Down takes back the latest group of ours, or everything including the job queue's when all is true.
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

// Status lists every migration, ours first.
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

// EnsurePartitions makes the partitions of the coming days; a periodic job calls it.
func (m *Migrator) EnsurePartitions(ctx context.Context) error {
	return ensurePartitions(ctx, m.owner, m.now())
}

// DropPartitions drops the partitions whose last day lies before the time.
func (m *Migrator) DropPartitions(ctx context.Context, before time.Time) (int, error) {
	return dropPartitions(ctx, m.owner, before)
}

// locked runs f while this process holds the advisory lock; others wait for it.
func (m *Migrator) locked(ctx context.Context, f func(*migrate.Migrator) error) error {
	lock, err := m.owner.Conn(ctx)
	if err != nil {
		return mapError(err)
	}
	defer func() { _ = lock.Close() }()
	// The lock may be held for as long as a migration takes: lock_timeout is for tables.
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

// grant gives the application's role the rows of every table, and of the audit log only reading and appending.
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

// MigrationFiles returns the SQL of every migration.
func MigrationFiles() fs.FS { return migrationFiles }

// LatestMigration is the name of the newest migration this program knows.
func LatestMigration() string {
	entries, err := migrationFiles.ReadDir("migrations")
	if err != nil || len(entries) == 0 {
		return ""
	}
	return entries[len(entries)-1].Name()[:4]
}

// migrationRow is a migration that was made.
type migrationRow struct {
	bun.BaseModel `bun:"table:migrations,alias:m"`

	Name string `bun:"name"`
}

var migrations = &source[migrationRow]{}

// Migrated tells whether the schema is as new as this program, with the application's rights.
func (s *Store) Migrated(ctx context.Context) (bool, error) {
	return migrations.where("m.name = $", LatestMigration()).exists(ctx, s, s.sql)
}
