package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"ticketgate/cmd/ticketgate/program"
	"ticketgate/db"
	"ticketgate/db/embedded"
)

// The time limit of all database checks together, and the limits of the difference between two clocks.
const (
	examineBound = 10 * time.Second
	clockNote    = 500 * time.Millisecond
	clockTrouble = 30 * time.Second
)

// examineDatabase checks the database. It starts no private server: if none is running, the database is not checked.
func examineDatabase(ctx context.Context, config *program.Config) []finding {
	ctx, cancel := context.WithTimeout(ctx, examineBound)
	defer cancel()
	at := program.Configured(config)
	if config.DatabaseURL == "" {
		owner, application, err := embedded.Running(config.DataDir)
		if errors.Is(err, embedded.ErrNotRunning) {
			advice := "start `ticketgate serve` and run this command again"
			return []finding{{note, "database", "the private PostgreSQL is not running", advice}}
		}
		if err != nil {
			return []finding{{trouble, "database", err.Error(), ""}}
		}
		at = &program.Database{Application: application, Owner: owner}
	}
	application, err := pgx.Connect(ctx, at.Session())
	if err != nil {
		advice := "check that the server is running and that " + program.SettingDatabaseURL + " is correct"
		return []finding{{trouble, "database", err.Error(), advice}}
	}
	defer func() { _ = application.Close(ctx) }()
	findings := []finding{{verdict: fine, about: "database", found: "reachable as " + application.Config().User}}
	if fault := at.UnnamedPooler(ctx); fault != nil {
		return append(findings, finding{trouble, "pooler", fault.Found, fault.Advice})
	}
	findings = append(findings, examinePlaces(ctx, at)...)
	findings = append(findings, examinePooler(ctx, config, at)...)
	findings = append(findings, examineServers(ctx, config, at)...)
	findings = append(findings, examineClock(ctx, application))
	findings = append(findings, examineRole(ctx, application, at)...)
	migrations := examineMigrations(ctx, at)
	findings = append(findings, migrations)
	if migrations.verdict != fine {
		return findings
	}
	return append(findings, examineSecretKey(ctx, config, at))
}

// examinePlaces checks that all URLs lead to the same database. A URL that can't be reached is reported by other
// checks.
func examinePlaces(ctx context.Context, at *program.Database) (findings []finding) {
	faults, _ := at.PlaceFaults(ctx)
	for _, fault := range faults {
		findings = append(findings, finding{trouble, "database", fault.Found, fault.Advice})
	}
	return findings
}

// examinePooler checks that the pooler has an entry for each pool, with the right settings.
func examinePooler(ctx context.Context, config *program.Config, at *program.Database) []finding {
	if !config.Pooled {
		return nil
	}
	var findings []finding
	for _, fault := range at.PoolerFaults(ctx) {
		findings = append(findings, finding{trouble, "pooler", fault.Found, fault.Advice})
	}
	if len(findings) == 0 {
		findings = []finding{{verdict: fine, about: "pooler", found: "every entry has the settings of its pool"}}
	}
	return findings
}

// examineSecretKey checks that the secret keys can decrypt the stored secrets.
func examineSecretKey(ctx context.Context, config *program.Config, at *program.Database) finding {
	const about = "secret key"
	if err := config.MakeSecretKey(); err != nil {
		return finding{trouble, about, err.Error(), ""}
	}
	sealer, err := db.NewSealer(config.SecretKeys...)
	if err != nil {
		return finding{trouble, about, err.Error(), ""}
	}
	store, err := db.Open(db.Config{URL: at.Session(), PoolSize: 1, Sealer: sealer, Now: time.Now})
	if err != nil {
		return finding{trouble, about, err.Error(), ""}
	}
	defer func() { _ = store.Close() }()
	if err := store.CheckSealed(ctx); err != nil {
		return finding{trouble, about, err.Error(), "add the key that encrypted the data to " + program.SettingSecretKey}
	}
	return finding{verdict: fine, about: about, found: "decrypts the stored data"}
}

// examineClock compares the clocks of this machine, which is used for expiry, and of the database, which is used for
// leases and jobs.
func examineClock(ctx context.Context, conn *pgx.Conn) finding {
	before := time.Now()
	var theirs time.Time
	if err := conn.QueryRow(ctx, "SELECT clock_timestamp()").Scan(&theirs); err != nil {
		return finding{trouble, "clock", err.Error(), ""}
	}
	after := time.Now()
	apart := theirs.Sub(before.Add(after.Sub(before) / 2)).Round(time.Millisecond)
	found := finding{verdict: fine, about: "clock", found: fmt.Sprintf("the database's clock is %s ahead of this machine's", apart)}
	switch {
	case apart.Abs() > clockTrouble:
		found.verdict = trouble
	case apart.Abs() > clockNote:
		found.verdict = note
	default:
		return found
	}
	found.advice = "synchronize both machines (NTP)"
	return found
}

// examineRole checks that the application's role has no more privileges than it needs.
func examineRole(ctx context.Context, conn *pgx.Conn, at *program.Database) []finding {
	faults, err := program.RoleFaults(ctx, conn, at)
	if err != nil {
		return []finding{{trouble, "roles", err.Error(), ""}}
	}
	findings := make([]finding, 0, 1)
	for _, fault := range faults {
		found := finding{trouble, "roles", fault.Found, fault.Advice}
		if fault.Owner {
			found.verdict = note
		}
		findings = append(findings, found)
	}
	if len(findings) == 0 {
		findings = []finding{{verdict: fine, about: "roles", found: "the application's role can't change the schema or the audit log"}}
	}
	return findings
}

// examineMigrations checks whether all migrations have been applied.
func examineMigrations(ctx context.Context, at *program.Database) finding {
	migrator, err := at.Migrator()
	if err != nil {
		return finding{trouble, "migrations", err.Error(), ""}
	}
	defer func() { _ = migrator.Close() }()
	list, err := migrator.Status(ctx)
	if err != nil {
		return finding{trouble, "migrations", explained(err), "check that " + program.SettingOwnerURL + " is correct"}
	}
	missing := 0
	for _, migration := range list {
		if !migration.Applied {
			missing++
		}
	}
	if missing > 0 {
		return finding{
			trouble, "migrations", fmt.Sprintf("%d of %d are not applied", missing, len(list)),
			"run `ticketgate migrate up`, or start `ticketgate serve`, which applies them",
		}
	}
	return finding{verdict: fine, about: "migrations", found: fmt.Sprintf("all %d are applied", len(list))}
}
