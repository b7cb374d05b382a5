package move

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

// table is a table of the schema.
type table struct {
	name string
	// columns are the writable columns. key has those of the primary key.
	columns, key []string
	hasSeller    bool
	partitioned  bool
}

// ofAccounts are the tables of the home cluster, which do not move.
var ofAccounts = []string{"organizations", "users", "memberships", "sessions", "sellers", "invitations", "account_links"}

// ofCluster are tables that each cluster has for itself. For jobs and rows of set_aside, the other cluster creates new
// jobs.
var ofCluster = []string{
	"credential_epoch", "leases", "login_failures", "known_places", "migrations", "migration_locks", "periodic_runs", "seller_moves",
	"set_aside", "uncounted_attempts", "list_count_deltas",
}

// copied is a table whose rows are copied instead of replicated, because it has no seller_id, or because its keys are
// numbers that each cluster assigns.
type copied struct {
	name string
	// rows is a condition on t for the seller's rows. $S is the seller.
	rows string
	// recent restricts rows to those that may have changed since $T, to read fewer. If empty, all are read.
	recent string
	// order is the ORDER BY of the insertion.
	order string
	// shrinks means that rows may be deleted while the seller is served, and must then be deleted in the other cluster
	// too.
	shrinks bool
	// always means that each round copies all rows.
	always bool
}

const (
	ofKeys    = "t.api_key_id IN (SELECT id FROM api_keys WHERE seller_id = $S)"
	ofDevices = "t.device_id IN (SELECT id FROM devices WHERE seller_id = $S)"
	ofImports = "t.import_id IN (SELECT id FROM entry_imports WHERE seller_id = $S)"
	// changedImports selects imports that may have new rows: those that are being uploaded, and those recently
	// committed or undone.
	changedImports = "t.import_id IN (SELECT id FROM entry_imports WHERE seller_id = $S AND " +
		"(state = 'reading' OR greatest(created_at, committed_at, undone_at) >= $T))"
	ofWebhooks = "t.webhook_id = ANY (ARRAY(SELECT id FROM moving_webhooks))"
)

// copies are all tables to copy. Each follows the tables that it refers to.
var copies = []copied{
	{name: "sellers", rows: "t.id = $S", always: true},
	{name: "api_key_secrets", rows: ofKeys, shrinks: true},
	{name: "api_key_uses", rows: ofKeys},
	{name: "api_key_calls", rows: ofKeys},
	{name: "api_key_needs", rows: ofKeys},
	{name: "device_uses", rows: ofDevices},
	{name: "scan_claims", rows: ofDevices},
	{name: "entry_import_options", rows: ofImports},
	{name: "entry_import_texts", rows: ofImports, shrinks: true},
	{name: "entry_import_rows", rows: ofImports, recent: changedImports, shrinks: true},
	{name: "attempts", rows: ofWebhooks, recent: ofWebhooks + " AND t.started_at >= $T"},
	{name: "webhook_figures", rows: ofWebhooks, recent: ofWebhooks + " AND t.at >= $T"},
	{name: "hand_over_attempts", rows: "t.invoice_id IN (SELECT id FROM invoices WHERE seller_id = $S)"},
	{
		name: "idempotent_requests", rows: "t.scope LIKE '%/' || $S || ' %'",
		recent: "t.scope LIKE '%/' || $S || ' %' AND t.created_at >= $T",
	},
	// Each cluster assigns the ids of the feed. A row does not change after it got its number.
	{
		name: "device_feed", rows: "t.seller_id = $S AND (t.seq IS NULL OR t.seq > $N)", order: "t.id", always: true,
	},
}

// isCopied reports whether a table's rows are copied instead of replicated.
func isCopied(name string) bool {
	return slices.ContainsFunc(copies, func(c copied) bool { return c.name == name })
}

// isReplicated reports whether a table is part of a seller's publication.
func (t table) isReplicated() bool {
	return t.hasSeller && !isCopied(t.name) && !slices.Contains(ofAccounts, t.name) && !slices.Contains(ofCluster, t.name) &&
		t.name != "list_counts"
}

// tablesOf reads the schema. It returns an error for a table that this package does not know, because its rows would be
// lost.
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
			return nil, fmt.Errorf("unknown table %s: its rows can't be moved", t.name)
		}
	}
	return tables, nil
}

// replicated returns the tables of a seller's publication.
func replicated(tables []table) []table {
	return slices.DeleteFunc(slices.Clone(tables), func(t table) bool { return !t.isReplicated() })
}

// named returns the table with the name, or an empty table.
func named(tables []table, name string) table {
	for _, t := range tables {
		if t.name == name {
			return t
		}
	}
	return table{}
}
