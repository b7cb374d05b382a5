package db

import (
	"context"

	"github.com/uptrace/bun"

	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/scan"
)

// verdictRow is a row of offline_verdicts: an offline scan with the data that its mark depends on, apart from the
// passes of its place.
type verdictRow struct {
	bun.BaseModel `bun:"table:offline_verdicts,alias:v"`
	passColumns

	Approved   bool        `bun:"approved"`
	Multi      bool        `bun:"multi"`
	Late       bool        `bun:"late"`
	Held       scan.Reason `bun:"held"`
	HeldInside scan.Reason `bun:"held_inside"`
	Reason     scan.Reason `bun:"reason"`
}

var verdicts = &source[verdictRow]{}

// Judged returns the offline scans at places.
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
	return byPlace(found, verdictRow.judged), err
}

func (r verdictRow) judged() scan.Judged {
	return scan.Judged{
		Pass: r.pass(), Approved: r.Approved, Multi: r.Multi, Late: r.Late, Held: r.Held, HeldInside: r.HeldInside, Reason: r.Reason,
	}
}

// InsertJudged stores new offline scans in one statement.
func (tx scanTx) InsertJudged(ctx context.Context, seller ids.Seller, judged map[scan.Place][]scan.Judged) error {
	return insertAll(ctx, tx.Tx, rowsOfPlaces(judged, func(place scan.Place, item scan.Judged) verdictRow {
		return verdictRow{
			passColumns: passColumnsOf(seller, place, item.Pass), Approved: item.Approved, Multi: item.Multi, Late: item.Late,
			Held: item.Held, HeldInside: item.HeldInside, Reason: item.Reason,
		}
	}))
}

// UpdateMarks stores changed marks in the log, the claims and the verdicts. Few marks change at once. Those with the
// same reason are updated together.
func (tx scanTx) UpdateMarks(
	ctx context.Context, seller ids.Seller, marks map[string]scan.Mark, now moment.DateTime,
) error {
	alike := map[scan.Mark][]string{}
	for id, mark := range marks {
		mark.ScanID = ""
		alike[mark] = append(alike[mark], id)
	}
	for mark, ids := range alike {
		if _, err := verdicts.of(seller).where("v.scan_id = ANY($)", ids).set("reason = $", string(mark.Reason)).
			update(ctx, tx.store, tx); err != nil {
			return err
		}
		if _, err := claims.where("c.scan_id = ANY($)", ids).set("conflict = $", mark.Conflict).update(ctx, tx.store, tx); err != nil {
			return err
		}
		if _, err := loggedScans.of(seller).withIDs(ids).set("reason = nullif($, '')", string(mark.Reason)).
			set("conflict = $", mark.Conflict).set("updated_at = greatest($, updated_at)", now.Time).
			update(ctx, tx.store, tx); err != nil {
			return err
		}
	}
	return nil
}
