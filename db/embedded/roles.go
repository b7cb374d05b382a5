package embedded

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// The database and roles of every private server.
const (
	Database        = "ticketgate"
	OwnerRole       = "ticketgate_owner" // owns the database and what migrations create; not a superuser
	ApplicationRole = "ticketgate_app"   // reads and writes rows; changes no schema
)

// isProvisioned checks the database's access list, which is set last: if present, everything is done.
const isProvisioned = `select count(*) = 1 from pg_database where datname = '` + Database + `' and datacl is not null`

// rolesSQL creates the roles. It can be repeated after an interruption.
const rolesSQL = `
do $$
begin
	if not exists (select from pg_roles where rolname = 'ticketgate_owner') then
		create role ticketgate_owner login;
	end if;
	if not exists (select from pg_roles where rolname = 'ticketgate_app') then
		create role ticketgate_app login;
	end if;
end
$$`

// templateSQL runs in template1, so that databases created later, including those of tests, have the same rules. Up to
// PostgreSQL 14, all roles could create tables in public. Migrations may revoke privileges, as for the audit log.
const templateSQL = `
alter schema public owner to ticketgate_owner;
revoke create on schema public from public;
alter default privileges for role ticketgate_owner grant select, insert, update, delete on tables to ticketgate_app;
alter default privileges for role ticketgate_owner grant usage, select on sequences to ticketgate_app`

// provision creates roles and database if they are incomplete.
func provision(ctx context.Context, s *Server) error {
	if err := s.provisionOver(ctx); err != nil {
		return fmt.Errorf("private PostgreSQL: roles and database: %w", err)
	}
	return nil
}

// provisionOver creates the roles and the database as superuser, unless they exist.
func (s *Server) provisionOver(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, s.SuperuserURL("postgres"))
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx)) //nolint:errcheck // all results have been read
	var done bool
	if err := conn.QueryRow(ctx, isProvisioned).Scan(&done); err != nil || done {
		return err
	}
	if err := execute(ctx, conn, rolesSQL); err != nil {
		return err
	}
	if err := s.provisionTemplate(ctx); err != nil {
		return err
	}
	var there bool
	if err := conn.QueryRow(ctx, `select exists (select from pg_database where datname = '`+Database+`')`).Scan(&there); err != nil {
		return err
	}
	if !there {
		if err := execute(ctx, conn, `create database ticketgate owner ticketgate_owner`); err != nil {
			return err
		}
	}
	// With the privilege TEMPORARY, the application could still create tables.
	return execute(ctx, conn, `
		revoke all on database ticketgate from public;
		grant connect on database ticketgate to ticketgate_app`)
}

// provisionTemplate uses a connection of its own: template1 can be copied only while no connection to it is open.
func (s *Server) provisionTemplate(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, s.SuperuserURL("template1"))
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx)) //nolint:errcheck // all results have been read
	return execute(ctx, conn, templateSQL)
}

// execute runs one or more statements, in one transaction.
func execute(ctx context.Context, conn *pgx.Conn, sql string) error {
	return conn.PgConn().Exec(ctx, sql).Close()
}
