package db

import (
	"context"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"ticketgate/domain/access"
	"ticketgate/domain/catalog"
	"ticketgate/domain/ids"
	"ticketgate/domain/texts"
)

// lookupStore implements access.LookupStore.
type lookupStore struct{ accessStore }

// Lookups returns the store of the ticket lookup.
func (s *Store) Lookups() access.LookupStore { return lookupStore{accessStore{s}} }

// foundTicketRow is a row of either search. Without a document, the holder is known and has no ticket.
type foundTicketRow struct {
	Document          []byte              `bun:"document"`
	CodeDisplay       catalog.CodeDisplay `bun:"code_display"`
	BarcodeRevealDate *time.Time          `bun:"barcode_reveal_date"`
}

// The tickets t of one holder for an event $3 and the events above it, whose tickets a scan admits as well (GATE-7).
// A ROOT event, or an event that is not in the catalog, also includes the tickets of all events below it. Blocked
// tickets are excluded, and the best ticket comes first.
//
// An event missing from the catalog is treated like a new one. The LIMIT keeps the planner at the index; it would
// otherwise hash all events of the seller. So does the max: an EXISTS of checkins > 0 would match an index of all
// tickets that are inside. If only one ticket is left, its place is not read, which saves a quarter of the pages
// among millions of tickets. The conditions that traverse events come last, so that a ticket of the event itself
// needs no traversal. For a ROOT, the traversal goes up from the tickets: a holder has few, but a series may have
// thousands of events.
var ticketForEvent = `
		SELECT t.id, t.event_id, t.status, t.created_at, t.document, coalesce(v.code_display, 'QR') AS code_display, v.barcode_reveal_date
		FROM (%s) t LEFT JOIN LATERAL (
			SELECT * FROM catalog_events WHERE seller_id = $1 AND id = t.event_id LIMIT 1
		) v ON true
		WHERE (t.event_id = $3 OR t.event_id = ANY (` + eventsAbove("$1", "ARRAY[$3]") + `)
				OR coalesce((SELECT type FROM catalog_events WHERE seller_id = $1 AND id = $3), 'ROOT') = 'ROOT'
					AND (t.root_event_id = $3 OR $3 = ANY (` + eventsAbove("$1", "ARRAY[t.event_id, t.root_event_id]") + `)))
			AND ` + notBlocked("$1", "ARRAY[$3, t.event_id]")

const (
	foundColumns = "t.document, t.code_display, t.barcode_reveal_date"
	// Whether a ticket was used is decided as by a scan (GATE-8): at the event and in the zone $4, by check-ins or,
	// with multiple check-ins, by whether the ticket is inside, as $5 says. A ticket found below a ROOT is checked at
	// its own event.
	bestTicketFirst = `ORDER BY CASE WHEN count(*) OVER () > 1 THEN
			t.status = 'VALID' AND coalesce((t.document ->> 'expiresAt')::timestamptz > $6::text::timestamptz, true)
		END DESC NULLS LAST, t.status = 'VALID' DESC NULLS LAST, CASE WHEN count(*) OVER () > 1 THEN (
			SELECT coalesce(CASE WHEN $5::text = 'inside' THEN max(inside) ELSE max(checkins) END, 0) > 0 FROM scan_places
			WHERE seller_id = $1 AND ticket_id = t.id AND event_id = ANY (ARRAY[$3, t.event_id])
				AND (zone_id = $4::text OR $5::text = 'anywhere')
		) END, t.created_at, t.id LIMIT 1`
)

// staticTicket is the whole lookup in one statement: the entries with the code and, for each, the tickets of its
// customer, or of its email address if it names no customer. If there is no row, no list has the code.
var staticTicket = `SELECT ` + foundColumns + `
	FROM access_entries e LEFT JOIN LATERAL (` + strings.Replace(ticketForEvent, "%s", `
		SELECT * FROM tickets WHERE seller_id = $1 AND customer_id = e.customer_id
		UNION ALL
		SELECT * FROM tickets WHERE seller_id = $1 AND email_folded = e.email_folded AND e.customer_id IS NULL`, 1) + `
	) t ON true
	WHERE e.seller_id = $1 AND e.external_code = $2`

var (
	staticTicketOfAll  = staticTicket + " " + bestTicketFirst
	staticTicketOfList = staticTicket + " AND e.list_id = $7 " + bestTicketFirst
)

// plainTicket is the lookup if there is nothing to choose: one entry has the code, and its customer has at most one
// ticket that may open the event. At an event that is no ROOT and is not below another event, only the event's own
// tickets may. Otherwise it returns two rows, or a row that is not plain. It takes a third of the time of the whole
// lookup.
//
// Traces name a statement by the first table before any quoted text, so the quotes come last.
const plainTicket = `SELECT t.document, shown.code_display, v.barcode_reveal_date, shown.plain
	FROM access_entries e LEFT JOIN catalog_events v ON v.seller_id = $1 AND v.id = $3
	LEFT JOIN tickets t ON t.seller_id = $1 AND t.customer_id = e.customer_id AND (t.event_id = $3
		OR v.type IS NULL OR v.type = 'ROOT' OR v.root_event_id IS NOT NULL OR v.parent_event_id IS NOT NULL)
	CROSS JOIN LATERAL (SELECT coalesce(v.code_display, 'QR') AS code_display,
		e.customer_id IS NOT NULL AND (t.id IS NULL OR t.event_id = $3 AND t.excluded_event_ids = '{}') AS plain) shown
	WHERE e.seller_id = $1 AND e.external_code = $2`

const (
	plainTicketOfAll  = plainTicket + " LIMIT 2"
	plainTicketOfList = plainTicket + " AND e.list_id = $4 LIMIT 2"
)

// plainTicketRow is a row of plainTicket.
type plainTicketRow struct {
	foundTicketRow `bun:",extend"`

	Plain bool `bun:"plain"`
}

// StaticTicket returns whether a static list has the code, and its holder's ticket. It takes one statement if there
// is nothing to choose, otherwise two.
func (s lookupStore) StaticTicket(ctx context.Context, q access.Question) (access.Found, error) {
	query, args := plainTicketOfAll, []any{string(q.SellerID), q.ExternalCode, q.EventID}
	if q.ListID != "" {
		query, args = plainTicketOfList, append(args, q.ListID)
	}
	found, err := rows[plainTicketRow](ctx, s.Store, s.sql, query, args...)
	switch {
	case err != nil || len(found) == 0:
		return access.Found{}, err
	case len(found) == 1 && found[0].Plain:
		return found[0].found(), nil
	}
	return s.bestTicket(ctx, q)
}

// bestTicket runs the whole lookup.
func (s lookupStore) bestTicket(ctx context.Context, q access.Question) (access.Found, error) {
	if q.ListID != "" {
		return s.foundTicket(ctx, staticTicketOfList, append(lookupArguments(q, q.ExternalCode), q.ListID)...)
	}
	return s.foundTicket(ctx, staticTicketOfAll, lookupArguments(q, q.ExternalCode)...)
}

// lookupArguments returns $1 to $6 of a lookup. The second selects the holder.
func lookupArguments(q access.Question, whose string) []any {
	zone, used := "", "checkins"
	switch {
	case q.ZoneID == nil:
		used = "anywhere"
	case q.MultiCheckin:
		zone, used = *q.ZoneID, "inside"
	default:
		zone = *q.ZoneID
	}
	return []any{string(q.SellerID), whose, q.EventID, zone, used, q.At.String()}
}

// TicketOfHolder returns the ticket of a holder that a remote list has named.
func (s lookupStore) TicketOfHolder(ctx context.Context, q access.Question, holder access.Holder) (access.Found, error) {
	column, value := "id", holder.TicketID
	switch {
	case value != "":
	case holder.CustomerID != "":
		column, value = "customer_id", holder.CustomerID
	default:
		column, value = "email_folded", texts.FoldEmail(holder.Email)
	}
	tickets := strings.Replace(ticketForEvent, "%s", "SELECT * FROM tickets WHERE seller_id = $1 AND "+column+" = $2", 1)
	found, err := s.foundTicket(ctx, "SELECT "+foundColumns+" FROM ("+tickets+") t "+bestTicketFirst, lookupArguments(q, value)...)
	found.Known = true // the remote list knows the code
	return found, err
}

func (s lookupStore) foundTicket(ctx context.Context, query string, args ...any) (access.Found, error) {
	found, err := rows[foundTicketRow](ctx, s.Store, s.sql, query, args...)
	if err != nil || len(found) == 0 {
		return access.Found{}, err
	}
	return found[0].found(), nil
}

func (r foundTicketRow) found() access.Found {
	if r.Document == nil {
		return access.Found{Known: true}
	}
	return access.Found{Known: true, Ticket: &access.GateTicket{
		Document: r.Document, CodeDisplay: r.CodeDisplay, BarcodeRevealDate: optionalTime(r.BarcodeRevealDate),
	}}
}

// RemoteLists returns the seller's remote lists with their keys, oldest first.
func (s lookupStore) RemoteLists(ctx context.Context, seller ids.Seller, listID string) ([]access.List, error) {
	found, err := accessLists.of(seller).where("l.type = 'remote'").whereIf(listID != "", "l.id = $", listID).orderBy("l.id").
		rows(ctx, s.Store, s.sql)
	if err != nil {
		return nil, err
	}
	return each(found, s.accessList)
}

// Spellings returns entries with the code, case-insensitive. It scans one seller's codes in an index, which is fine for a
// person who tests a code but too slow for a gate.
func (s lookupStore) Spellings(ctx context.Context, q access.Question, most int) ([]access.Entry, error) {
	found, err := accessEntries.of(q.SellerID).
		where("e.external_code = $ OR char_length(e.external_code) = $ AND e.external_code ~ $",
			q.ExternalCode, utf8.RuneCountInString(q.ExternalCode), anyCase(q.ExternalCode)).
		whereIf(q.ListID != "", "e.list_id = $", q.ListID).
		orderBy("e.external_code <> $2, e.id").first(ctx, s.Store, s.sql, most)
	if err != nil {
		return nil, err
	}
	return each(found, accessEntryRow.toDomain)
}

// anyCase returns a regular expression that matches the text case-insensitively by Unicode, independent of the database's
// locale.
func anyCase(text string) string {
	var expression strings.Builder
	expression.WriteByte('^')
	for _, r := range text {
		switch other := unicode.SimpleFold(r); {
		case other != r:
			expression.WriteByte('[')
			expression.WriteRune(r)
			for ; other != r; other = unicode.SimpleFold(other) {
				expression.WriteRune(other)
			}
			expression.WriteByte(']')
		case strings.ContainsRune(`\.[](){}*+?^$|`, r):
			expression.WriteByte('\\')
			expression.WriteRune(r)
		default:
			expression.WriteRune(r)
		}
	}
	expression.WriteByte('$')
	return expression.String()
}
