package operations

import (
	"net/http"
	"strings"
	"testing"

	"ticketgate/cmd/systemtest"
)

func TestDeliveriesWorkThroughAPooler(t *testing.T) {
	t.Parallel()
	database, data := systemtest.Seeded(t)
	pooler := systemtest.ThroughPooler(t, database)
	settings := systemtest.OnDatabase(database, pooler.Settings...)
	listener, calls := systemtest.NewListener(t, func(int) int { return http.StatusOK })
	s := systemtest.Serve(t, settings)
	seller := systemtest.Subscribed(t, s.URL, listener, data.Sellers[0])
	// More often than a plan or a description is cached, and on more than one connection.
	for range 30 {
		systemtest.Publish(t, s.URL, seller)
		systemtest.CheckBody(t, systemtest.Await(t, calls, systemtest.DeliveredWithin), seller)
	}
	status, text := systemtest.Request(t, http.MethodGet, s.URL+"/api/access-lists", "", systemtest.AsKey(seller.APIKey))
	if status != http.StatusOK {
		t.Errorf("access lists: %d %s", status, text)
	}
	code, report, _ := systemtest.Run(t, settings, "doctor")
	if code != 0 || !strings.Contains(report, "every entry has the settings of its pool") {
		t.Errorf("doctor: %d\n%s", code, report)
	}
	if log := s.Stderr.String(); strings.Contains(log, "level=ERROR") || strings.Contains(log, "lease lost") {
		t.Errorf("the log has an error: %s", log)
	}
	if code := s.Stop(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// Every process knows a change of a key when it returns: the lease is held past the pooler.
func TestARevocationTakesEffectThroughAPooler(t *testing.T) {
	t.Parallel()
	database, data := systemtest.Seeded(t)
	settings := systemtest.OnDatabase(database, systemtest.ThroughPooler(t, database).Settings...)
	first, second := systemtest.Serve(t, settings), systemtest.Serve(t, settings, "--no-workers")
	as := systemtest.AsKey(data.Sellers[0].APIKey)
	info := func(at *systemtest.Process) (int, string) {
		return systemtest.Request(t, http.MethodGet, at.URL+"/api/keys/info", "", as)
	}
	for _, at := range []*systemtest.Process{first, second} {
		if status, text := info(at); status != http.StatusOK {
			t.Fatalf("%d %s", status, text)
		}
	}
	_, text := info(first)
	id := systemtest.Field(t, text, "_id")
	document := `mutation { updateApiKey(id: "` + id + `", input: {active: false}) { _id } }`
	status, text := systemtest.Request(t, http.MethodPost, first.URL+"/graphql", systemtest.Printed(t, map[string]any{"query": document}),
		systemtest.AsKey(systemtest.SystemToken), "X-Seller-Id: "+string(data.Sellers[0].SellerID))
	if status != http.StatusOK || strings.Contains(text, `"errors"`) {
		t.Fatalf("%d %s", status, text)
	}
	if status, text := info(second); status != http.StatusUnauthorized {
		t.Errorf("%d %s", status, text)
	}
	for _, at := range []*systemtest.Process{first, second} {
		if log := at.Stderr.String(); strings.Contains(log, "lease") {
			t.Errorf("a lease was not held: %s", log)
		}
	}
}

func TestPoolerIsCheckedAtStart(t *testing.T) {
	t.Parallel()
	database, _ := systemtest.Seeded(t)
	other, _ := systemtest.Seeded(t)
	for _, row := range []struct {
		name     string
		changes  []string
		settings func(*systemtest.Pooler) []string
		says     string
	}{
		{
			"an entry without its settings",
			[]string{"SET statement_timeout = 600000", "SET statement_timeout = 0"},
			nil,
			"behind the pooler's database ticketgate_long, statement_timeout is 0; in pgbouncer.ini, the entry ticketgate_long needs connect_query=",
		},
		{
			"an entry of another database",
			[]string{"ticketgate_jobs = host=10.0.0.5 dbname=ticketgate", "ticketgate_jobs = " + systemtest.PoolerEntry(t, other)},
			nil,
			"the pooler's database ticketgate_jobs must lead to the same database as ticketgate: it leads to ",
		},
		{"a missing entry", []string{"ticketgate_jobs ", "ticketgate_other "}, nil, "with the database ticketgate_jobs: "},
		{"a pooler of statements", []string{"pool_mode = transaction", "pool_mode = statement"}, nil, "with the database ticketgate: "},
		{"a direct URL through the pooler", nil, func(p *systemtest.Pooler) []string {
			return append(p.Settings, "TICKETGATE_DATABASE_DIRECT_URL="+p.URL)
		}, "TICKETGATE_DATABASE_DIRECT_URL leads to a pooler; name the database server itself"},
		{"a pooler without its setting", nil, func(p *systemtest.Pooler) []string {
			return []string{"TICKETGATE_DATABASE_URL=" + p.URL}
		}, "TICKETGATE_DATABASE_URL leads to a pooler, such as PgBouncer; " +
			"set TICKETGATE_DATABASE_POOLER=transaction and TICKETGATE_DATABASE_DIRECT_URL"},
		{
			"a pooler without its setting that drops settings",
			[]string{"[pgbouncer]", "[pgbouncer]\nignore_startup_parameters = statement_timeout"},
			func(p *systemtest.Pooler) []string { return []string{"TICKETGATE_DATABASE_URL=" + p.URL} },
			"TICKETGATE_DATABASE_URL leads to a pooler, such as PgBouncer; ",
		},
		{"a direct URL of another database", nil, func(p *systemtest.Pooler) []string {
			return append(p.Settings, "TICKETGATE_DATABASE_DIRECT_URL="+other.ApplicationURL)
		}, "TICKETGATE_DATABASE_DIRECT_URL must name the same database as TICKETGATE_DATABASE_URL: it leads to "},
		{"a direct URL of the owner", nil, func(p *systemtest.Pooler) []string {
			return append(p.Settings, "TICKETGATE_DATABASE_DIRECT_URL="+database.OwnerURL)
		}, "TICKETGATE_DATABASE_DIRECT_URL must name the same role as TICKETGATE_DATABASE_URL: "},
		{"an owner's URL of another database", nil, func(p *systemtest.Pooler) []string {
			return append(p.Settings, "TICKETGATE_DATABASE_OWNER_URL="+other.OwnerURL)
		}, "TICKETGATE_DATABASE_OWNER_URL must name the same database as TICKETGATE_DATABASE_URL: it leads to "},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			pooler := systemtest.ThroughPooler(t, database, row.changes...)
			settings := pooler.Settings
			if row.settings != nil {
				settings = row.settings(pooler)
			}
			environment := systemtest.OnDatabase(database, settings...)
			code, _, log := systemtest.Run(t, environment, "serve")
			if code != systemtest.CodeFailed || !strings.Contains(log, row.says) {
				t.Errorf("serve: %d %s", code, log)
			}
			code, report, _ := systemtest.Run(t, environment, "doctor")
			if found, _, _ := strings.Cut(row.says, ";"); code != systemtest.CodeFailed || !strings.Contains(report, found) {
				t.Errorf("doctor: %d %s", code, report)
			}
		})
	}
}
