package program

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"ticketgate/db"
	"ticketgate/jobs"
)

// connect opens a connection for a few statements. It prepares none of them, so it also works through a pooler.
func connect(ctx context.Context, url, suffix string) (*pgx.Conn, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, err
	}
	config.Database += suffix
	config.DefaultQueryExecMode = pgx.QueryExecModeExec
	return pgx.ConnectConfig(ctx, config)
}

// suitable returns an error if the URLs lead to different databases, use a pooler where none is allowed, or bypass the
// required one.
func (d *Database) suitable(ctx context.Context) error {
	if fault := d.UnnamedPooler(ctx); fault != nil {
		return fmt.Errorf("%s; %s", fault.Found, fault.Advice)
	}
	if d.Direct != "" {
		if faults := d.PoolerFaults(ctx); len(faults) > 0 {
			return fmt.Errorf("%s; %s", faults[0].Found, faults[0].Advice)
		}
	}
	faults, err := d.PlaceFaults(ctx)
	if err == nil && len(faults) > 0 {
		err = errors.New(faults[0].Found)
	}
	return err
}

// PlaceFaults returns a fault for each setting that leads to a different database than the application's URL, and for a
// direct URL with a different role. The error describes URLs whose database can't be read.
func (d *Database) PlaceFaults(ctx context.Context) (faults []PoolerFault, err error) {
	first, role, err := identity(ctx, d.Application)
	if err != nil {
		return nil, err
	}
	for _, other := range []namedURL{{SettingOwnerURL, d.Owner}, {SettingDirectURL, d.Direct}} {
		if other.url == "" {
			continue
		}
		place, as, failed := identity(ctx, other.url)
		found := ""
		switch {
		case failed != nil:
			err = errors.Join(err, failed)
		case place != first:
			found = fmt.Sprintf("%s must name the same database as %s: it leads to %s, not to %s",
				other.setting, SettingDatabaseURL, place, first)
		case other.setting == SettingDirectURL && as != role:
			found = fmt.Sprintf("%s must name the same role as %s: %s, not %s", other.setting, SettingDatabaseURL, role, as)
		}
		if found != "" {
			faults = append(faults, PoolerFault{found, "correct " + other.setting})
		}
	}
	return faults, err
}

// namedURL is a URL with the name of its setting.
type namedURL struct{ setting, url string }

// identity returns the identity of the database at a URL, and the role. Without the check, migrations of a wrong database
// would be noticed only much later.
func identity(ctx context.Context, url string) (place, role string, err error) {
	conn, err := connect(ctx, url, "")
	if err != nil {
		return "", "", err
	}
	defer func() { _ = conn.Close(ctx) }()
	err = conn.QueryRow(ctx, selectPlace+", current_user").Scan(&place, &role)
	return place, role, err
}

const selectPlace = "SELECT current_database() || ' of the server started at ' || pg_postmaster_start_time()"

// PoolerFault describes a fault in the URLs of the database or in the settings of the pooler, and how to fix it.
type PoolerFault struct{ Found, Advice string }

// UnnamedPooler returns a fault if the application's URL leads to a pooler although no setting says so. A pooler
// refuses the settings of a connection or does not apply them.
func (d *Database) UnnamedPooler(ctx context.Context) *PoolerFault {
	config, err := pgx.ParseConfig(d.Application)
	if d.Direct != "" || err != nil {
		return nil
	}
	const setting, given = "statement_timeout", "5001ms"
	config.RuntimeParams[setting] = given
	config.DefaultQueryExecMode = pgx.QueryExecModeExec
	fault := &PoolerFault{
		SettingDatabaseURL + " leads to a pooler, such as PgBouncer", "set " + SettingPooler + "=transaction and " + SettingDirectURL,
	}
	conn, err := pgx.ConnectConfig(ctx, config)
	if refused, ok := errors.AsType[*pgconn.PgError](err); ok && strings.Contains(refused.Message, "startup parameter") {
		return fault
	}
	if err != nil {
		return nil // the next connection reports it
	}
	defer func() { _ = conn.Close(ctx) }()
	var process uint32
	var applied string
	err = conn.QueryRow(ctx, "SELECT pg_backend_pid(), current_setting($1)", setting).Scan(&process, &applied)
	if err == nil && process != conn.PgConn().PID() && applied != given {
		return fault
	}
	return nil
}

// PoolerFaults returns the faults in the settings for a pooler in transaction mode, and in the settings of the pooler
// itself.
func (d *Database) PoolerFaults(ctx context.Context) []PoolerFault {
	var faults []PoolerFault
	for _, direct := range []namedURL{{SettingDirectURL, d.Direct}, {SettingOwnerURL, d.Owner}} {
		if fault := directFault(ctx, direct.setting, direct.url); fault != nil {
			faults = append(faults, *fault)
		}
	}
	requests := ""
	for _, entry := range poolerEntries() {
		place, fault := d.entryFault(ctx, entry)
		switch {
		case fault == nil && entry.Suffix == "":
			requests = place
		case fault == nil && requests != "" && place != requests:
			name := databaseOf(d.Application)
			fault = &PoolerFault{
				fmt.Sprintf("the pooler's database %s must lead to the same database as %s: it leads to %s, not to %s",
					name+entry.Suffix, name, place, requests),
				"correct the entry " + name + entry.Suffix + " in pgbouncer.ini",
			}
		}
		if fault != nil {
			faults = append(faults, *fault)
		}
	}
	return faults
}

// directFault returns a fault if a URL that must not lead to a pooler does. A pooler's backend ids are not those of
// server processes.
func directFault(ctx context.Context, setting, url string) *PoolerFault {
	conn, err := connect(ctx, url, "")
	if err != nil {
		return &PoolerFault{setting + ": " + err.Error(), "check that the database is running and that the URL is correct"}
	}
	defer func() { _ = conn.Close(ctx) }()
	var process uint32
	if err := conn.QueryRow(ctx, "SELECT pg_backend_pid()").Scan(&process); err != nil {
		return &PoolerFault{setting + ": " + err.Error(), "check that the database is running and that the URL is correct"}
	}
	if process != conn.PgConn().PID() {
		return &PoolerFault{setting + " leads to a pooler", "name the database server itself"}
	}
	return nil
}

func poolerEntries() []db.PoolerEntry {
	return append(db.PoolerEntries(), db.PoolerEntry{Suffix: jobs.PoolerSuffix, Settings: jobs.PoolerSettings()})
}

// entryFault compares the settings of connections through an entry of the pooler with the required ones. It reads them
// in a transaction, like all statements. It returns the identity of the database of the entry.
func (d *Database) entryFault(ctx context.Context, entry db.PoolerEntry) (place string, fault *PoolerFault) {
	name := databaseOf(d.Application) + entry.Suffix
	advice := "in pgbouncer.ini, the entry " + name + " needs " + connectQuery(entry)
	conn, err := connect(ctx, d.Application, entry.Suffix)
	if err != nil {
		return "", &PoolerFault{SettingDatabaseURL + " with the database " + name + ": " + err.Error(), advice}
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
		return tx.QueryRow(ctx, selectPlace).Scan(&place)
	})
	if err != nil {
		return "", &PoolerFault{SettingDatabaseURL + " with the database " + name + ": " + err.Error(), advice}
	}
	if len(wrong) > 0 {
		return "", &PoolerFault{"behind the pooler's database " + name + ", " + strings.Join(wrong, " and "), advice}
	}
	return place, nil
}

// connectQuery returns the option of an entry in pgbouncer.ini that applies the required settings.
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

// databaseOf returns the name of the database in a valid URL.
func databaseOf(url string) string {
	config, err := pgconn.ParseConfig(url)
	if err != nil {
		return ""
	}
	return config.Database
}
