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

// The bounds of an examination: of all questions together, and of how far clocks may be apart.
const (
	examineBound = 10 * time.Second
	clockNote    = 500 * time.Millisecond
	clockTrouble = 30 * time.Second
)

// examineDatabase asks the database, if it can be reached without starting anything.
func examineDatabase(ctx context.Context, config *program.Config) []finding {
	ctx, cancel := context.WithTimeout(ctx, examineBound)
	defer cancel()
	at := program.Configured(config)
	if config.DatabaseURL == "" {
		owner, application, err := embedded.Running(config.DataDir)
		if errors.Is(err, embedded.ErrNotRunning) {
			return []finding{{note, "database", "the private PostgreSQL is not running", "start `ticketgate serve` and ask again"}}
		}
		if err != nil {
			return []finding{{trouble, "database", err.Error(), ""}}
		}
		at = &program.Database{Application: application, Owner: owner}
	}
	application, err := pgx.Connect(ctx, at.Session())
	if err != nil {
		return []finding{{trouble, "database", err.Error(), "see that it runs and that " + program.SettingDatabaseURL + " is right"}}
	}
	defer func() { _ = application.Close(ctx) }()
	findings := []finding{{verdict: fine, about: "database", found: "can be reached as " + application.Config().User}}
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

// examinePooler sees whether the pooler has an entry for each pool, with its settings.
func examinePooler(ctx context.Context, config *program.Config, at *program.Database) []finding {
	if !config.Pooled {
		return nil
	}
	var findings []finding
	for _, fault := range at.PoolerFaults(ctx) {
		findings = append(findings, finding{trouble, "pooler", fault.Found, fault.Advice})
	}
	if len(findings) == 0 {
		findings = []finding{{verdict: fine, about: "pooler", found: "each of its entries has the settings of its pool"}}
	}
	return findings
}

// examineSecretKey sees whether the secret keys are those that the data was sealed with.
func examineSecretKey(ctx context.Context, config *program.Config, at *program.Database) finding {
	const about = "secret key"
	if err := config.MakeSecrets(); err != nil {
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
		return finding{trouble, about, err.Error(), "add the key that the data was sealed with to " + program.SettingSecretKey}
	}
	return finding{verdict: fine, about: about, found: "opens what is sealed in the database"}
}

// examineClock compares the clocks: expiry is decided by this machine's, leases and jobs by the database's.
func examineClock(ctx context.Context, conn *pgx.Conn) finding {
	before := time.Now()
	var theirs time.Time
	if err := conn.QueryRow(ctx, "SELECT clock_timestamp()").Scan(&theirs); err != nil {
		return finding{trouble, "clock", err.Error(), ""}
	}
	after := time.Now()
	apart := theirs.Sub(before.Add(after.Sub(before) / 2)).Round(time.Millisecond)
	found := finding{verdict: fine, about: "clock", found: fmt.Sprintf("the database's is %s ahead of this machine's", apart)}
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

// examineRole looks at what the application's role may do and should not.
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
		findings = []finding{{verdict: fine, about: "roles", found: "the application's role changes neither the schema nor the audit log"}}
	}
	return findings
}

func examineMigrations(ctx context.Context, at *program.Database) finding {
	migrator, err := at.Migrator()
	if err != nil {
		return finding{trouble, "migrations", err.Error(), ""}
	}
	defer func() { _ = migrator.Close() }()
	list, err := migrator.Status(ctx)
	if err != nil {
		return finding{trouble, "migrations", explained(err), "see that " + program.SettingOwnerURL + " is right"}
	}
	missing := 0
	for _, migration := range list {
		if !migration.Applied {
			missing++
		}
	}
	if missing > 0 {
		return finding{
			trouble, "migrations", fmt.Sprintf("%d of %d are missing", missing, len(list)),
			"run `ticketgate migrate up`, or start `ticketgate serve`, which does it",
		}
	}
	return finding{verdict: fine, about: "migrations", found: fmt.Sprintf("all %d are applied", len(list))}
}
