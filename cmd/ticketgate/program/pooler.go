package program

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"ticketgate/db"
	"ticketgate/jobs"
)

// connect opens a connection for a few statements, also to a pooler: none of them is prepared.
func connect(ctx context.Context, url, suffix string) (*pgx.Conn, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, err
	}
	config.Database += suffix
	config.DefaultQueryExecMode = pgx.QueryExecModeExec
	return pgx.ConnectConfig(ctx, config)
}

// suitable refuses settings that lead to different databases, or through a pooler where they must not, or past one.
func (d *Database) suitable(ctx context.Context) error {
	others := []namedURL{{SettingOwnerURL, d.Owner}}
	if d.Direct != "" {
		if faults := d.PoolerFaults(ctx); len(faults) > 0 {
			return fmt.Errorf("%s; %s", faults[0].Found, faults[0].Advice)
		}
		others = append(others, namedURL{SettingDirectURL, d.Direct})
	}
	first, err := identity(ctx, d.Application)
	if err != nil {
		return err
	}
	for _, other := range others {
		place, err := identity(ctx, other.url)
		if err != nil {
			return err
		}
		if place != first {
			return fmt.Errorf("%s names another database (%s) than %s (%s)", other.setting, place, SettingDatabaseURL, first)
		}
	}
	return nil
}

// namedURL is the URL of a setting.
type namedURL struct{ setting, url string }

// identity returns what a URL leads to: migrations of another database would be noticed only much later.
func identity(ctx context.Context, url string) (place string, err error) {
	conn, err := connect(ctx, url, "")
	if err != nil {
		return "", err
	}
	defer func() { _ = conn.Close(ctx) }()
	const query = "SELECT current_database() || ' of the server started at ' || pg_postmaster_start_time()"
	err = conn.QueryRow(ctx, query).Scan(&place)
	return place, err
}

// PoolerFault is what is wrong with the way through a pooler or past it, and what an operator can do about it.
type PoolerFault struct{ Found, Advice string }

// PoolerFaults returns what is wrong with the settings for a pooler in transaction mode, and with its own.
func (d *Database) PoolerFaults(ctx context.Context) []PoolerFault {
	var faults []PoolerFault
	for _, direct := range []namedURL{{SettingDirectURL, d.Direct}, {SettingOwnerURL, d.Owner}} {
		if fault := directFault(ctx, direct.setting, direct.url); fault != nil {
			faults = append(faults, *fault)
		}
	}
	for _, entry := range poolerEntries() {
		if fault := d.entryFault(ctx, entry); fault != nil {
			faults = append(faults, *fault)
		}
	}
	return faults
}

// directFault finds a pooler where there must be none: it gives its clients numbers that are no server process's.
func directFault(ctx context.Context, setting, url string) *PoolerFault {
	conn, err := connect(ctx, url, "")
	if err != nil {
		return &PoolerFault{setting + ": " + err.Error(), "see that the database runs and that the URL is right"}
	}
	defer func() { _ = conn.Close(ctx) }()
	var process uint32
	if err := conn.QueryRow(ctx, "SELECT pg_backend_pid()").Scan(&process); err != nil {
		return &PoolerFault{setting + ": " + err.Error(), "see that the database runs and that the URL is right"}
	}
	if process != conn.PgConn().PID() {
		return &PoolerFault{setting + " leads to a pooler", "name the database server itself"}
	}
	return nil
}

func poolerEntries() []db.PoolerEntry {
	return append(db.PoolerEntries(), db.PoolerEntry{Suffix: jobs.PoolerSuffix, Settings: jobs.PoolerSettings()})
}

// entryFault compares what the pooler has set on its connections with what an entry needs, in a transaction, as everything runs
// in one.
func (d *Database) entryFault(ctx context.Context, entry db.PoolerEntry) *PoolerFault {
	name := databaseOf(d.Application) + entry.Suffix
	advice := "in pgbouncer.ini, the entry " + name + " needs " + connectQuery(entry)
	conn, err := connect(ctx, d.Application, entry.Suffix)
	if err != nil {
		return &PoolerFault{SettingDatabaseURL + " with the database " + name + ": " + err.Error(), advice}
	}
	defer func() { _ = conn.Close(ctx) }()
	var wrong []string
	err = pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		for _, setting := range slices.Sorted(maps.Keys(entry.Settings)) {
			var value string
			const query = "SELECT setting FROM pg_settings WHERE name = $1"
			if err := tx.QueryRow(ctx, query, setting).Scan(&value); err != nil {
				return err
			}
			if value != entry.Settings[setting] {
				wrong = append(wrong, setting+" is "+value)
			}
		}
		return nil
	})
	if err != nil {
		return &PoolerFault{SettingDatabaseURL + " with the database " + name + ": " + err.Error(), advice}
	}
	if len(wrong) > 0 {
		return &PoolerFault{"behind the pooler's database " + name + ", " + strings.Join(wrong, " and "), advice}
	}
	return nil
}

// connectQuery is the option of an entry in pgbouncer.ini that sets what the entry needs.
func connectQuery(entry db.PoolerEntry) string {
	var query strings.Builder
	for i, setting := range slices.Sorted(maps.Keys(entry.Settings)) {
		if i > 0 {
			query.WriteString("; ")
		}
		query.WriteString("SET " + setting + " = " + entry.Settings[setting])
	}
	return "connect_query='" + query.String() + "'"
}

// databaseOf is the database in a URL that was read before.
func databaseOf(url string) string {
	config, err := pgconn.ParseConfig(url)
	if err != nil {
		return ""
	}
	return config.Database
}
