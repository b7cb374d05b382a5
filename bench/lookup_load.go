package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"os"
	"time"

	"github.com/jackc/pgx/v5"
)

// The world of a lookup: sellers with ten lists each, in which their codes lie in turns. Every second holder of a code
// has a ticket. All names are numbers, since pgbench can't make others at random.
const (
	lookupSellers     = 100
	eventsPerSeller   = 50
	firstLookupSeller = 1_000_000
	firstLookupCode   = 10_000_000
	firstLookupEvent  = 100
)

// lookupStatements make one seller with so many codes, counted from the first one, and a device. The seller itself is
// last, so that one that is there is whole.
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
	`INSERT INTO scan_groups (id, seller_id, name, name_folded, scan_config, created_at, updated_at)
		SELECT @seller::bigint, @seller::bigint, 'Gates', 'gates', '{"mode":"default","tapAndGo":{"enabled":true}}', now(), now()`,
	`INSERT INTO devices (id, seller_id, name, name_folded, access_all_events, event_ids, active, settings, scan_group_id,
			token_digest, hint, created_at, updated_at)
		SELECT @seller::bigint, @seller::bigint, 'Gate', 'gate', true, '{}', true, json_build_object('scanGroupId', @seller::bigint::text),
			@seller::bigint, @digest::bytea, '', now(), now()`,
	`INSERT INTO sellers (id, organization_id, name, country, webhooks, siren, created_at, updated_at)
		SELECT @seller::bigint, 'bench', 'Seller', 'FR', false, false, now(), now()`,
}

// loadLookups fills a migrated database with so many entries, seller by seller, each in a transaction: an interrupted
// load goes on behind the last whole seller. It returns the sellers' tokens.
func (r *rig) loadLookups(ctx context.Context, entries int) ([]string, error) {
	tokens := make([]string, lookupSellers)
	err := r.cluster.connected(ctx, r.cluster.url("postgres", r.name), func(conn *pgx.Conn) error {
		// Neither the feed's triggers nor foreign keys: the rows are right, and there are many.
		if _, err := conn.Exec(ctx, "SET session_replication_role = replica"); err != nil {
			return err
		}
		if _, err := conn.Exec(ctx, "INSERT INTO organizations VALUES ('bench', 'Bench', now()) ON CONFLICT DO NOTHING"); err != nil {
			return err
		}
		began := time.Now()
		for i := range tokens {
			tokens[i] = deviceToken()
			if err := loadLookupSeller(ctx, conn, firstLookupSeller+i, entries/lookupSellers, tokens[i]); err != nil {
				return err
			}
			if entries > 1_000_000 {
				fmt.Fprintf(os.Stderr, "  %d of %d sellers after %s\n", i+1, lookupSellers, time.Since(began).Round(time.Second))
			}
		}
		_, err := conn.Exec(ctx, "VACUUM (ANALYZE)")
		return err
	})
	return tokens, err
}

// loadLookupSeller loads one seller, or gives the device of one that is there a token that is known here.
func loadLookupSeller(ctx context.Context, conn *pgx.Conn, seller, entries int, token string) error {
	digest := sha256.Sum256([]byte(token))
	values := pgx.NamedArgs{"seller": seller, "entries": entries, "digest": digest[:]}
	return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		done, err := tx.Exec(ctx, "UPDATE devices SET token_digest = @digest WHERE id = @seller::bigint::text", values)
		if err != nil || done.RowsAffected() == 1 {
			return err
		}
		for _, statement := range lookupStatements {
			if _, err := tx.Exec(ctx, statement, values); err != nil {
				return fmt.Errorf("%.60s: %w", statement, err)
			}
		}
		return nil
	})
}

// deviceToken is a secret as the product makes them: its last eight characters are the checksum of the others.
func deviceToken() string {
	var random [44]byte
	_, _ = rand.Read(random[:])
	body := "dev_" + hex.EncodeToString(random[:])
	return fmt.Sprintf("%s%08x", body, crc32.ChecksumIEEE([]byte(body)))
}
