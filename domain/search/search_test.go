package search_test

import (
	"context"
	"database/sql"
	"strings"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // prepares rows past the store

	"ticketgate/db"
	"ticketgate/db/dbtest"
	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/search"
)

const (
	seller   ids.Seller = "111111111111111111111111"
	other    ids.Seller = "222222222222222222222222"
	delivery            = "01930000-0000-7000-8000-000000000001"
)

// rows are the records of both sellers. The first seller must never find those of the second.
var rows = []string{
	`INSERT INTO organizations VALUES ('o', 'O', now())`,
	`INSERT INTO sellers (id, organization_id, name, country, webhooks, siren, created_at, updated_at)
		SELECT id, 'o', 'S', 'FR', true, false, now(), now() FROM unnest(ARRAY['111111111111111111111111', '222222222222222222222222']) id`,
	`INSERT INTO catalog_events (seller_id, id, name, name_folded, type, starts_at, time_zone, skip_address_info, code_display,
			created_at, updated_at)
		SELECT s.id, 'event' || s.n, 'Fête ' || s.n, 'fête ' || s.n, 'SINGLE', '2026-11-27T20:00:00Z', 'Europe/Paris', false, 'QR', now(), now()
		FROM (VALUES ('111111111111111111111111', 1), ('222222222222222222222222', 2)) s (id, n)`,
	`INSERT INTO tickets (id, seller_id, event_id, ticket_type_id, status, barcode, email_folded, search_folded,
			excluded_event_ids, document, created_at, updated_at)
		SELECT 'ticket' || s.n, s.id, 'event' || s.n, 'tt', 'VALID', 'B-' || s.n, 'ann@example.com', '', '{}',
			'{"ticketName": "Day", "firstname": "Ann", "lastname": "Other", "email": "Ann@example.com"}', now(), now()
		FROM (VALUES ('111111111111111111111111', 1), ('222222222222222222222222', 2)) s (id, n)`,
	`INSERT INTO customers (seller_id, id, firstname, lastname, email, email_folded, name_folded, created_at, updated_at)
		SELECT s.id, 'customer' || s.n, 'Ann', 'Straße', 'Ann@example.com', 'ann@example.com', 'ann strasse', now(), now()
		FROM (VALUES ('111111111111111111111111', 1), ('222222222222222222222222', 2)) s (id, n)`,
	`INSERT INTO access_lists (id, seller_id, type, name, name_folded, created_at, updated_at)
		SELECT 'list' || s.n, s.id, 'static', '100% Members', '100% members', now(), now()
		FROM (VALUES ('111111111111111111111111', 1), ('222222222222222222222222', 2)) s (id, n)`,
	`INSERT INTO access_entries (id, list_id, seller_id, external_code, firstname, email, email_folded, created_at, updated_at)
		SELECT 'entry' || s.n, 'list' || s.n, s.id, 'Card-7', 'Bob', 'bob@example.com', 'bob@example.com', now(), now()
		FROM (VALUES ('111111111111111111111111', 1), ('222222222222222222222222', 2)) s (id, n)`,
	`INSERT INTO webhooks (id, seller_id, name, url, enabled, event_types, created_by_type, created_by_id, created_at, updated_at)
		SELECT 'webhook' || s.n, s.id, 'Books', 'https://books.example.com/hook', true, '{}', 'SYSTEM', 'system', now(), now()
		FROM (VALUES ('111111111111111111111111', 1), ('222222222222222222222222', 2)) s (id, n)`,
	`INSERT INTO api_keys (id, seller_id, name, hint, version, active, is_default, full_seller_access, permissions,
			created_by_type, created_by_id, created_at, updated_at)
		SELECT 'key' || s.n, s.id, 'Bookkeeping', 'key_1234…abcd', 1, true, false, true, '{}', 'SYSTEM', 'system', now(), now()
		FROM (VALUES ('111111111111111111111111', 1), ('222222222222222222222222', 2)) s (id, n)`,
}

func TestSearch(t *testing.T) {
	t.Parallel()
	s := newSearch(t)
	developer := as(domain.Developer)
	for text, want := range map[string]string{
		"ticket1":                    "TICKET ticket1 Day (Ann Other · Ann@example.com · VALID)",
		" B-1 ":                      "TICKET ticket1 Day (Ann Other · Ann@example.com · VALID)",
		"b-1":                        "", // codes must match exactly
		"ANN@example.com":            "TICKET ticket1 Day (Ann Other · Ann@example.com · VALID)\nCUSTOMER customer1 Ann Straße (Ann@example.com)",
		"ann STRASSE":                "CUSTOMER customer1 Ann Straße (Ann@example.com)",
		"straße":                     "", // a customer's name matches at its start
		"Card-7":                     "ACCESS_LIST_ENTRY entry1 Card-7 (Bob · bob@example.com) in list1",
		"bob@EXAMPLE.com":            "ACCESS_LIST_ENTRY entry1 Card-7 (Bob · bob@example.com) in list1",
		"FÊTE":                       "EVENT event1 Fête 1 (2026-11-27 21:00)",
		"%":                          "query",
		"0%":                         "ACCESS_LIST list1 100% Members (static)",
		"0_":                         "",
		"book":                       "WEBHOOK webhook1 Books (https://books.example.com/hook)\nAPI_KEY key1 Bookkeeping (key_1234…abcd)",
		delivery:                     "DELIVERY " + delivery + " ticket.created (failed)",
		strings.ToUpper(delivery):    "DELIVERY " + delivery + " ticket.created (failed)",
		"ticket2":                    "", // another seller's ticket
		"B-2":                        "",
		"webhook2":                   "",
		"'; DROP TABLE tickets; --":  "",
		"9223372036854775808":        "",
		"  ":                         "query",
		strings.Repeat("x", 321):     "query",
		"a\x00b":                     "query",
		"01930000-0000-7000-8000-00": "",
	} {
		if got := shown(s.Find(developer, text)); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestSearchFindsOnlyListableRecords(t *testing.T) {
	t.Parallel()
	s := newSearch(t)
	if found, err := s.Find(as(domain.Viewer), "book"); err != nil || len(found) != 0 {
		t.Errorf("a viewer finds %v, %v", found, err)
	}
	withoutFeature := domain.WithActor(t.Context(), &domain.Actor{
		Kind: domain.UserActor, ID: "u", SellerID: seller, Memberships: []domain.Membership{{SellerID: seller, Role: domain.Admin}},
	})
	if got := shown(s.Find(withoutFeature, "book")); got != "API_KEY key1 Bookkeeping (key_1234…abcd)" {
		t.Errorf("without the feature, an ADMIN finds %s", got)
	}
	key := domain.WithActor(t.Context(), &domain.Actor{Kind: domain.APIKeyActor, ID: "k", SellerID: seller, FullSellerAccess: true})
	if _, err := s.Find(key, "book"); !domain.HasCode(err, domain.CodeForbidden) {
		t.Errorf("an API key: %v", err)
	}
	if _, err := s.Find(t.Context(), "b"); !domain.HasCode(err, domain.CodeUnauthenticated) {
		t.Errorf("no credential: %v", err)
	}
}

func newSearch(t *testing.T) search.Search {
	t.Helper()
	database := dbtest.New(t)
	pool, err := sql.Open("pgx", database.ApplicationURL)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = pool.Close() })
	for _, statement := range rows {
		if _, err := pool.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	if _, err := pool.ExecContext(t.Context(), `INSERT INTO deliveries (id, event_id, webhook_id, seller_id, type, state, attempts,
			scheduled, retry_requested, created_at, updated_at)
		VALUES ($1::uuid, $1::uuid, 'webhook1', $2, 'ticket.created', 'failed', 1, 1, false, now(), now())`, delivery, string(seller)); err != nil {
		t.Fatal(err)
	}
	store, err := db.Open(db.Config{URL: database.ApplicationURL, Sealer: database.Sealer, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	return search.Search{Store: store.Search()}
}

// as returns the context of a call by a user with a role at the seller.
func as(role domain.Role) context.Context {
	return domain.WithActor(context.Background(), &domain.Actor{
		Kind: domain.UserActor, ID: "u", SellerID: seller, Features: domain.Features{Webhooks: true},
		Memberships: []domain.Membership{{SellerID: seller, Role: role}},
	})
}

// shown returns the results as text, or the path of the fault.
func shown(found []search.Result, err error) string {
	if err != nil {
		if fields := domain.AsError(err).Fields; len(fields) > 0 {
			return fields[0].Path
		}
		return err.Error()
	}
	lines := make([]string, 0, len(found))
	for _, result := range found {
		line := string(result.Kind) + " " + result.ID + " " + result.Title + " (" + result.Detail + ")"
		if result.ParentID != "" {
			line += " in " + result.ParentID
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}
