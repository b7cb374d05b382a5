package program

import (
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

// A URL may name several servers, of which connections go to the primary.
func TestADatabaseURLMayNameSeveralServers(t *testing.T) {
	t.Parallel()
	const url = "postgres://app@10.0.0.1:5432,10.0.0.2:5432,10.0.0.3:5433/tickets?target_session_attrs=read-write"
	if _, ok := databaseURL(url); !ok {
		t.Fatal("refused")
	}
	config, err := pgconn.ParseConfig(url)
	if err != nil || config.ValidateConnect == nil || len(config.Fallbacks) < 2 {
		t.Errorf("%v, %d further servers", err, len(config.Fallbacks))
	}
}
