package db_test

import (
	"database/sql"
	"io/fs"
	"strings"
	"testing"
	"time"

	"ticketgate/db"
	"ticketgate/db/dbtest"
)

// earlier is a database that lacks a migration.
type earlier struct {
	t        *testing.T
	database *dbtest.Database
	owner    *sql.DB
}

func newEarlier(t *testing.T, file string) *earlier {
	t.Helper()
	e := &earlier{t: t, database: dbtest.New(t)}
	e.owner = open(t, e.database.OwnerURL)
	e.down(file)
	return e
}

// down reverts a migration.
func (e *earlier) down(file string) {
	e.t.Helper()
	down, err := fs.ReadFile(db.MigrationFiles(), "migrations/"+file+".tx.down.sql")
	if err != nil {
		e.t.Fatal(err)
	}
	name, _, _ := strings.Cut(file, "_")
	e.exec(string(down))
	e.exec("DELETE FROM migrations WHERE name = '" + name + "'")
}

func (e *earlier) exec(statement string) {
	e.t.Helper()
	if _, err := e.owner.ExecContext(e.t.Context(), statement); err != nil {
		e.t.Fatal(err)
	}
}

func (e *earlier) text(query string) (text string) {
	e.t.Helper()
	if err := e.owner.QueryRowContext(e.t.Context(), query).Scan(&text); err != nil {
		e.t.Fatalf("%s: %v", query, err)
	}
	return text
}

func (e *earlier) up() {
	e.t.Helper()
	if err := migrator(e.t, e.database, time.Now).Up(e.t.Context()); err != nil {
		e.t.Fatal(err)
	}
}

const earlierSeller = `INSERT INTO organizations (id, name, created_at) VALUES ('o', 'O', now());
	INSERT INTO sellers (id, organization_id, name, country, webhooks, siren, created_at, updated_at)
	VALUES ('s', 'o', 'S', 'FR', true, true, now(), now());`

// Records stored by an earlier version become what this version would store.
func TestMigrationsUpdateExistingRecords(t *testing.T) {
	t.Parallel()
	e := newEarlier(t, "0035_existing_records")
	const decomposed, composed = `zoe\u0308@x.example`, `zo\u00eb@x.example`
	e.exec(earlierSeller + `
		ALTER TABLE users DISABLE TRIGGER USER; ALTER TABLE tickets DISABLE TRIGGER USER; ALTER TABLE customers DISABLE TRIGGER USER;
		INSERT INTO users (id, email, email_folded, name, password_hash, created_at, updated_at) VALUES
			('1', 'a', E'` + decomposed + `', 'first', '', now(), now()),
			('2', 'b', E'e\u0301@x.example', 'second', '', now(), now()),
			('3', 'c', E'\u00e9@x.example', 'third', '', now(), now());
		INSERT INTO customers (id, seller_id, email_folded, name_folded, created_at, updated_at)
			VALUES ('c', 's', E'` + decomposed + `', E'zoe\u0308', now(), now());
		INSERT INTO api_keys (id, seller_id, name, hint, version, active, is_default, full_seller_access, permissions,
			created_by_type, created_by_id, created_at, updated_at)
		SELECT id, 's', id, '', 1, true, false, false, permissions, 'SYSTEM', 'system', now(), now() FROM (VALUES
			('both', '{tickets:create,transactions:create}'::text[]), ('one', '{tickets:create,tickets:list}'),
			('has', '{tickets:update,tickets:create}'), ('none', '{tickets:list}')) k (id, permissions);`)
	for id, slot := range map[string]string{
		"minutes": "2026-11-29T09:27Z", "basic": "2026-11-29T10:27:00.5+0100", "hours": "2026-11-29t10:27+01",
		"wire": "2026-11-29T09:27:00.000Z", "impossible": "2026-11-31T09:27Z", "none": "2026-11-29T09:27", "noon": "noon",
	} {
		e.exec(`INSERT INTO tickets (id, seller_id, event_id, ticket_type_id, status, barcode, search_folded, excluded_event_ids, document,
			created_at, updated_at) VALUES ('` + id + `', 's', 'e', 't', 'VALID', '` + id + `', E'zoe\u0308', '{}',
			'{"_id":"` + id + `","name":"say \"slotStartTime\":\"x\"","slotStartTime":"` + slot + `","realPrice":10.50}', now(), now())`)
	}
	e.exec(`ALTER TABLE users ENABLE TRIGGER USER; ALTER TABLE tickets ENABLE TRIGGER USER; ALTER TABLE customers ENABLE TRIGGER USER`)
	epoch := e.text("SELECT epoch FROM credential_epoch")
	e.up()
	for query, want := range map[string]string{
		`SELECT name FROM users WHERE email_folded = E'` + composed + `'`:                                 "first",
		`SELECT string_agg(name, ' ' ORDER BY name) FROM users WHERE email_folded = E'\u00e9@x.example'`:  "third",
		`SELECT id FROM customers WHERE email_folded = E'` + composed + `' AND name_folded = E'zo\u00eb'`: "c",
		`SELECT count(*) FROM tickets WHERE search_folded = E'zo\u00eb'`:                                  "7",
		`SELECT string_agg(document ->> 'slotStartTime', ' ' ORDER BY id) FROM tickets`: "2026-11-29T09:27:00.500Z 2026-11-29T09:27:00.000Z " +
			"2026-11-31T09:27Z 2026-11-29T09:27:00.000Z 2026-11-29T09:27 noon 2026-11-29T09:27:00.000Z",
		`SELECT document::text FROM tickets WHERE id = 'minutes'`: `{"_id":"minutes","name":"say \"slotStartTime\":\"x\"",` +
			`"slotStartTime":"2026-11-29T09:27:00.000Z","realPrice":10.50}`,
		`SELECT string_agg(id || ' ' || array_to_string(permissions, ','), E'\n' ORDER BY id) FROM api_keys`: "both tickets:create,transactions:create," +
			"tickets:update,transactions:update\nhas tickets:update,tickets:create\nnone tickets:list\none tickets:create,tickets:list,tickets:update",
		`SELECT string_agg(concat_ws(' ', object_id, actor_kind, actor_id, action, before, after, length(id)), E'\n' ORDER BY object_id)
			FROM audit_entries WHERE seller_id = 's'`: `both SYSTEM system updateApiKey {"permissions": ["tickets:create", "transactions:create"]} ` +
			`{"permissions": ["tickets:create", "transactions:create", "tickets:update", "transactions:update"]} 24` + "\n" +
			`one SYSTEM system updateApiKey {"permissions": ["tickets:create", "tickets:list"]} ` +
			`{"permissions": ["tickets:create", "tickets:list", "tickets:update"]} 24`,
		`SELECT epoch > ` + epoch + ` FROM credential_epoch`: "true",
	} {
		if got := e.text(query); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", query, got, want)
		}
	}
}

// Accounts from before invitations are kept, with their sessions and memberships. Their passwords may be known to
// others (ACCOUNT-4).
func TestAccountsOfTheVersionBeforeInvitations(t *testing.T) {
	t.Parallel()
	e := newEarlier(t, "0031_accounts")
	const user = "INSERT INTO users (id, email, email_folded, name, password_hash, created_at, updated_at) VALUES "
	e.exec(earlierSeller + user + `('1', 'Ada@x.example', 'ada@x.example', 'Ada', 'hash', now(), now()),
			('2', 'bob@x.example', 'bob@x.example', 'Bob', 'hash', now(), now());
		INSERT INTO memberships (id, user_id, seller_id, organization_id, role, created_at) VALUES
			('m1', '1', 's', NULL, 4, now()), ('m2', '1', NULL, 'o', 1, now()), ('m3', '2', 's', NULL, 2, now());
		INSERT INTO sessions (id, digest, user_id, created_at, last_used_at, expires_at, address, user_agent)
			VALUES ('x', 'digest', '1', now(), now(), now() + interval '1 day', '', '');`)
	if _, err := e.owner.ExecContext(t.Context(), user+"('3', 'ADA@x.example', 'ada@x.example', 'Ada', 'hash', now(), now())"); err == nil {
		t.Error("the earlier version had two accounts of one address")
	}
	e.up()
	e.exec(user + "('3', 'ADA@x.example', 'ada@x.example', 'Ada', 'hash', now(), now())") // by a process of the earlier version
	for query, want := range map[string]string{
		"SELECT string_agg(concat_ws(' ', id, email, name, password_hash, password_shared, invited_by_organization), E'\n' ORDER BY id) FROM users": "1 Ada@x.example Ada hash t\n2 bob@x.example Bob hash t\n3 ADA@x.example Ada hash t",
		"SELECT string_agg(concat_ws(' ', id, user_id, seller_id, organization_id, role), E'\n' ORDER BY id) FROM memberships":                      "m1 1 s 4\nm2 1 o 1\nm3 2 s 2",
		"SELECT string_agg(id || ' ' || user_id, ' ') FROM sessions":                                                                                "x 1",
		"SELECT (SELECT count(*) FROM invitations) + (SELECT count(*) FROM account_links) + (SELECT count(*) FROM known_places)":                    "0",
	} {
		if got := e.text(query); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", query, got, want)
		}
	}
	for constraint, statement := range map[string]string{
		"two places": `INSERT INTO invitations (id, seller_id, organization_id, email, email_folded, role, invited_by_type, invited_by_id,
			created_at, expires_at) VALUES ('i', 's', 'o', 'c', 'c', 1, 'SYSTEM', 'system', now(), now())`,
		"no organization": "UPDATE users SET invited_by_organization = 'none'",
	} {
		if _, err := e.owner.ExecContext(t.Context(), statement); err == nil {
			t.Errorf("%s was stored", constraint)
		}
	}
}

// A version without TEXT-1 may write next to this one.
func TestTextFoldedByAnEarlierVersionIsNormalized(t *testing.T) {
	t.Parallel()
	owner := open(t, dbtest.New(t).OwnerURL)
	var folded string
	err := owner.QueryRowContext(t.Context(), `INSERT INTO users (id, email, email_folded, name, password_hash, created_at, updated_at)
		VALUES ('1', 'a', E'zoe\u0308', 'n', '', now(), now()) RETURNING email_folded`).Scan(&folded)
	if err != nil || folded != "zo\u00eb" {
		t.Errorf("stored %+q, %v", folded, err)
	}
}
