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

// foundTicketRow is a row of one of the two searches. If it has no document, the holder is known but has no ticket.
type foundTicketRow struct {
	Document          []byte              `bun:"document"`
	CodeDisplay       catalog.CodeDisplay `bun:"code_display"`
	BarcodeRevealDate *time.Time          `bun:"barcode_reveal_date"`
}

// ticketForEvent selects the tickets t of one holder for event $3 and the events above it, whose tickets a scan also
// admits (GATE-7). For a ROOT event, and for an event that is not in the catalog, it includes the tickets of all events
// below. Blocked tickets are excluded. The best ticket comes first.
//
// The LIMIT keeps the planner from hashing all events of the seller. The max has a similar reason: an EXISTS of
// checkins > 0 would match an index of all tickets that are inside. If only one ticket is left, its history is not
// read, which saves a quarter of the pages among millions of tickets. The conditions that traverse events come last, so
// that a ticket for the event itself needs no traversal. For a ROOT event, the traversal goes up from the tickets: a
// holder has few, but a series may have thousands of events.
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
	// A ticket was used if a scan would decide so (GATE-8): at the event and in zone $4, by its check-ins or, with
	// multiple check-ins, by whether it is inside, as $5 says. For a ROOT event, a ticket of an event below is checked
	// at its own event.
	bestTicketFirst = `ORDER BY CASE WHEN count(*) OVER () > 1 THEN
			t.status = 'VALID' AND coalesce((t.document ->> 'expiresAt')::timestamptz > $6::text::timestamptz, true)
		END DESC NULLS LAST, t.status = 'VALID' DESC NULLS LAST, CASE WHEN count(*) OVER () > 1 THEN (
			SELECT coalesce(CASE WHEN $5::text = 'inside' THEN max(inside) ELSE max(checkins) END, 0) > 0 FROM scan_places
			WHERE seller_id = $1 AND ticket_id = t.id AND event_id = ANY (ARRAY[$3, t.event_id])
				AND (zone_id = $4::text OR $5::text = 'anywhere')
		) END, t.created_at, t.id LIMIT 1`
)

// staticTicket is the whole lookup in one statement. It selects the entries with the code and, for each, the tickets of
// its customer or, if it names no customer, of its email address. Without a row, no list has the code.
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

// plainTicket is the lookup for cases without a choice: only one entry has the code, and its customer has at most one
// ticket that may admit to the event. If the event is neither a ROOT event nor below another event, only its own
// tickets do. In all other cases, it returns two rows or a row that is not plain. It takes a third of the time of
// staticTicket.
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

// StaticTicket returns whether a static list has the code, and the ticket of its holder. It takes one statement in
// plain cases (see plainTicket), and otherwise two.
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

// bestTicket runs the lookup of staticTicket.
func (s lookupStore) bestTicket(ctx context.Context, q access.Question) (access.Found, error) {
	if q.ListID != "" {
		return s.foundTicket(ctx, staticTicketOfList, append(lookupArguments(q, q.ExternalCode), q.ListID)...)
	}
	return s.foundTicket(ctx, staticTicketOfAll, lookupArguments(q, q.ExternalCode)...)
}

// lookupArguments returns the arguments $1 to $6 of a lookup. whose is $2, which selects the holder.
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

// TicketOfHolder returns the ticket of a holder that a remote list has returned.
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

// Spellings returns entries with the code, ignoring case. It scans all codes of the seller in an index, which is fast
// enough for a person who tests a code but not for a gate.
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

// anyCase returns a regular expression that matches text ignoring case. It uses Unicode and does not depend on the
// database's locale.
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
