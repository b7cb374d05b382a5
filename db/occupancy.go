package db

import (
	"cmp"
	"context"
	"time"

	"github.com/uptrace/bun"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/scan"
	"ticketgate/domain/texts"
)

// placeRow is a row of scan_places: the totals of a ticket's history at an event and zone. It is kept when the scan log
// is dropped.
type placeRow struct {
	bun.BaseModel `bun:"table:scan_places,alias:p"`

	SellerID       ids.Seller `bun:"seller_id,pk"`
	TicketID       string     `bun:"ticket_id,pk"`
	EventID        string     `bun:"event_id,pk"`
	ZoneID         string     `bun:"zone_id,pk"`
	Checkins       int        `bun:"checkins"`
	Inside         int        `bun:"inside"`
	FirstCheckinAt *time.Time `bun:"first_checkin_at"`
	LastAt         *time.Time `bun:"last_at"`
}

// passRow is a row of scan_passes: a scan that counts at a place.
type passRow struct {
	bun.BaseModel `bun:"table:scan_passes,alias:s"`
	passColumns
}

// passColumns are the columns of a pass.
type passColumns struct {
	ScanID    string         `bun:"scan_id,pk"`
	SellerID  ids.Seller     `bun:"seller_id"`
	TicketID  string         `bun:"ticket_id"`
	EventID   string         `bun:"event_id"`
	ZoneID    string         `bun:"zone_id"`
	At        time.Time      `bun:"at"`
	Direction scan.Direction `bun:"direction"`
}

// insideRow is a zone in which a ticket is inside.
type insideRow struct {
	ZoneID string    `bun:"zone_id"`
	Name   *string   `bun:"name"`
	LastAt time.Time `bun:"last_at"`
}

// presenceRow summarizes where a ticket is, over all events and zones.
type presenceRow struct {
	TicketID       string     `bun:"ticket_id"`
	Inside         bool       `bun:"inside"`
	Since          *time.Time `bun:"since"`
	FirstCheckinAt *time.Time `bun:"first_checkin_at"`
}

var (
	scanPlaces  = &source[placeRow]{}
	scanPasses  = &source[passRow]{}
	insideZones = &source[insideRow]{
		columns: "p.zone_id, z.name, p.last_at", table: "scan_places AS p",
		joins: []string{"LEFT JOIN scan_zones z ON z.seller_id = p.seller_id AND z.id = p.zone_id"},
	}
	presences = &source[presenceRow]{
		columns: `p.ticket_id, bool_or(p.inside > 0) AS inside, min(p.last_at) FILTER (WHERE p.inside > 0) AS since,
			min(p.first_checkin_at) AS first_checkin_at`,
		table: "scan_places AS p", group: "p.ticket_id",
	}
)

func (r placeRow) place() scan.Place {
	return scan.Place{TicketID: r.TicketID, EventID: r.EventID, ZoneID: r.ZoneID}
}

func (r placeRow) history() scan.History {
	return scan.History{
		Checkins: r.Checkins, Inside: r.Inside, FirstCheckin: optionalTime(r.FirstCheckinAt), Last: optionalTime(r.LastAt),
	}
}

func passColumnsOf(seller ids.Seller, place scan.Place, pass scan.Pass) passColumns {
	return passColumns{
		ScanID: pass.ScanID, SellerID: seller, TicketID: place.TicketID, EventID: place.EventID, ZoneID: place.ZoneID,
		At: pass.At.Time, Direction: pass.Direction,
	}
}

func (r passColumns) place() scan.Place {
	return scan.Place{TicketID: r.TicketID, EventID: r.EventID, ZoneID: r.ZoneID}
}

func (r passColumns) pass() scan.Pass {
	return scan.Pass{ScanID: r.ScanID, At: moment.New(r.At), Direction: r.Direction}
}

// byPlace groups rows by their place.
func byPlace[R interface{ place() scan.Place }, T any](found []R, item func(R) T) map[scan.Place][]T {
	items := make(map[scan.Place][]T, len(found))
	for _, row := range found {
		items[row.place()] = append(items[row.place()], item(row))
	}
	return items
}

// rowsOfPlaces returns a row for each item at the places.
func rowsOfPlaces[R, T any](items map[scan.Place][]T, rowOf func(scan.Place, T) R) []R {
	var created []R
	for place, list := range items {
		for _, item := range list {
			created = append(created, rowOf(place, item))
		}
	}
	return created
}

// placeColumns has places, column by column.
type placeColumns struct{ tickets, events, zones []string }

// columnsOfPlaces returns places as arrays for unnest.
func columnsOfPlaces(places []scan.Place) (c placeColumns) {
	for _, place := range places {
		c.tickets, c.events = append(c.tickets, place.TicketID), append(c.events, place.EventID)
		c.zones = append(c.zones, place.ZoneID)
	}
	return c
}

// historyColumns has the histories of places, column by column.
type historyColumns struct {
	placeColumns
	checkins, inside []int32
	first, last      []*time.Time
}

func columnsOfHistories(histories map[scan.Place]scan.History) (c historyColumns) {
	for place, history := range histories {
		c.tickets, c.events, c.zones = append(c.tickets, place.TicketID), append(c.events, place.EventID), append(c.zones, place.ZoneID)
		c.checkins, c.inside = append(c.checkins, int32(history.Checkins)), append(c.inside, int32(history.Inside)) //nolint:gosec // few
		c.first, c.last = append(c.first, instant(history.FirstCheckin)), append(c.last, instant(history.Last))
	}
	return c
}

// LockPlaces locks the rows of all places and returns their histories. It inserts missing rows. All transactions use
// the same order.
func (tx scanTx) LockPlaces(
	ctx context.Context, seller ids.Seller, places []scan.Place,
) (map[scan.Place]scan.History, error) {
	c := columnsOfPlaces(places)
	found, err := rows[placeRow](ctx, tx.store, tx, `
		INSERT INTO scan_places AS p (seller_id, ticket_id, event_id, zone_id, checkins, inside)
		SELECT $1, x.ticket_id, x.event_id, x.zone_id, 0, 0 FROM unnest($2::text[], $3::text[], $4::text[])
			AS x (ticket_id, event_id, zone_id) ORDER BY x.ticket_id COLLATE "C", x.event_id COLLATE "C", x.zone_id COLLATE "C"
		ON CONFLICT (seller_id, ticket_id, event_id, zone_id) DO UPDATE SET checkins = p.checkins
		RETURNING ticket_id, event_id, zone_id, checkins, inside, first_checkin_at, last_at`,
		string(seller), c.tickets, c.events, c.zones)
	return historiesOf(found), err
}

// placesWait is how long the insertion of new places may wait for other transactions that insert the same ones. Those
// never wait for this transaction.
const placesWait = "100ms"

// InsertPlaces stores new places, in the same order as LockPlaces, and returns those that were inserted.
func (tx scanTx) InsertPlaces(
	ctx context.Context, seller ids.Seller, histories map[scan.Place]scan.History,
) ([]scan.Place, error) {
	c := columnsOfHistories(histories)
	found, err := rows[placeRow](ctx, tx.store, tx, `
		INSERT INTO scan_places AS p (seller_id, ticket_id, event_id, zone_id, checkins, inside, first_checkin_at, last_at)
		SELECT $1, x.ticket_id, x.event_id, x.zone_id, x.checkins, x.inside, x.first_checkin_at, x.last_at
		FROM set_config('lock_timeout', $9, true), unnest($2::text[], $3::text[], $4::text[], $5::int[], $6::int[],
			$7::timestamptz[], $8::timestamptz[])
			AS x (ticket_id, event_id, zone_id, checkins, inside, first_checkin_at, last_at)
		ORDER BY x.ticket_id COLLATE "C", x.event_id COLLATE "C", x.zone_id COLLATE "C"
		ON CONFLICT (seller_id, ticket_id, event_id, zone_id) DO NOTHING RETURNING ticket_id, event_id, zone_id`,
		string(seller), c.tickets, c.events, c.zones, c.checkins, c.inside, c.first, c.last, placesWait)
	places := make([]scan.Place, len(found))
	for i, item := range found {
		places[i] = item.place()
	}
	return places, err
}

// LockFreePlaces locks existing places, except those that are locked already, and returns their histories. It never
// waits, so the order does not matter.
func (tx scanTx) LockFreePlaces(
	ctx context.Context, seller ids.Seller, places []scan.Place,
) (map[scan.Place]scan.History, error) {
	c := columnsOfPlaces(places)
	found, err := rows[placeRow](ctx, tx.store, tx, `
		SELECT p.ticket_id, p.event_id, p.zone_id, p.checkins, p.inside, p.first_checkin_at, p.last_at
		FROM unnest($2::text[], $3::text[], $4::text[]) AS x (ticket_id, event_id, zone_id)
		JOIN scan_places p ON p.seller_id = $1 AND p.ticket_id = x.ticket_id AND p.event_id = x.event_id AND p.zone_id = x.zone_id
		FOR UPDATE OF p SKIP LOCKED`, string(seller), c.tickets, c.events, c.zones)
	return historiesOf(found), err
}

func historiesOf(found []placeRow) map[scan.Place]scan.History {
	histories := make(map[scan.Place]scan.History, len(found))
	for _, item := range found {
		histories[item.place()] = item.history()
	}
	return histories
}

// History returns the history of a place without locking it. The history is empty if the ticket was never scanned
// there.
func (tx scanTx) History(ctx context.Context, seller ids.Seller, place scan.Place) (scan.History, error) {
	found, err := scanPlaces.of(seller).
		where("p.ticket_id = $ AND p.event_id = $ AND p.zone_id = $", place.TicketID, place.EventID, place.ZoneID).
		rows(ctx, tx.store, tx)
	if err != nil || len(found) == 0 {
		return scan.History{}, err
	}
	return found[0].history(), nil
}

// Passes returns the scans that count at places.
func (tx scanTx) Passes(
	ctx context.Context, seller ids.Seller, places []scan.Place,
) (map[scan.Place][]scan.Pass, error) {
	c := columnsOfPlaces(places)
	found, err := rows[passRow](ctx, tx.store, tx, `
		SELECT s.scan_id, s.ticket_id, s.event_id, s.zone_id, s.at, s.direction
		FROM unnest($2::text[], $3::text[], $4::text[]) AS x (ticket_id, event_id, zone_id)
		JOIN scan_passes s ON s.seller_id = $1 AND s.ticket_id = x.ticket_id AND s.event_id = x.event_id AND s.zone_id = x.zone_id
		ORDER BY s.at, s.scan_id`, string(seller), c.tickets, c.events, c.zones)
	return byPlace(found, func(r passRow) scan.Pass { return r.pass() }), err
}

// InsertPasses stores the passes of new scans.
func (tx scanTx) InsertPasses(ctx context.Context, seller ids.Seller, passes map[scan.Place][]scan.Pass) error {
	return insertAll(ctx, tx.Tx, rowsOfPlaces(passes, func(place scan.Place, pass scan.Pass) passRow {
		return passRow{passColumns: passColumnsOf(seller, place, pass)}
	}))
}

// DeletePass deletes the pass of a scan, and its verdict, so that it is not marked again.
func (tx scanTx) DeletePass(ctx context.Context, seller ids.Seller, scanID string) error {
	if _, err := verdicts.of(seller).where("v.scan_id = $", scanID).delete(ctx, tx.store, tx); err != nil {
		return err
	}
	_, err := scanPasses.of(seller).where("s.scan_id = $", scanID).delete(ctx, tx.store, tx)
	return err
}

// UpdatePlaces stores the histories of locked places.
func (tx scanTx) UpdatePlaces(
	ctx context.Context, seller ids.Seller, histories map[scan.Place]scan.History,
) error {
	if len(histories) == 0 {
		return nil
	}
	c := columnsOfHistories(histories)
	_, err := exec(ctx, tx, `UPDATE scan_places p SET checkins = x.checkins, inside = x.inside,
			first_checkin_at = x.first_checkin_at, last_at = x.last_at
		FROM unnest($2::text[], $3::text[], $4::text[], $5::int[], $6::int[], $7::timestamptz[], $8::timestamptz[])
			AS x (ticket_id, event_id, zone_id, checkins, inside, first_checkin_at, last_at)
		WHERE p.seller_id = $1 AND p.ticket_id = x.ticket_id AND p.event_id = x.event_id AND p.zone_id = x.zone_id`,
		string(seller), c.tickets, c.events, c.zones, c.checkins, c.inside, c.first, c.last)
	return err
}

// OtherZones returns the other zones of the event in which the ticket is inside.
func (tx scanTx) OtherZones(ctx context.Context, seller ids.Seller, place scan.Place) ([]scan.InsideZone, error) {
	found, err := insideZones.where("p.seller_id = $", string(seller)).
		where("p.ticket_id = $ AND p.event_id = $ AND p.zone_id <> $ AND p.inside > 0", place.TicketID, place.EventID, place.ZoneID).
		orderBy("p.zone_id").rows(ctx, tx.store, tx)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return each(found, func(r insideRow) (scan.InsideZone, error) {
		return scan.InsideZone{ScanZoneID: texts.Shown(r.ZoneID), Name: r.Name, Since: moment.New(r.LastAt)}, nil
	})
}

// Occupancy counts the tickets of an event, over all zones and in each zone.
func (s scanStore) Occupancy(ctx context.Context, seller ids.Seller, eventID string) (scan.Occupancy, error) {
	if known, err := s.CatalogReader().EventsByID(ctx, seller, []string{eventID}); err != nil || len(known) == 0 {
		return scan.Occupancy{}, cmp.Or(err, error(domain.NotFound(catalogEventName)))
	}
	counted, err := s.Occupancies(ctx, seller, []string{eventID})
	return counted[eventID], err
}

// Occupancies counts the tickets of events, over all zones and in each zone.
func (s scanStore) Occupancies(
	ctx context.Context, seller ids.Seller, events []string,
) (map[string]scan.Occupancy, error) {
	type countRow struct {
		EventID  string
		ZoneID   *string
		Name     *string
		Inside   int
		Checkins int
	}
	found, err := rows[countRow](ctx, s.Store, s.sql, `SELECT p.event_id, p.zone_id, max(z.name) AS name,
			count(DISTINCT p.ticket_id) FILTER (WHERE p.inside > 0) AS inside, count(DISTINCT p.ticket_id) AS checkins
		FROM scan_places p LEFT JOIN scan_zones z ON z.seller_id = p.seller_id AND z.id = p.zone_id
		WHERE p.seller_id = $1 AND p.event_id = ANY($2) AND p.checkins > 0
		GROUP BY GROUPING SETS ((p.event_id), (p.event_id, p.zone_id)) ORDER BY p.event_id, p.zone_id NULLS FIRST`,
		string(seller), events)
	counted := make(map[string]scan.Occupancy, len(events))
	for _, id := range events {
		counted[id] = scan.Occupancy{EventID: id, Zones: []scan.ZoneOccupancy{}}
	}
	for _, item := range found {
		occupancy := counted[item.EventID]
		if item.ZoneID == nil {
			occupancy.Inside, occupancy.CheckedIn = item.Inside, item.Checkins
		} else {
			occupancy.Zones = append(occupancy.Zones, scan.ZoneOccupancy{
				ScanZoneID: texts.Shown(*item.ZoneID), Name: item.Name, Inside: item.Inside, CheckedIn: item.Checkins,
			})
		}
		counted[item.EventID] = occupancy
	}
	return counted, err
}

// Presences returns where each ticket is, over all events and zones.
func (s scanStore) Presences(
	ctx context.Context, seller ids.Seller, tickets []string,
) (map[string]scan.Presence, error) {
	found, err := presences.where("p.seller_id = $", string(seller)).where("p.ticket_id = ANY($)", tickets).rows(ctx, s.Store, s.sql)
	known := make(map[string]scan.Presence, len(tickets))
	for _, id := range tickets {
		known[id] = scan.Presence{}
	}
	for _, item := range found {
		known[item.TicketID] = scan.Presence{
			Inside: item.Inside, Since: optionalTime(item.Since), FirstCheckinAt: optionalTime(item.FirstCheckinAt),
		}
	}
	return known, err
}
