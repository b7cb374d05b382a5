package db_test

import (
	"slices"
	"strings"
	"testing"

	"ticketgate/db/dbtest"
)

// allSellers are the functions that work on all sellers at once (TENANT-1). No caller gets their results.
var allSellers = map[string]string{
	"Load":                 "a worker loads the deliveries that its jobs name",
	"lockedDeliveries":     "a worker locks the deliveries that it has loaded",
	"storing":              "a worker stores the attempts of deliveries that it has loaded",
	"updateHandOver":       "called with a row that was read and locked for its seller",
	"Overdue":              "a worker looks for lost jobs",
	"count":                "the count of earlier attempts reads all deliveries",
	"earlierAttempts":      "the count of earlier attempts reads all deliveries",
	"Backlog":              "a metric of the whole installation",
	"DuePurchaseIntents":   "a periodic job expires them, each for its own seller",
	"ExpiredCheckouts":     "a periodic job aborts them, each for its own seller",
	"CheckSealed":          "a check at start for a secret that no key opens",
	"SweepEntryImports":    "retention",
	"DeletedWebhooks":      "a periodic job cancels their deliveries, each for its own seller",
	"PurgeUnknownCodes":    "retention",
	"PurgeRefusals":        "retention",
	"PurgeInvitations":     "retention",
	"Sent":                 "a worker records the email of a link that it has loaded",
	"purgeSomeChanges":     "retention: finds the sellers whose feed has old rows",
	"purgeFirstChanges":    "retention: the ids come from a scope that names the seller",
	"numberChanges":        "the ids come from a scope that names the seller",
	"WaitForUploads":       "a lock of the table, not of rows",
	"PurgeClaims":          "retention",
	"FoldListCounts":       "a loop adds the deltas of all sellers",
	"CountEarlierAttempts": "the count of earlier attempts reads all deliveries",
}

// credentials are the functions that find the seller of a call, or that act on an organization's own rows (TENANT-1).
var credentials = map[string]string{
	"PlaceOfKey":        "a key's digest says which seller it belongs to",
	"PlaceOfDevice":     "a token's digest says which seller it belongs to",
	"sessionCredential": "a session's digest says whose memberships are read",
	"readGate":          "a device's credential says which gate is read",
	"waitingDevice":     "a pairing code says which device is read",
	"SecretOfCheckout":  "a checkout's secret says which seller a buyer calls",
	"UpdateKey":         "keys belong to a seller or to an organization; the row was locked for its owner",
	"ReplaceSecret":     "keys belong to a seller or to an organization; the row was locked for its owner",
	"SetRole":           "memberships are at a seller or at an organization; the row was locked for its place",
	"RemoveMember":      "memberships are at a seller or at an organization; the row was locked for its place",
	"Memberships":       "a user's own memberships",
	"CountMemberships":  "a user's own memberships",
	"BelongsOnlyTo":     "a user's own memberships",
	"MergeAccount":      "the memberships of two accounts with the same password",
	"AccountOfMember":   "a member of the organization or of one of its sellers",
	"HasMemberBelow":    "a member of the organization or of one of its sellers",
	"Offer":             "a code says whose invitation is read",
	"UseInvitation":     "a code says whose invitation is accepted",
	"ExtendInvitation":  "invitations are to a seller or to an organization; the row was locked for its place",
	"DeleteInvitation":  "invitations are to a seller or to an organization; the row was locked for its place",
	"IssuedLinks":       "the links of an organization and of its place",
	"ResetIsOpen":       "a code says whose password is reset",
	"UseReset":          "a code says whose password is reset",
	"openLinks":         "a code says whose link is used",
	"invitationsTo":     "invitations are to a seller or to an organization",
	"membersOf":         "memberships are at a seller or at an organization",
	"endLinks":          "the links of one invitation or of one user",
	"KeyCredential":     "a key's digest says which seller it belongs to",
	"DeviceCredential":  "a token's digest says which seller it belongs to",
}

// otherTables have no seller_id. The value says what their rows belong to.
var otherTables = map[string]string{
	"attempts": "of a delivery", "hand_over_attempts": "of a hand-over", "entry_import_rows": "of an import",
	"entry_import_options": "of an import", "entry_import_texts": "of an import",
	"webhook_figures": "of a webhook", "uncounted_attempts": "of a delivery", "set_aside": "of a delivery", "scan_claims": "of a device",
	"api_key_calls": "of a key", "api_key_needs": "of a key", "api_key_secrets": "of a key", "api_key_uses": "of a key",
	"device_uses": "of a device", "migrations": "of the installation", "migration_locks": "of the installation",
	"sellers": "the sellers themselves", "organizations": "above sellers", "users": "above sellers", "sessions": "of a user",
	"login_failures": "of an address or account", "leases": "of the processes", "credential_epoch": "of the installation", "periodic_runs": "of the installation",
	"idempotent_requests": "of a credential", "known_places": "of an account",
}

func TestStatementsNameTheirSeller(t *testing.T) {
	tables := tenantTables(t)
	statements := readSource(t, ".").statements()
	if len(statements) < 200 {
		t.Errorf("only %d statements were read", len(statements))
	}
	for _, s := range statements {
		for _, scope := range scopesOf(s.text) {
			missing := scope.missing(tables)
			if len(missing) == 0 {
				continue
			}
			if allSellers[s.function] != "" || credentials[s.function] != "" {
				continue
			}
			t.Errorf("%s reads or changes %s without seller_id:\n\t%s", s.function, strings.Join(missing, ", "),
				strings.Join(scope.words, " "))
		}
	}
}

// A listed name without a function would excuse the next function of that name.
func TestListedFunctionsExist(t *testing.T) {
	functions := map[string]bool{}
	for _, function := range readSource(t, ".").all {
		functions[function.Name.Name] = true
	}
	for _, listed := range []map[string]string{allSellers, credentials} {
		for name := range listed {
			if !functions[name] {
				t.Errorf("%s is listed but does not exist", name)
			}
		}
	}
}

func TestEveryTableHasASellerOrIsListed(t *testing.T) {
	tenants := tenantTables(t)
	for _, table := range tablesWhere(t, "true") {
		owned := tenants[table] || strings.HasPrefix(table, "river_") || strings.HasPrefix(table, "bun_")
		if _, listed := otherTables[table]; !owned && !listed {
			t.Errorf("%s has no seller_id and is not listed", table)
		}
	}
	for table := range otherTables {
		if tenants[table] {
			t.Errorf("%s is listed but has a seller_id", table)
		}
	}
}

// The parser finds the tables of a statement that are not restricted to a seller.
func TestScopesWithoutSeller(t *testing.T) {
	tables := map[string]bool{"tickets": true, "scans": true}
	for text, want := range map[string][]string{
		"SELECT * FROM tickets WHERE id = $1 AND seller_id = $2":                                                nil,
		"SELECT seller_id FROM tickets WHERE id = $1":                                                           {"tickets"},
		"SELECT * FROM tickets t JOIN scans s ON s.ticket_id = t.id WHERE t.seller_id = $1":                     {"scans"},
		"SELECT * FROM tickets t JOIN scans s ON s.ticket_id = t.id AND s.seller_id = t.seller_id WHERE id = 1": {},
		"SELECT 1 WHERE EXISTS (SELECT FROM scans WHERE id = $1) AND seller_id = $2":                            {"scans"},
		"SELECT * FROM tickets WHERE seller_id = $1 UNION ALL SELECT * FROM tickets WHERE id = $2":              {"tickets"},
		"DELETE FROM tickets WHERE id = $1 RETURNING seller_id":                                                 {"tickets"},
		"UPDATE tickets SET seller_id = $1 WHERE id = $2":                                                       {"tickets"},
		"INSERT INTO tickets (id) VALUES ($1)":                                                                  {"tickets"},
		"INSERT INTO tickets (id, seller_id) VALUES ($1, $2)":                                                   nil,
		"WITH t AS (SELECT * FROM scans) SELECT * FROM t":                                                       {"scans"},
		"SELECT * FROM a, tickets WHERE a.id = $1":                                                              {"tickets"},
	} {
		var missing []string
		for _, scope := range scopesOf(text) {
			missing = append(missing, scope.missing(tables)...)
		}
		slices.Sort(missing)
		if !slices.Equal(missing, want) {
			t.Errorf("%s: missing %v, want %v", text, missing, want)
		}
	}
}

func tenantTables(t *testing.T) map[string]bool {
	t.Helper()
	tables := map[string]bool{}
	for _, name := range tablesWhere(t, `EXISTS (SELECT FROM information_schema.columns c
		WHERE c.table_schema = t.table_schema AND c.table_name = t.table_name AND c.column_name = 'seller_id')`) {
		tables[name] = true
	}
	return tables
}

// tablesWhere returns the tables that meet a condition, without partitions.
func tablesWhere(t *testing.T, condition string) []string {
	t.Helper()
	pool := dbtest.New(t).Owner(t)
	rows, err := pool.QueryContext(t.Context(), `SELECT table_name FROM information_schema.tables t
		WHERE t.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND (`+condition+`)
			AND NOT EXISTS (SELECT FROM pg_inherits WHERE inhrelid = t.table_name::text::regclass) ORDER BY table_name`)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	var names []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return names
}
