package program

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// suitable returns an error for configurations that would work at first and fail later. Examples are an owner of
// another database and secret keys that can't decrypt the stored data. In prod, it also rejects an application's role
// that could change the schema or the audit log.
func (p *Program) suitable(ctx context.Context) error {
	if p.Config.Prod {
		if err := refuseStrongRole(ctx, p.database); err != nil {
			return err
		}
	}
	if err := p.store.CheckSealed(ctx); err != nil {
		return fmt.Errorf("%s: %w", SettingSecretKey, err)
	}
	return nil
}

// refuseStrongRole returns an error if the application's role has rights that it must not have.
func refuseStrongRole(ctx context.Context, at *Database) error {
	conn, err := pgx.Connect(ctx, at.Session())
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	faults, err := RoleFaults(ctx, conn, at)
	if err != nil {
		return fmt.Errorf("%s: %w", SettingDatabaseURL, err)
	}
	if len(faults) > 0 {
		return fmt.Errorf("%s: %s; %s", SettingDatabaseURL, faults[0].Found, faults[0].Advice)
	}
	return nil
}

// RoleFault is a privilege that the application's role should not have, and how to revoke it.
type RoleFault struct {
	Found, Advice string
	// Owner means that the role owns the database, which is allowed in dev.
	Owner bool
}

// RoleFaults returns the privileges that the application's role should not have.
func RoleFaults(ctx context.Context, conn *pgx.Conn, at *Database) ([]RoleFault, error) {
	var superuser, creates, changesAudit bool
	err := conn.QueryRow(ctx, `SELECT
		(SELECT rolsuper FROM pg_roles WHERE rolname = current_user),
		has_schema_privilege('public', 'CREATE'),
		coalesce(has_table_privilege(to_regclass('audit_entries'), 'UPDATE'), false)`).
		Scan(&superuser, &creates, &changesAudit)
	if err != nil {
		return nil, err
	}
	if roleOf(at.Application) == roleOf(at.Owner) {
		return []RoleFault{{
			"the application's role owns the database: it can change the schema and the audit log",
			"create a second role for " + SettingDatabaseURL + " and set " + SettingOwnerURL + " to the present one",
			true,
		}}, nil
	}
	var faults []RoleFault
	for _, right := range []struct {
		has   bool
		fault RoleFault
	}{
		{superuser, RoleFault{
			Found: "the application's role is a superuser", Advice: "ALTER ROLE " + roleOf(at.Application) + " NOSUPERUSER",
		}},
		{creates, RoleFault{Found: "the application's role can create tables", Advice: "REVOKE CREATE ON SCHEMA public FROM PUBLIC"}},
		{changesAudit, RoleFault{Found: "the application's role can change the audit log", Advice: "run `ticketgate migrate up`"}},
	} {
		if right.has {
			faults = append(faults, right.fault)
		}
	}
	return faults, nil
}
