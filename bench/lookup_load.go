package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"hash/crc32"
	"os"
	"time"

	"github.com/jackc/pgx/v5"
)

// The data for lookups: sellers with ten lists each, among which their codes are distributed. Every second holder of a
// code has a ticket, and every second of these is inside. All names are numbers, because pgbench can generate no other
// random names.
const (
	lookupSellers     = 100
	listsPerSeller    = 10
	eventsPerSeller   = 50
	firstLookupSeller = 1_000_000
	firstLookupCode   = 10_000_000
	firstLookupEvent  = 100
)

// lookupStatements create one seller with a device and a number of codes. The seller itself is created last, so that an
// existing seller is complete.
var lookupStatements = []string{
	`INSERT INTO catalog_events (seller_id, id, name, name_folded, type, starts_at, time_zone, skip_address_info, code_display,
			created_at, updated_at)
		SELECT @seller::bigint, 100 + n, 'Event', 'event', 'SINGLE', now(), 'UTC', false, 'QR', now(), now()
		FROM generate_series(0, 49) n`,
	`INSERT INTO access_lists (id, seller_id, type, name, name_folded, created_at, updated_at)
		SELECT @seller::bigint || '-' || n, @seller::bigint, 'static', 'List', 'list', now(), now()
		FROM generate_series(0, 9) n`,
	`INSERT INTO access_entries (id, list_id, seller_id, external_code, customer_id, firstname, lastname, email, email_folded,
			created_at, updated_at)
		SELECT @seller::bigint || '-' || n, @seller::bigint || '-' || n % 10, @seller::bigint, 10000000 + n,
			'customer-' || n, 'Zoë', 'Martin', 'zoe' || n || '@example.org', 'zoe' || n || '@example.org', now(), now()
		FROM generate_series(0, @entries::bigint - 1) n`,
	`INSERT INTO tickets (id, seller_id, event_id, ticket_type_id, customer_id, status, barcode, email_folded, search_folded,
			excluded_event_ids, document, created_at, updated_at)
		SELECT @seller::bigint || '-' || n, @seller::bigint, 100 + n % 50, 'type', 'customer-' || n, 'VALID', @seller::bigint || '-' || n,
			'zoe' || n || '@example.org', 'zoë martin', '{}', json_build_object('_id', @seller::bigint || '-' || n,
				'sellerId', @seller::bigint::text, 'eventId', (100 + n % 50)::text, 'ticketTypeId', 'type', 'ticketName', 'Day ticket',
				'createdAt', '2026-11-27T12:00:00.000Z', 'updatedAt', '2026-11-27T12:00:00.000Z', 'status', 'VALID',
				'secret', md5(n::text), 'barcode', @seller::bigint || '-' || n, 'email', 'zoe' || n || '@example.org',
				'firstname', 'Zoë', 'lastname', 'Martin', 'street', '1 rue de la Paix', 'city', 'Paris', 'postal', '75002',
				'country', 'FR', 'customerId', 'customer-' || n, 'currency', 'EUR', 'realPrice', 49.5, 'type', 'SINGLE'),
			'2026-11-27T12:00:00Z', '2026-11-27T12:00:00Z'
		FROM generate_series(0, @entries::bigint - 1, 2) n`,
	`INSERT INTO scan_places (seller_id, ticket_id, event_id, zone_id, checkins, inside)
		SELECT @seller::bigint, @seller::bigint || '-' || n, 100 + n % 50, '', 1, 1 FROM generate_series(0, @entries::bigint - 1, 4) n`,
	`INSERT INTO scan_groups (id, seller_id, name, name_folded, scan_config, created_at, updated_at)
		SELECT @seller::bigint, @seller::bigint, 'Gates', 'gates', '{"mode":"default","tapAndGo":{"enabled":true}}', now(), now()`,
	`INSERT INTO devices (id, seller_id, name, name_folded, access_all_events, event_ids, active, settings, scan_group_id,
			token_digest, hint, created_at, updated_at)
		SELECT @seller::bigint, @seller::bigint, 'Gate', 'gate', true, '{}', true, json_build_object('scanGroupId', @seller::bigint::text),
			@seller::bigint, @digest::bytea, '', now(), now()`,
	`INSERT INTO sellers (id, organization_id, name, country, webhooks, siren, created_at, updated_at)
		SELECT @seller::bigint, 'bench', 'Seller', 'FR', false, false, now(), now()`,
}

// indexesOfLookups is a condition for the indexes of the tables with millions of rows.
const indexesOfLookups = "indrelid IN ('access_entries'::regclass, 'tickets'::regclass, 'scan_places'::regclass)"

// loadLookups fills a migrated database with entries and returns the size of the tables. Each seller and each index is
// one transaction, so that an interrupted load can be continued.
func (r *rig) loadLookups(ctx context.Context, entries int) (size string, err error) {
	err = r.cluster.connected(ctx, r.cluster.url("postgres", r.name), func(conn *pgx.Conn) error {
		// Triggers and foreign keys are off: the rows are known to be correct, and there are many.
		_, err := conn.Exec(ctx, "SET session_replication_role = replica; SET maintenance_work_mem = '1GB'")
		if err != nil {
			return err
		}
		l := loader{conn, entries, time.Now()}
		if err := l.sellers(ctx); err != nil {
			return err
		}
		if err := l.indexes(ctx, indexesOfLookups); err != nil {
			return err
		}
		if _, err = conn.Exec(ctx, "VACUUM (ANALYZE)"); err != nil {
			return err
		}
		l.progressf("vacuum")
		size, err = l.warm(ctx)
		return err
	})
	return size, err
}

// loader loads one database.
type loader struct {
	*pgx.Conn
	entries int
	began   time.Time
}

// sellers loads the missing sellers with the indexes disabled. Building an index afterwards from sorted rows takes a
// fraction of the time of a million random insertions, and makes it as compact as possible.
func (l loader) sellers(ctx context.Context) error {
	var loaded int
	if err := l.QueryRow(ctx, "SELECT count(*) FROM sellers").Scan(&loaded); err != nil || loaded == lookupSellers {
		return err
	}
	_, err := l.Exec(ctx, "UPDATE pg_index SET indisready = false, indisvalid = false WHERE "+indexesOfLookups)
	if err != nil {
		return err
	}
	_, err = l.Exec(ctx, "INSERT INTO organizations VALUES ('bench', 'Bench', now()) ON CONFLICT DO NOTHING")
	if err != nil {
		return err
	}
	for ; loaded < lookupSellers; loaded++ {
		if err := l.seller(ctx, firstLookupSeller+loaded); err != nil {
			return err
		}
		l.progressf("seller %d of %d", loaded+1, lookupSellers)
	}
	return nil
}

// seller loads one seller in one transaction.
func (l loader) seller(ctx context.Context, seller int) error {
	digest := sha256.Sum256([]byte(deviceToken(seller)))
	values := pgx.NamedArgs{"seller": seller, "entries": l.entries / lookupSellers, "digest": digest[:]}
	return pgx.BeginFunc(ctx, l, func(tx pgx.Tx) error {
		for _, statement := range lookupStatements {
			if _, err := tx.Exec(ctx, statement, values); err != nil {
				return fmt.Errorf("%.60s: %w", statement, err)
			}
		}
		return nil
	})
}

// indexes builds the indexes that were disabled for loading, which makes them valid again.
func (l loader) indexes(ctx context.Context, of string) error {
	found, err := l.Query(ctx, "SELECT indexrelid::regclass::text FROM pg_index WHERE NOT indisvalid AND "+of)
	if err != nil {
		return err
	}
	indexes, err := pgx.CollectRows(found, pgx.RowTo[string])
	if err != nil {
		return err
	}
	for _, index := range indexes {
		if _, err := l.Exec(ctx, "REINDEX INDEX "+index); err != nil {
			return err
		}
		l.progressf("index %s", index)
	}
	return nil
}

// warm reads the large tables and their indexes once, so that a run after a restart of the machine measures the same as
// a run after the load. The extension is part of the installation of pgbench.
func (l loader) warm(ctx context.Context) (size string, err error) {
	if _, err := l.Exec(ctx, "CREATE EXTENSION IF NOT EXISTS pg_prewarm"); err != nil {
		return "", err
	}
	err = l.QueryRow(ctx, `SELECT pg_size_pretty(8192 * sum(pg_prewarm(relation::regclass, 'read'))) FROM (
		SELECT DISTINCT unnest(ARRAY[indrelid, indexrelid]) relation FROM pg_index WHERE `+indexesOfLookups+`) r`).Scan(&size)
	l.progressf("read %s", size)
	return size, err
}

// progressf reports the progress of a long load.
func (l loader) progressf(format string, arguments ...any) {
	if l.entries >= fullLookup {
		fmt.Fprintf(os.Stderr, "  %s: %s\n", time.Since(l.began).Round(time.Second), fmt.Sprintf(format, arguments...))
	}
}

// deviceToken returns the token of a seller's device. It is the same in each run, because nothing here is secret. The
// last eight characters are the checksum of the others, as in all tokens of the product.
func deviceToken(seller int) string {
	body := fmt.Sprintf("dev_%088d", seller)
	return fmt.Sprintf("%s%08x", body, crc32.ChecksumIEEE([]byte(body)))
}
