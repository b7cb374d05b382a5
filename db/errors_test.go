package db_test

import (
	"testing"
	"time"

	"ticketgate/db"
	"ticketgate/db/dbtest"
	"ticketgate/domain"
)

// lockedFirst are foreign keys of rows that are written while the row that they refer to is locked, so that it can't
// be deleted.
var lockedFirst = map[string]bool{
	"entry_import_row_of_import": true, "options_of_entry_import": true, "text_of_entry_import": true, "event_in_scan_group": true, "ticket_type_in_scan_group": true, "event_of_device": true,
}

// A caller who adds something to an object that is being deleted gets an error that names the object, not INTERNAL.
func TestAConcurrentDeletionIsExplained(t *testing.T) {
	database := dbtest.New(t)
	found, err := open(t, database.OwnerURL).QueryContext(t.Context(), `SELECT conname FROM pg_constraint
		WHERE contype = 'f' AND confrelid IN ('access_lists'::regclass, 'entry_imports'::regclass, 'catalog_events'::regclass,
			'ticket_types'::regclass, 'scan_zones'::regclass, 'scan_groups'::regclass, 'devices'::regclass, 'webhooks'::regclass)`)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = found.Close() }()
	seen := 0
	for found.Next() {
		var name string
		if err := found.Scan(&name); err != nil {
			t.Fatal(err)
		}
		seen++
		if db.Explains(name) == lockedFirst[name] {
			t.Errorf("%s: explained %t, and written under a lock %t", name, db.Explains(name), lockedFirst[name])
		}
	}
	if err := found.Err(); err != nil || seen < 12 {
		t.Errorf("%d foreign keys, %v", seen, err)
	}
}

// A server that refuses a connection counts as unavailable, whatever the reason. Here the role may not connect.
func TestARefusedConnectionIsUnavailable(t *testing.T) {
	t.Parallel()
	database := dbtest.New(t)
	const revoke = "DO $$ BEGIN EXECUTE format('REVOKE CONNECT ON DATABASE %I FROM PUBLIC, ticketgate_app', current_database()); END $$"
	if _, err := open(t, database.OwnerURL).ExecContext(t.Context(), revoke); err != nil {
		t.Fatal(err)
	}
	store, err := db.Open(db.Config{URL: database.ApplicationURL, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	if err := store.Ping(t.Context()); !domain.HasCode(err, domain.CodeUnavailable) {
		t.Errorf("got %v", err)
	}
}
