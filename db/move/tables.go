package move

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

// table is one of the schema.
type table struct {
	name string
	// columns are those that can be written, key those of the primary key.
	columns, key []string
	hasSeller    bool
	partitioned  bool
}

// ofAccounts are the tables that the home cluster has for all: rows of a seller stay there.
var ofAccounts = []string{"organizations", "users", "memberships", "sessions", "sellers", "invitations", "account_links"}

// ofCluster are the tables of which each cluster has its own. Jobs and what was set aside are created anew at the other cluster.
var ofCluster = []string{
	"credential_epoch", "leases", "login_failures", "known_places", "migrations", "migration_locks", "periodic_runs", "seller_moves",
	"set_aside", "uncounted_attempts", "list_count_deltas",
}

// copied is a table whose rows are copied by what they belong to: it has no seller_id, or numbers of its cluster.
type copied struct {
	name string
	// rows are the seller's, as a query or as the condition for t; $S is the seller.
	rows string
	// recent are those of them that may have changed since $T; empty are all.
	recent string
	// order is that in which rows are inserted.
	order string
}

const (
	ofKeys    = "t.api_key_id IN (SELECT id FROM api_keys WHERE seller_id = $S)"
	ofDevices = "t.device_id IN (SELECT id FROM devices WHERE seller_id = $S)"
	ofImports = "t.import_id IN (SELECT id FROM entry_imports WHERE seller_id = $S)"
	// changedImports have rows that may be new: of a file that comes in, and of what was just applied or undone.
	changedImports = "t.import_id IN (SELECT id FROM entry_imports WHERE seller_id = $S AND " +
		"(state = 'reading' OR greatest(created_at, committed_at, undone_at) >= $T))"
	ofWebhooks = "t.webhook_id = ANY (ARRAY(SELECT id FROM moving_webhooks))"
)

// copies are all such tables. What refers to a row of another one comes after it.
var copies = []copied{
	{name: "sellers", rows: "t.id = $S"},
	{name: "api_key_secrets", rows: ofKeys},
	{name: "api_key_uses", rows: ofKeys},
	{name: "api_key_calls", rows: ofKeys},
	{name: "api_key_needs", rows: ofKeys},
	{name: "device_uses", rows: ofDevices},
	{name: "scan_claims", rows: ofDevices},
	{name: "entry_import_options", rows: ofImports},
	{name: "entry_import_texts", rows: ofImports},
	{name: "entry_import_rows", rows: ofImports, recent: changedImports},
	{name: "attempts", rows: ofWebhooks, recent: ofWebhooks + " AND t.started_at >= $T"},
	{name: "webhook_figures", rows: ofWebhooks, recent: ofWebhooks + " AND t.at >= $T"},
	{name: "hand_over_attempts", rows: "t.invoice_id IN (SELECT id FROM invoices WHERE seller_id = $S)"},
	{
		name: "idempotent_requests", rows: "t.scope LIKE '%/' || $S || ' %'",
		recent: "t.scope LIKE '%/' || $S || ' %' AND t.created_at >= $T",
	},
	// Its ids are numbers of the cluster. Rows with a number of the seller's never change.
	{
		name: "device_feed", rows: "t.seller_id = $S AND (t.seq IS NULL OR t.seq > $N)", order: "t.id",
	},
}

// isReplaced reports whether each round of copies replaces all rows of the table.
func (c copied) isReplaced() bool {
	return c.recent == "" && c.name != "sellers" && c.name != "device_feed"
}

// isCopied reports whether rows of a table are copied and not replicated.
func isCopied(name string) bool {
	return slices.ContainsFunc(copies, func(c copied) bool { return c.name == name })
}

// isReplicated reports whether a table is part of a seller's publication.
func (t table) isReplicated() bool {
	return t.hasSeller && !isCopied(t.name) && !slices.Contains(ofAccounts, t.name) && !slices.Contains(ofCluster, t.name) &&
		t.name != "list_counts"
}

// tablesOf reads the schema. A table that this package knows nothing of is an error: its rows would be lost.
func tablesOf(ctx context.Context, on *pgx.Conn) ([]table, error) {
	rows, err := on.Query(ctx, `SELECT c.relname::text, c.relkind = 'p',
			ARRAY(SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
				AND a.attidentity = '' AND a.attgenerated = '' ORDER BY a.attnum),
			ARRAY(SELECT a.attname::text FROM pg_constraint p JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY (p.conkey)
				WHERE p.conrelid = c.oid AND p.contype = 'p' ORDER BY array_position(p.conkey, a.attnum))
		FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
		ORDER BY c.relname`)
	if err != nil {
		return nil, err
	}
	tables, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (table, error) {
		var t table
		err := row.Scan(&t.name, &t.partitioned, &t.columns, &t.key)
		t.hasSeller = slices.Contains(t.columns, "seller_id")
		return t, err
	})
	if err != nil {
		return nil, err
	}
	for _, t := range tables {
		known := t.hasSeller || isCopied(t.name) || slices.Contains(ofAccounts, t.name) || slices.Contains(ofCluster, t.name) ||
			strings.HasPrefix(t.name, "river_")
		if !known {
			return nil, fmt.Errorf("the table %s is not known: its rows can't be moved", t.name)
		}
	}
	return tables, nil
}

// replicated returns the tables of a seller's publication.
func replicated(tables []table) []table {
	return slices.DeleteFunc(slices.Clone(tables), func(t table) bool { return !t.isReplicated() })
}

// named returns the table with the name; it is empty if the schema has none.
func named(tables []table, name string) table {
	for _, t := range tables {
		if t.name == name {
			return t
		}
	}
	return table{}
}
