package program

import (
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

// A URL may name several servers. Connections go to the primary.
func TestDatabaseURLAllowsSeveralServers(t *testing.T) {
	t.Parallel()
	const url = "postgres://app@10.0.0.1:5432,10.0.0.2:5432,10.0.0.3:5433/tickets?target_session_attrs=read-write"
	if _, ok := databaseURL(url); !ok {
		t.Fatal("refused")
	}
	config, err := pgconn.ParseConfig(url)
	if err != nil || config.ValidateConnect == nil || len(config.Fallbacks) < 2 {
		t.Errorf("%v, %d fallbacks", err, len(config.Fallbacks))
	}
}

func TestConnectionsGoToThePrimaryUnlessTheURLSaysOtherwise(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"":                                "",
		"postgres://app:a%2Fb@db/tickets": "postgres://app:a%2Fb@db/tickets?target_session_attrs=primary",
		"postgres://app@/tickets?host=/run/a,/run/b&port=1,2":               "postgres://app@/tickets?host=/run/a,/run/b&port=1,2&target_session_attrs=primary",
		"postgres://app@a,b/tickets?target_session_attrs=read-write&port=1": "postgres://app@a,b/tickets?target_session_attrs=read-write&port=1",
		"postgres://app@a/tickets?target_session_attrs=any":                 "postgres://app@a/tickets?target_session_attrs=any",
	} {
		if got := Configured(&Config{DatabaseURL: given}).Application; got != want {
			t.Errorf("%s: got %s", given, got)
		}
	}
}
