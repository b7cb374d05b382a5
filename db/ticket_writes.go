package db

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"ticketgate/domain/ecmajson"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/ticket"
)

// ticketsAtOnce is the maximum number of tickets per statement. It keeps statements far below the statement timeout.
const ticketsAtOnce = 1000

// ticketValues is a FROM item with the rows to write, from the arguments of ticketColumns.
const ticketValues = `unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
		$10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::text[],
		$17::timestamptz[], $18::timestamptz[]) AS d (seller_id, id, event_id, root_event_id, ticket_type_id, customer_id,
		transaction_id, status, type, origin, currency, barcode, email_folded, search_folded, excluded, document,
		created_at, updated_at)`

// excludedEvents converts JSON lists to arrays, because unnest can't take lists of different lengths. Most are empty.
const excludedEvents = `CASE d.excluded WHEN '[]' THEN '{}' ELSE ARRAY(SELECT json_array_elements_text(d.excluded::json)) END`

// arguments returns the columns in the order of ticketValues, followed by $19, the time of writing.
func (c *ticketColumns) arguments(now time.Time) []any {
	return []any{
		c.sellers, c.ids, c.events, c.roots, c.types, c.customers, c.transactions, c.statuses, c.kinds, c.origins,
		c.currencies, c.barcodes, c.emails, c.searches, c.excluded, c.documents, instants(c.created), instants(c.updated), now,
	}
}

// TicketsForUpdate returns a seller's tickets by _id and locks them.
func (tx *Tx) TicketsForUpdate(ctx context.Context, seller ids.Seller, ids []string) (map[string]ticket.Record, error) {
	found, err := tickets.of(seller).lockedByIDs(ctx, tx.store, tx, ids)
	return byID(found, err, ticketRow.record, func(t ticket.Record) string { return t.ID })
}

// CreateTickets inserts tickets and returns the _ids of those that were inserted. Tickets whose _id already exists are
// skipped. All imports insert in the order of _id, to prevent deadlocks.
func (tx *Tx) CreateTickets(ctx context.Context, seller ids.Seller, tickets []ticket.Record) (map[string]bool, error) {
	return tx.createTickets(ctx, func(ticket.Record) ids.Seller { return seller }, tickets)
}

// createTickets inserts tickets of several sellers.
func (tx *Tx) createTickets(
	ctx context.Context, of func(ticket.Record) ids.Seller, tickets []ticket.Record,
) (map[string]bool, error) {
	created := map[string]bool{}
	for part := range slices.Chunk(byTicketID(tickets), ticketsAtOnce) {
		ids, err := tx.texts(ctx, `INSERT INTO tickets (id, seller_id, event_id, root_event_id, ticket_type_id, customer_id,
				transaction_id, status, type, origin, currency, barcode, email_folded, search_folded, excluded_event_ids,
				document, created_at, updated_at, stored_at)
			SELECT d.id, d.seller_id, d.event_id, d.root_event_id, d.ticket_type_id, d.customer_id, d.transaction_id, d.status, d.type,
				d.origin, d.currency, d.barcode, d.email_folded, d.search_folded, `+excludedEvents+`, d.document::json,
				d.created_at, d.updated_at, $19 FROM `+ticketValues+` ON CONFLICT (seller_id, id) DO NOTHING RETURNING id AS text`,
			columnsOf(of, part).arguments(tx.store.now())...)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			created[id] = true
		}
	}
	return created, nil
}

// UpdateTickets updates existing, locked tickets.
func (tx *Tx) UpdateTickets(ctx context.Context, seller ids.Seller, tickets []ticket.Record) error {
	of := func(ticket.Record) ids.Seller { return seller }
	for part := range slices.Chunk(byTicketID(tickets), ticketsAtOnce) {
		_, err := exec(ctx, tx, `UPDATE tickets t SET event_id = d.event_id, root_event_id = d.root_event_id,
				ticket_type_id = d.ticket_type_id, customer_id = d.customer_id, transaction_id = d.transaction_id,
				status = d.status, type = d.type, origin = d.origin, currency = d.currency, barcode = d.barcode,
				email_folded = d.email_folded, search_folded = d.search_folded, excluded_event_ids = `+excludedEvents+`,
				document = d.document::json, created_at = d.created_at, updated_at = d.updated_at,
				stored_at = $19
			FROM `+ticketValues+` WHERE t.id = d.id AND t.seller_id = d.seller_id`,
			columnsOf(of, part).arguments(tx.store.now())...)
		if err != nil {
			return err
		}
	}
	return nil
}

// RepeatedBarcodes returns the barcodes that more than one ticket of the seller has. That is possible while the
// constraint is deferred.
func (tx *Tx) RepeatedBarcodes(ctx context.Context, seller ids.Seller, barcodes []string) (map[string]bool, error) {
	found, err := tx.texts(ctx, `SELECT barcode AS text FROM tickets WHERE seller_id = $1 AND barcode = ANY($2)
		GROUP BY barcode HAVING count(*) > 1`, string(seller), barcodes)
	repeated := make(map[string]bool, len(found))
	for _, barcode := range found {
		repeated[barcode] = true
	}
	return repeated, err
}

// TakenBarcodes returns the barcodes that other stored tickets have. barcodes maps the _ids of tickets to the barcodes
// to check. Each barcode is looked up by index, instead of reading all tickets of the seller.
func (s ticketStore) TakenBarcodes(
	ctx context.Context, seller ids.Seller, barcodes map[string]string,
) ([]ticket.TakenBarcode, error) {
	type takenRow struct {
		ID       string
		HolderID string
		HeldAt   time.Time
		StoredAt *time.Time
	}
	ids := slices.Sorted(maps.Keys(barcodes))
	codes := make([]string, len(ids))
	for i, id := range ids {
		codes[i] = barcodes[id]
	}
	var found []takenRow
	// The transaction only reads, so read-only stores may use it. It is needed for the setting: a generic plan made
	// while there were no tickets would read all of the seller's tickets for each barcode.
	err := s.transactOn(ctx, s.begin, func(tx *Tx) (err error) {
		if _, err := exec(ctx, tx, "SET LOCAL plan_cache_mode = force_custom_plan"); err != nil {
			return err
		}
		found, err = rows[takenRow](ctx, s.Store, tx, `
		SELECT wanted.id, held.id AS holder_id, held.updated_at AS held_at, own.updated_at AS stored_at
		FROM unnest($2::text[], $3::text[]) AS wanted (id, barcode)
		CROSS JOIN LATERAL (SELECT t.id, t.updated_at FROM tickets t
			WHERE t.seller_id = $1 AND t.barcode = wanted.barcode AND t.id <> wanted.id LIMIT 1) held
		LEFT JOIN tickets own ON own.seller_id = $1 AND own.id = wanted.id`, string(seller), ids, codes)
		return err
	})
	if err != nil {
		return nil, mapError(err)
	}
	return each(found, func(r takenRow) (ticket.TakenBarcode, error) {
		return ticket.TakenBarcode{
			ID: r.ID, StoredAt: optionalTime(r.StoredAt), HolderID: r.HolderID, HeldAt: moment.New(r.HeldAt),
		}, nil
	})
}

// texts reads one text column, which the statement must name text.
func (tx *Tx) texts(ctx context.Context, query string, args ...any) ([]string, error) {
	type textRow struct{ Text string }
	found, err := rows[textRow](ctx, tx.store, tx, query, args...)
	texts := make([]string, len(found))
	for i, row := range found {
		texts[i] = row.Text
	}
	return texts, err
}

func byTicketID(tickets []ticket.Record) []ticket.Record {
	return slices.SortedFunc(slices.Values(tickets), func(a, b ticket.Record) int { return cmp.Compare(a.ID, b.ID) })
}

func columnsOf(of func(ticket.Record) ids.Seller, tickets []ticket.Record) *ticketColumns {
	var columns ticketColumns
	for _, item := range tickets {
		columns.add(of(item), item)
	}
	return &columns
}

func instants(moments []moment.DateTime) []time.Time {
	times := make([]time.Time, len(moments))
	for i, when := range moments {
		times[i] = when.Time
	}
	return times
}

// jsonTexts returns texts as a JSON array.
func jsonTexts(texts []string) string {
	values := make([]ecmajson.Value, len(texts))
	for i, text := range texts {
		values[i] = ecmajson.NewString(text)
	}
	return string(ecmajson.NewArray(values).Print())
}
