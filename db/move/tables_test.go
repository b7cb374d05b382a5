package move

import (
	"testing"

	"github.com/jackc/pgx/v5"

	"ticketgate/db/dbtest"
)

// A new table must be added to tables.go. A move would otherwise leave its rows behind.
func TestEveryTableIsKnown(t *testing.T) {
	on, err := pgx.Connect(t.Context(), dbtest.New(t).OwnerURL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = on.Close(t.Context()) }()
	tables, err := tablesOf(t.Context(), on)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range copies {
		if named(tables, c.name).name == "" {
			t.Errorf("%s is copied but does not exist", c.name)
		}
	}
	if count := len(replicated(tables)); count < 25 {
		t.Errorf("only %d tables are replicated", count)
	}
	for _, name := range []string{"access_entries", "tickets", "scans", "events", "deliveries", "invoices", "audit_entries"} {
		if !named(tables, name).isReplicated() {
			t.Errorf("%s is not replicated", name)
		}
	}
	// A table without seller_id whose rows can't be found through another table is refused.
	if _, err := on.Exec(t.Context(), "CREATE TABLE unheard_of (id text PRIMARY KEY)"); err != nil {
		t.Fatal(err)
	}
	if _, err := tablesOf(t.Context(), on); err == nil {
		t.Error("an unknown table was accepted")
	}
}
