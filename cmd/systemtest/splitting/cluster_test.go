package splitting

import (
	"database/sql"
	"os"
	"path/filepath"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver of the superuser's connection

	"ticketgate/cmd/systemtest"
	"ticketgate/db/embedded"
)

// cluster is an installation with its own PostgreSQL.
type cluster struct {
	*systemtest.Process

	environment []string
	superuser   string
	sql         *sql.DB
}

// newCluster starts a PostgreSQL that can replicate sellers, and migrates it. Serve starts the processes.
func newCluster(t *testing.T) *cluster {
	t.Helper()
	systemtest.Privately(t)                                // skips the test if PostgreSQL is missing
	parent, err := os.MkdirTemp("", "ticketgate-cluster-") //nolint:usetesting // t.TempDir is closed to the server's user
	systemtest.Must(t, err)
	systemtest.Must(t, os.Chmod(parent, 0o755))
	t.Cleanup(func() { _ = os.RemoveAll(parent) })
	server, err := embedded.Start(t.Context(), embedded.Config{
		DataDir: filepath.Join(parent, "data"), BinDir: os.Getenv("TICKETGATE_POSTGRES_BIN"),
		Parameters: map[string]string{"wal_level": "logical", "max_connections": "200"},
	})
	systemtest.Must(t, err)
	t.Cleanup(func() { _ = server.Stop(t.Context()) })
	c := &cluster{superuser: server.SuperuserURL(embedded.Database), environment: systemtest.Environment(
		"TICKETGATE_DATABASE_URL="+server.ApplicationURL(), "TICKETGATE_DATABASE_OWNER_URL="+server.OwnerURL(),
		"TICKETGATE_LISTEN=127.0.0.1:0", "TICKETGATE_SECRET_KEY="+systemtest.SecretKey, "TICKETGATE_SYSTEM_TOKEN="+systemtest.SystemToken,
		"TICKETGATE_ALLOW_PRIVATE_ADDRESSES=true", "TICKETGATE_DATA_DIR=/nonexistent", "TICKETGATE_TRUSTED_PROXIES=loopback",
	)}
	c.sql, err = sql.Open("pgx", c.superuser)
	systemtest.Must(t, err)
	t.Cleanup(func() { _ = c.sql.Close() })
	if code, _, log := systemtest.Run(t, c.environment, "migrate", "up"); code != 0 {
		t.Fatalf("migrate up: %s", log)
	}
	return c
}

// twoClusters starts clusters a and b, b with the accounts of a, and a router in front of them.
func twoClusters(t *testing.T) (a, b *cluster, router *systemtest.Process, databases []string) {
	t.Helper()
	a, b = newCluster(t), newCluster(t)
	databases = systemtest.Environment("TICKETGATE_MOVE_DATABASES=a="+a.superuser+",b="+b.superuser, "TICKETGATE_DATA_DIR=/nonexistent")
	if code, _, log := systemtest.Run(t, databases, "join-cluster", "b"); code != 0 {
		t.Fatalf("join-cluster: %s", log)
	}
	a.Process, b.Process = systemtest.Serve(t, a.environment), systemtest.Serve(t, b.environment)
	return a, b, routed(t, "a="+a.URL, "b="+b.URL), databases
}
