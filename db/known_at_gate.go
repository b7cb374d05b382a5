package db

import (
	"context"
	"time"

	"ticketgate/domain/ids"
	"ticketgate/domain/scan"
	"ticketgate/domain/ticket"
)

// knownRow is a ticket with a given code and, if it was scanned at the event, its history in one zone.
type knownRow struct {
	N              int        `bun:"n"` // position of the code, from 1
	Document       []byte     `bun:"document"`
	ZoneID         *string    `bun:"zone_id"`
	Name           *string    `bun:"name"`
	Checkins       int        `bun:"checkins"`
	Inside         int        `bun:"inside"`
	FirstCheckinAt *time.Time `bun:"first_checkin_at"`
	LastAt         *time.Time `bun:"last_at"`
}

// KnownAtGate reads tickets by code, with their history at the event, in one statement. A missing code matches no
// ticket.
func (tx scanTx) KnownAtGate(ctx context.Context, seller ids.Seller, held []scan.Held) ([]scan.Known, error) {
	codes, events := make([]*string, len(held)), make([]*string, len(held))
	for i, item := range held {
		codes[i], events[i] = optionalText(item.Barcode), optionalText(item.EventID)
	}
	found, err := rows[knownRow](ctx, tx.store, tx, `
		SELECT x.n, t.document, p.zone_id, p.checkins, p.inside, p.first_checkin_at, p.last_at, CASE WHEN p.inside > 0 THEN (
				SELECT name FROM scan_zones WHERE seller_id = $1 AND id = p.zone_id
			) END AS name
		FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS x (code, event_id, n)
		JOIN tickets t ON t.seller_id = $1 AND t.barcode = x.code
		LEFT JOIN scan_places p ON p.seller_id = $1 AND p.ticket_id = t.id AND p.event_id = coalesce(x.event_id, t.event_id)`,
		string(seller), codes, events)
	if err != nil {
		return nil, err
	}
	known := make([]scan.Known, len(held))
	for _, row := range found {
		if err := row.addTo(&known[row.N-1]); err != nil {
			return nil, err
		}
	}
	return known, nil
}

func (r *knownRow) addTo(known *scan.Known) error {
	if known.Ticket == nil {
		record, err := ticket.ReadRecord(r.Document)
		if err != nil {
			return err
		}
		known.Ticket = &record
	}
	if r.ZoneID == nil {
		return nil
	}
	if known.Zones == nil {
		known.Zones = map[string]scan.KnownZone{}
	}
	known.Zones[*r.ZoneID] = scan.KnownZone{Name: r.Name, History: scan.History{
		Checkins: r.Checkins, Inside: r.Inside, FirstCheckin: optionalTime(r.FirstCheckinAt), Last: optionalTime(r.LastAt),
	}}
	return nil
}

// Undone reports whether a transaction that ended with err left no changes.
func (scanStore) Undone(err error) bool { return rolledBack(err) }

// Trace returns the trace of the context.
func (s scanStore) Trace(ctx context.Context) string { return s.trace(ctx) }
