package db

import (
	"context"
	"time"

	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/scan"
)

// verdictRow is a scan that a device decided offline, with what its mark depends on besides the passes of its place.
type verdictRow struct {
	ScanID     string
	TicketID   string
	EventID    string
	ZoneID     string
	At         time.Time
	Direction  scan.Direction
	Approved   bool
	Multi      bool
	Late       bool
	Held       scan.Reason
	HeldInside scan.Reason
	Reason     scan.Reason
}

// Judged reads the offline scans at places.
func (tx scanTx) Judged(
	ctx context.Context, seller ids.Seller, places []scan.Place,
) (map[scan.Place][]scan.Judged, error) {
	c := columnsOfPlaces(places)
	found, err := rows[verdictRow](ctx, tx.store, tx, `
		SELECT v.scan_id, v.ticket_id, v.event_id, v.zone_id, v.at, v.direction, v.approved, v.multi, v.late, v.held,
			v.held_inside, v.reason
		FROM unnest($2::text[], $3::text[], $4::text[]) AS x (ticket_id, event_id, zone_id)
		JOIN offline_verdicts v ON v.seller_id = $1 AND v.ticket_id = x.ticket_id AND v.event_id = x.event_id AND v.zone_id = x.zone_id
		ORDER BY v.at, v.scan_id`, string(seller), c.tickets, c.events, c.zones)
	judged := make(map[scan.Place][]scan.Judged, len(places))
	for _, row := range found {
		place := scan.Place{TicketID: row.TicketID, EventID: row.EventID, ZoneID: row.ZoneID}
		judged[place] = append(judged[place], scan.Judged{
			Pass:     scan.Pass{ScanID: row.ScanID, At: moment.New(row.At), Direction: row.Direction},
			Approved: row.Approved, Multi: row.Multi, Late: row.Late, Held: row.Held, HeldInside: row.HeldInside, Reason: row.Reason,
		})
	}
	return judged, err
}

// verdictColumns are verdicts column by column.
type verdictColumns struct {
	ids, tickets, events, zones, directions, held, heldInside, reasons []string
	at                                                                 []time.Time
	approved, multi, late                                              []bool
}

func (c *verdictColumns) add(place scan.Place, one scan.Judged) {
	c.ids, c.tickets = append(c.ids, one.ScanID), append(c.tickets, place.TicketID)
	c.events, c.zones = append(c.events, place.EventID), append(c.zones, place.ZoneID)
	c.at, c.directions = append(c.at, one.At.Time), append(c.directions, string(one.Direction))
	c.approved, c.multi, c.late = append(c.approved, one.Approved), append(c.multi, one.Multi), append(c.late, one.Late)
	c.held, c.heldInside = append(c.held, string(one.Held)), append(c.heldInside, string(one.HeldInside))
	c.reasons = append(c.reasons, string(one.Reason))
}

// InsertJudged stores new offline scans, in one statement.
func (tx scanTx) InsertJudged(ctx context.Context, seller ids.Seller, judged map[scan.Place][]scan.Judged) error {
	var c verdictColumns
	for place, list := range judged {
		for _, one := range list {
			c.add(place, one)
		}
	}
	if len(c.ids) == 0 {
		return nil
	}
	_, err := exec(ctx, tx, `INSERT INTO offline_verdicts (scan_id, seller_id, ticket_id, event_id, zone_id, at, direction,
			approved, multi, late, held, held_inside, reason)
		SELECT x.scan_id, $1, x.ticket_id, x.event_id, x.zone_id, x.at, x.direction, x.approved, x.multi, x.late, x.held,
			x.held_inside, x.reason
		FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::text[], $8::boolean[], $9::boolean[],
				$10::boolean[], $11::text[], $12::text[], $13::text[])
			AS x (scan_id, ticket_id, event_id, zone_id, at, direction, approved, multi, late, held, held_inside, reason)`,
		string(seller), c.ids, c.tickets, c.events, c.zones, c.at, c.directions, c.approved, c.multi, c.late, c.held,
		c.heldInside, c.reasons)
	return err
}

// UpdateMarks stores changed marks where they are shown: in the log, in the claims and in the verdicts. Few are changed at
// once, and those of one reason together.
func (tx scanTx) UpdateMarks(
	ctx context.Context, seller ids.Seller, marks map[string]scan.Mark, now moment.DateTime,
) error {
	alike := map[scan.Mark][]string{}
	for id, mark := range marks {
		mark.ScanID = ""
		alike[mark] = append(alike[mark], id)
	}
	for mark, ids := range alike {
		if _, err := exec(ctx, tx, "UPDATE offline_verdicts SET reason = $3 WHERE seller_id = $1 AND scan_id = ANY($2)",
			string(seller), ids, string(mark.Reason)); err != nil {
			return err
		}
		if _, err := exec(ctx, tx, "UPDATE scan_claims SET conflict = $2 WHERE scan_id = ANY($1)",
			ids, mark.Conflict); err != nil {
			return err
		}
		if _, err := exec(ctx, tx, `UPDATE scans SET reason = NULLIF($3, ''), conflict = $4, updated_at = GREATEST($5, updated_at)
			WHERE seller_id = $1 AND id = ANY($2)`,
			string(seller), ids, string(mark.Reason), mark.Conflict, now.Time); err != nil {
			return err
		}
	}
	return nil
}
