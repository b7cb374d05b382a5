package main

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/gorilla/mux"
)

// bareEntry is an entry in the product's JSON form.
type bareEntry struct {
	ID           string          `json:"_id"`
	ListID       string          `json:"listId"`
	ExternalCode string          `json:"externalCode"`
	SellerID     string          `json:"sellerId"`
	CustomerID   *string         `json:"customerId,omitempty"`
	Firstname    *string         `json:"firstname,omitempty"`
	Lastname     *string         `json:"lastname,omitempty"`
	Email        *string         `json:"email,omitempty"`
	Phone        *string         `json:"phone,omitempty"`
	Meta         json.RawMessage `json:"meta,omitempty"`
	CreatedAt    string          `json:"createdAt"`
	UpdatedAt    string          `json:"updatedAt"`
}

// entryColumns are the columns of an entry.
const entryColumns = `id, list_id, external_code, seller_id, customer_id, firstname, lastname, email, phone, meta, created_at, updated_at`

// into returns the destinations of Scan for a row.
func (e *bareEntry) into(created, updated *time.Time) []any {
	return []any{
		&e.ID, &e.ListID, &e.ExternalCode, &e.SellerID, &e.CustomerID, &e.Firstname, &e.Lastname, &e.Email, &e.Phone, &e.Meta,
		created, updated,
	}
}

// shown formats a time as in the product's JSON.
func shown(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000Z") }

// barePage is the response for a page of a list.
type barePage[T any] struct {
	Docs  []T  `json:"docs"`
	Total *int `json:"total,omitempty"`
}

// entry returns one entry of a list.
func (b *bare) entry(ctx context.Context, caller credential, r *http.Request) (any, error) {
	var e bareEntry
	var created, updated time.Time
	path := mux.Vars(r)
	err := b.pool.QueryRow(ctx, "SELECT "+entryColumns+" FROM access_entries WHERE seller_id = $1 AND list_id = $2 AND id = $3",
		caller.seller, path["listId"], path["id"]).Scan(e.into(&created, &updated)...)
	e.CreatedAt, e.UpdatedAt = shown(created), shown(updated)
	return &e, err
}

const (
	bareEntries = `SELECT ` + entryColumns + `, 0 FROM access_entries WHERE seller_id = $1 AND list_id = $2
		ORDER BY id LIMIT $3::text::bigint`
	bareEntriesCounted = `SELECT ` + entryColumns + `, (SELECT count(*) FROM access_entries WHERE seller_id = $1 AND list_id = $2)
		FROM access_entries WHERE seller_id = $1 AND list_id = $2 ORDER BY id LIMIT $3::text::bigint`
)

// entries returns a page of a list and the number of its entries.
func (b *bare) entries(ctx context.Context, caller credential, r *http.Request) (any, error) {
	page, total, err := b.page(ctx, bareEntriesCounted, caller, r)
	page.Total = &total
	return page, err
}

// entriesWithoutTotal returns a page of a list.
func (b *bare) entriesWithoutTotal(ctx context.Context, caller credential, r *http.Request) (any, error) {
	page, _, err := b.page(ctx, bareEntries, caller, r)
	return page, err
}

func (b *bare) page(
	ctx context.Context, query string, caller credential, r *http.Request,
) (page barePage[bareEntry], total int, err error) {
	found, err := b.pool.Query(ctx, query, caller.seller, mux.Vars(r)["listId"], r.URL.Query().Get("top"))
	if err != nil {
		return page, 0, err
	}
	defer found.Close()
	var created, updated time.Time
	page.Docs = []bareEntry{}
	for found.Next() {
		var e bareEntry
		if err := found.Scan(append(e.into(&created, &updated), &total)...); err != nil {
			return page, 0, err
		}
		e.CreatedAt, e.UpdatedAt = shown(created), shown(updated)
		page.Docs = append(page.Docs, e)
	}
	return page, total, found.Err()
}

// createEntry inserts an entry and returns it. The statement is its own transaction.
func (b *bare) createEntry(ctx context.Context, caller credential, r *http.Request) (any, error) {
	var e bareEntry
	if err := json.NewDecoder(r.Body).Decode(&e); err != nil {
		return nil, err
	}
	now := time.Now().Truncate(time.Millisecond)
	e.ID, e.ListID, e.SellerID, e.CreatedAt, e.UpdatedAt = newBareID(now), mux.Vars(r)["listId"], caller.seller, shown(now), shown(now)
	folded := ""
	if e.Email != nil {
		folded = strings.ToLower(*e.Email)
	}
	_, err := b.pool.Exec(ctx, `INSERT INTO access_entries (`+entryColumns+`, email_folded)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11, nullif($12, ''))`, e.ID, e.ListID, e.ExternalCode, e.SellerID,
		e.CustomerID, e.Firstname, e.Lastname, e.Email, e.Phone, e.Meta, now, folded)
	return &e, err
}

// newBareID returns an id that is as long as the product's and also sorts after all earlier ones.
func newBareID(now time.Time) string {
	var id [12]byte
	binary.BigEndian.PutUint32(id[:], uint32(now.Unix())) //nolint:gosec // fits until 2106
	_, _ = rand.Read(id[4:])                              // never fails
	return hex.EncodeToString(id[:])
}

// bareKey is a key in the product's JSON form.
type bareKey struct {
	ID               string            `json:"_id"`
	Name             string            `json:"name"`
	CreatedAt        string            `json:"createdAt"`
	UpdatedAt        string            `json:"updatedAt"`
	Active           bool              `json:"active"`
	SellerID         string            `json:"sellerId"`
	CreatedBy        map[string]string `json:"createdBy"`
	ExpiresAt        *string           `json:"expiresAt"`
	Version          int               `json:"version"`
	FullSellerAccess bool              `json:"fullSellerAccess"`
	Permissions      []string          `json:"permissions"`
	Hint             string            `json:"hint"`
	LastUsedAt       *string           `json:"lastUsedAt,omitempty"`
}

// keyInfo returns the caller's key.
func (b *bare) keyInfo(ctx context.Context, caller credential, _ *http.Request) (any, error) {
	k := bareKey{ID: caller.id, SellerID: caller.seller, Permissions: []string{}}
	var created, updated time.Time
	var expires, used *time.Time
	var kind, by string
	err := b.pool.QueryRow(ctx, `SELECT k.name, k.created_at, k.updated_at, k.active, k.created_by_type, k.created_by_id, k.expires_at,
			k.version, k.full_seller_access, k.permissions, k.hint, u.last_used_at
		FROM api_keys k LEFT JOIN api_key_uses u ON u.api_key_id = k.id WHERE k.id = $1`, caller.id).
		Scan(&k.Name, &created, &updated, &k.Active, &kind, &by, &expires, &k.Version, &k.FullSellerAccess, &k.Permissions, &k.Hint, &used)
	k.CreatedAt, k.UpdatedAt, k.ExpiresAt, k.LastUsedAt = shown(created), shown(updated), optional(expires), optional(used)
	k.CreatedBy = map[string]string{"type": kind, "id": by}
	return &k, err
}

func optional(at *time.Time) *string {
	if at == nil {
		return nil
	}
	text := shown(*at)
	return &text
}

// bareList is an access list in the product's JSON form.
type bareList struct {
	ID        string  `json:"_id"`
	Type      string  `json:"type"`
	SellerID  string  `json:"sellerId"`
	Name      string  `json:"name"`
	URL       *string `json:"url,omitempty"`
	CreatedAt string  `json:"createdAt"`
	UpdatedAt string  `json:"updatedAt"`
}

// lists returns the seller's first access lists and their number.
func (b *bare) lists(ctx context.Context, caller credential, _ *http.Request) (any, error) {
	found, err := b.pool.Query(ctx, `SELECT id, type, seller_id, name, url, created_at, updated_at,
			(SELECT count(*) FROM access_lists WHERE seller_id = $1)
		FROM access_lists WHERE seller_id = $1 ORDER BY id LIMIT 25`, caller.seller)
	if err != nil {
		return nil, err
	}
	defer found.Close()
	page, total := barePage[bareList]{Docs: []bareList{}}, 0
	var created, updated time.Time
	for found.Next() {
		var l bareList
		if err := found.Scan(&l.ID, &l.Type, &l.SellerID, &l.Name, &l.URL, &created, &updated, &total); err != nil {
			return nil, err
		}
		l.CreatedAt, l.UpdatedAt = shown(created), shown(updated)
		page.Docs = append(page.Docs, l)
	}
	page.Total = &total
	return page, found.Err()
}

// bareTicket is the smallest statement that looks up a code and returns its holder's ticket. It ignores parent events
// and blocked tickets. Of several valid tickets it returns the oldest.
const bareTicket = `SELECT t.document, coalesce(v.code_display, 'QR'), v.barcode_reveal_date
	FROM access_entries e CROSS JOIN LATERAL (
		SELECT * FROM tickets WHERE seller_id = $1 AND customer_id = e.customer_id AND event_id = $3
		UNION ALL
		SELECT * FROM tickets WHERE seller_id = $1 AND email_folded = e.email_folded AND e.customer_id IS NULL AND event_id = $3
	) t LEFT JOIN catalog_events v ON v.seller_id = $1 AND v.id = t.event_id
	WHERE e.seller_id = $1 AND e.external_code = $2
	ORDER BY t.status = 'VALID' DESC, t.created_at, t.id LIMIT 1`

// ticket returns the ticket for a code at an event.
func (b *bare) ticket(ctx context.Context, caller credential, r *http.Request) (any, error) {
	var document []byte
	var display string
	var reveal *time.Time
	err := b.pool.QueryRow(ctx, bareTicket, caller.seller, mux.Vars(r)["externalCode"], r.URL.Query().Get("eventId")).
		Scan(&document, &display, &reveal)
	if err != nil {
		return nil, err
	}
	added, err := json.Marshal(struct {
		CodeDisplay       string  `json:"codeDisplay"`
		BarcodeRevealed   bool    `json:"barcodeRevealed"`
		BarcodeRevealDate *string `json:"barcodeRevealDate,omitempty"`
	}{display, reveal == nil || !reveal.After(time.Now()), optional(reveal)})
	// Merge two JSON objects.
	return json.RawMessage(append(append(document[:len(document)-1], ','), added[1:]...)), err
}
