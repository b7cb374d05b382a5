// Package dbtest gives each test a private database on a real PostgreSQL.
//
// Because it is test support, it may join the store with the job queue's tables, which the product keeps separate.
package dbtest

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	_ "github.com/jackc/pgx/v5/stdlib" // driver for the connection of the administrator

	"ticketgate/db"
	"ticketgate/db/embedded"
	"ticketgate/jobs"
)

// Database is the private database of a test. It is migrated and empty.
type Database struct {
	OwnerURL       string
	ApplicationURL string
	Sealer         *db.Sealer
}

// SecretKey is the secret key that tests encrypt with.
var SecretKey = []byte("0123456789abcdef0123456789abcdef")

// New returns a copy of the migrated template database, which is dropped at the end of the test.
func New(t testing.TB) *Database {
	t.Helper()
	server := startOnce(t)
	template, err := server.template(t.Context())
	if err != nil {
		t.Fatalf("test database: %v", err)
	}
	return server.database(t, template)
}

// NewFrom is like New, but returns a copy of a database that fill has filled. fill runs once per name and cluster. note
// is what it returned.
func NewFrom(t testing.TB, name string, fill func(*Database) (note string, err error)) (*Database, string) {
	t.Helper()
	server := startOnce(t)
	template, note, err := server.filledTemplate(t.Context(), name, fill)
	if err != nil {
		t.Fatalf("test database with %s: %v", name, err)
	}
	return server.database(t, template), note
}

// database returns a copy of a template for the duration of the test.
func (s *server) database(t testing.TB, template string) *Database {
	t.Helper()
	name := "test_" + unique()
	if err := s.clone(t.Context(), name, template); err != nil {
		t.Fatalf("test database: %v", err)
	}
	t.Cleanup(func() {
		// FORCE drops the database even if the test has leaked a connection.
		_ = s.execute(context.Background(), "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)")
	})
	database, err := s.opened(name)
	if err != nil {
		t.Fatal(err)
	}
	return database
}

// opened returns the URLs of a database on the cluster.
func (s *server) opened(name string) (*Database, error) {
	sealer, err := db.NewSealer(SecretKey)
	return &Database{
		OwnerURL:       s.url(embedded.OwnerRole, name),
		ApplicationURL: s.url(embedded.ApplicationRole, name),
		Sealer:         sealer,
	}, err
}

// server is the database cluster that all tests of this process share.
type server struct {
	superuser string // URL of the administrator's database
	once      sync.Once
	made      string
	err       error
}

var (
	startMutex sync.Mutex
	started    *server
)

// startOnce returns the cluster of the whole test run or, if there is none, starts one that ends with this process.
func startOnce(t testing.TB) *server {
	t.Helper()
	startMutex.Lock()
	defer startMutex.Unlock()
	if started != nil {
		return started
	}
	if superuser := os.Getenv("TICKETGATE_TEST_SUPERUSER_URL"); superuser != "" {
		started = &server{superuser: superuser}
		return started
	}
	cluster, err := embedded.StartTemporary(context.Background()) // outlives this test
	if errors.Is(err, embedded.ErrNoBinaries) && os.Getenv("CI") == "" {
		t.Skipf("needs PostgreSQL: %v", err)
	}
	if err != nil {
		t.Fatalf("start PostgreSQL: %v", err)
	}
	started = &server{superuser: cluster.SuperuserURL("postgres")}
	return started
}

// url returns the URL of a database on the cluster for a role.
func (s *server) url(role, database string) string {
	address, err := url.Parse(s.superuser)
	if err != nil {
		return s.superuser
	}
	address.User, address.Path = url.User(role), "/"+database
	return address.String()
}

// template returns the migrated database that tests copy. It creates it once per cluster.
func (s *server) template(ctx context.Context) (string, error) {
	s.once.Do(func() { s.made, s.err = s.makeTemplate(ctx) })
	return s.made, s.err
}

func (s *server) makeTemplate(ctx context.Context) (string, error) {
	hash, err := schemaHash()
	if err != nil {
		return "", err
	}
	name := "template_" + hash
	_, err = s.makeOnce(ctx, name, func(building string) (string, error) {
		if err := s.execute(ctx, "CREATE DATABASE "+building+" OWNER "+embedded.OwnerRole); err != nil {
			return "", err
		}
		return "", s.migrate(ctx, building)
	})
	return name, err
}

// filledTemplate returns a template that fill has filled, and fill's note. It creates it once per cluster and name.
func (s *server) filledTemplate(ctx context.Context, name string, fill func(*Database) (string, error)) (template, note string, err error) {
	migrated, err := s.template(ctx)
	if err != nil {
		return "", "", err
	}
	hash := sha256.Sum256([]byte(name))
	template = migrated + "_" + hex.EncodeToString(hash[:])[:16]
	note, err = s.makeOnce(ctx, template, func(building string) (string, error) {
		if err := s.clone(ctx, building, migrated); err != nil {
			return "", err
		}
		database, err := s.opened(building)
		if err != nil {
			return "", err
		}
		return fill(database)
	})
	return template, note, err
}

// makeOnce returns the note of the database with this name. If it does not exist, build creates it first.
func (s *server) makeOnce(ctx context.Context, name string, build func(building string) (note string, err error)) (string, error) {
	admin, err := pgx.Connect(ctx, s.superuser)
	if err != nil {
		return "", err
	}
	defer func() { _ = admin.Close(ctx) }() // releases the lock
	// Test binaries of several packages start at the same time.
	if _, err := admin.Exec(ctx, "SELECT pg_advisory_lock(20261127)"); err != nil {
		return "", err
	}
	var note string
	err = admin.QueryRow(ctx,
		"SELECT coalesce(shobj_description(oid, 'pg_database'), '') FROM pg_database WHERE datname = $1", name).Scan(&note)
	if !errors.Is(err, pgx.ErrNoRows) {
		return note, err
	}
	building := name + "_building"
	if _, err := admin.Exec(ctx, "DROP DATABASE IF EXISTS "+building+" WITH (FORCE)"); err != nil {
		return "", err
	}
	if note, err = build(building); err != nil {
		return "", err
	}
	for _, statement := range [...]string{
		"COMMENT ON DATABASE " + building + " IS '" + strings.ReplaceAll(note, "'", "''") + "'",
		"ALTER DATABASE " + building + " RENAME TO " + name,
	} {
		if _, err := admin.Exec(ctx, statement); err != nil {
			return "", err
		}
	}
	return note, nil
}

func (s *server) migrate(ctx context.Context, database string) error {
	migrator, err := db.NewMigrator(s.url(embedded.OwnerRole, database), s.url(embedded.ApplicationRole, database),
		jobs.Migrations{}, time.Now)
	if err != nil {
		return err
	}
	return errors.Join(migrator.Up(ctx), migrator.Close())
}

// schemaHash identifies the contents of a template, so that a new one is created after a change. It covers all
// migrations, and the current day because a template contains the partitions of the coming week.
func schemaHash() (string, error) {
	hash := sha256.New()
	fmt.Fprintln(hash, time.Now().UTC().Format(time.DateOnly), jobs.MigrationVersion)
	err := fs.WalkDir(db.MigrationFiles(), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(db.MigrationFiles(), path)
		hash.Write(text)
		return err
	})
	return hex.EncodeToString(hash.Sum(nil))[:16], err
}

// clone copies the template. PostgreSQL refuses while a connection to the template is open, so clone retries.
func (s *server) clone(ctx context.Context, name, template string) error {
	statement := "CREATE DATABASE " + name + " TEMPLATE " + template + " STRATEGY file_copy OWNER " + embedded.OwnerRole
	for try := 0; ; try++ {
		err := s.execute(ctx, statement)
		if err == nil { // privileges on the database are not copied
			return s.execute(ctx, "REVOKE TEMPORARY ON DATABASE "+name+" FROM PUBLIC")
		}
		var refused *pgconn.PgError
		if try == 100 || !errors.As(err, &refused) || refused.Code != "55006" {
			return err
		}
		time.Sleep(20 * time.Millisecond) //nolint:forbidigo // no event signals the end of the last connection
	}
}

func (s *server) execute(ctx context.Context, statement string) error {
	pool, err := sql.Open("pgx", s.superuser)
	if err != nil {
		return err
	}
	defer func() { _ = pool.Close() }()
	_, err = pool.ExecContext(ctx, statement)
	return err
}

func unique() string {
	return strings.ReplaceAll(fmt.Sprintf("%d_%d", os.Getpid(), time.Now().UnixNano()), "-", "")
}
