package db

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/scan"
	"ticketgate/domain/ticket"
)

// scanRow is a row of scans, the scan log, which is partitioned by time. Names are as of the scan: they don't change
// when a ticket type or device is renamed or deleted.
type scanRow struct {
	bun.BaseModel `bun:"table:scans,alias:s"`

	ID            string       `bun:"id,pk"`
	SellerID      ids.Seller   `bun:"seller_id"`
	TicketID      *string      `bun:"ticket_id"`
	EventID       *string      `bun:"event_id"`
	ParentEventID *string      `bun:"parent_event_id"`
	ScanZoneID    *string      `bun:"scan_zone_id"`
	ScanGroupID   *string      `bun:"scan_group_id"`
	DeviceID      *string      `bun:"device_id"`
	DeviceName    *string      `bun:"device_name"`
	ClientID      *string      `bun:"client_id"`
	Barcode       string       `bun:"barcode"`
	Name          *string      `bun:"name"`
	TicketTypeID  *string      `bun:"ticket_type_id"`
	TicketName    *string      `bun:"ticket_name"`
	Type          scan.Type    `bun:"type"`
	Result        scan.Result  `bun:"result"`
	Reason        *scan.Reason `bun:"reason"`
	Time          time.Time    `bun:"time"`
	ScannedAt     *time.Time   `bun:"scanned_at"`
	Offline       bool         `bun:"offline"`
	Late          bool         `bun:"late"`
	Conflict      bool         `bun:"conflict"`
	ClockAhead    bool         `bun:"clock_ahead"`
	AnnulledAt    *time.Time   `bun:"annulled_at"`
	AnnulledBy    *string      `bun:"annulled_by"`
	CreatedAt     time.Time    `bun:"created_at"`
	UpdatedAt     time.Time    `bun:"updated_at"`
}

const scanName = "Scan"

var (
	loggedScans = &source[scanRow]{}
	scanIDs     = &source[scanRow]{columns: "s.id"}
)

// Scans returns the store of the scan log.
func (s *Store) Scans() scan.LogStore { return s.scans() }

// Scan reads one scan of a seller.
func (s scanStore) Scan(ctx context.Context, seller ids.Seller, id string) (scan.Scan, error) {
	return scanByID(ctx, s.Store, s.sql, seller, id, "")
}

// ScansByID returns a seller's scans by id.
func (s scanStore) ScansByID(ctx context.Context, seller ids.Seller, ids []string) (map[string]scan.Scan, error) {
	found, err := loggedScans.of(seller).withIDs(ids).counted(ctx, s.Store, s.sql)
	return byID(found, err, scanRow.scan, func(item scan.Scan) string { return item.ID })
}

// ScanForUpdate reads one scan and locks its row.
func (tx scanTx) ScanForUpdate(ctx context.Context, seller ids.Seller, id string) (scan.Scan, error) {
	return scanByID(ctx, tx.store, tx, seller, id, "UPDATE")
}

// scanByID reads one scan, locked if lock is not empty.
func scanByID(ctx context.Context, s *Store, on conn, seller ids.Seller, id, lock string) (scan.Scan, error) {
	return readOne(ctx, s, on, loggedScans.of(seller).withID(id).forUpdate(lock), scanName, scanRow.scan)
}

// ScansMark returns the id of the newest scan of the last 24 hours, or "-" if there is none. A new scan changes it.
func (s scanStore) ScansMark(ctx context.Context, seller ids.Seller) (string, error) {
	found, err := scanIDs.of(seller).where("s.id >= $", idBound(s.now().Add(-watchedDay))).orderBy("s.id DESC").
		first(ctx, s.Store, s.sql, 1)
	if err != nil || len(found) == 0 {
		return "-", err
	}
	return found[0].ID, nil
}

// Scans lists a seller's scans in the order in which they were written.
func (s scanStore) Scans(
	ctx context.Context, seller ids.Seller, f scan.Filter, page domain.Page,
) (domain.List[scan.Scan], error) {
	leading := append(scansOfOne(f), equals("s.device_id", f.DeviceID), equals("s.event_id", f.EventID))
	return scansWhere(seller, f, leading...).page(ctx, s.Store, page)
}

// ScansOfTickets reads one page of scans for each ticket.
func (s scanStore) ScansOfTickets(
	ctx context.Context, seller ids.Seller, tickets []string, f scan.Filter, page domain.Page,
) (map[string]domain.List[scan.Scan], error) {
	return scansWhere(seller, f).within(ctx, s.Store, "s.ticket_id = parent.id", tickets, page)
}

// ScansOfGroups reads one page of the scans that each scan group decided.
func (s scanStore) ScansOfGroups(
	ctx context.Context, seller ids.Seller, groups []string, f scan.Filter, page domain.Page,
) (map[string]domain.List[scan.Scan], error) {
	return scansWhere(seller, f, scansOfOne(f)...).within(ctx, s.Store, "s.scan_group_id = parent.id", groups, page)
}

// ScansOfDevices reads one page of the scans that each device made.
func (s scanStore) ScansOfDevices(
	ctx context.Context, seller ids.Seller, devices []string, f scan.Filter, page domain.Page,
) (map[string]domain.List[scan.Scan], error) {
	return scansWhere(seller, f, scansOfOne(f)...).within(ctx, s.Store, "s.device_id = parent.id", devices, page)
}

// scansWhere lists the scans that match the filter. leading are filters with an index, as in filteredBy.
func scansWhere(seller ids.Seller, f scan.Filter, leading ...filter) listing[scanRow, scan.Scan] {
	from, until := latest(f.From, f.TimeFrom), earliest(f.Until, f.TimeUntil)
	written := bound("s.id >= coalesce($::text, '')", "", from, idBound)
	written.key = true
	q := loggedScans.of(seller).filteredBy(leading, others(leading, append(scansOfOne(f),
		equals("s.device_id", f.DeviceID), equals("s.event_id", f.EventID), equals("s.scan_zone_id", f.ScanZoneID),
		equals("s.type", f.Type), equals("s.result", f.Result), equals("s.reason", f.Reason), oneOf("s.reason", f.ReasonIn),
		whether("s.offline", f.Offline), whether("s.late", f.Late), whether("s.conflict", f.Conflict),
		whether("(s.annulled_at IS NOT NULL)", f.Annulled), at("s.time >= $", from), at("s.time < $", until), written)...)...)
	return listing[scanRow, scan.Scan]{query: q, id: "s.id", item: scanRow.scan}
}

// scansOfOne returns the filters for the scans of one ticket.
func scansOfOne(f scan.Filter) []filter {
	return []filter{equals("s.ticket_id", f.TicketID), equals("s.barcode", f.Barcode)}
}

// TicketsByCode returns the seller's tickets that have one of the barcodes or ids.
func (tx scanTx) TicketsByCode(
	ctx context.Context, seller ids.Seller, barcodes, ids []string,
) ([]ticket.Record, error) {
	found, err := rows[ticketRow](ctx, tx.store, tx, `SELECT document FROM tickets WHERE seller_id = $1 AND barcode = ANY($2)
		UNION ALL SELECT document FROM tickets WHERE seller_id = $1 AND id = ANY($3) AND barcode <> ALL($2)`,
		string(seller), textArray(barcodes), textArray(ids))
	if err != nil {
		return nil, err
	}
	return each(found, ticketRow.record)
}

// textArray returns list, or an empty array if it is nil.
func textArray(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// uploadWait is the time limit of an upload's statements and locks. It equals that of a request, whose own deadline
// comes first.
const uploadWait = 10 * time.Second

// WaitForUploads lets the transaction wait longer for locks. After a network outage, all devices upload at once, and
// each waits for earlier uploads with the same tickets. An upload that gave up would only be repeated.
func (tx scanTx) WaitForUploads(ctx context.Context) error {
	return tx.allow(ctx, uploadWait.String(), uploadWait.String())
}

// InsertScans appends scans to the log in one statement.
func (tx scanTx) InsertScans(ctx context.Context, scans []scan.Scan) error {
	scanRows := make([]scanRow, len(scans))
	for i, item := range scans {
		scanRows[i] = *scanRowOf(item)
	}
	return insertAll(ctx, tx.Tx, scanRows)
}

// UpdateScan stores the annulment of a scan.
func (tx scanTx) UpdateScan(ctx context.Context, s scan.Scan) error {
	return tx.update(ctx, scanName, scanRowOf(s), "annulled_at", "annulled_by", "updated_at")
}

func scanRowOf(s scan.Scan) *scanRow {
	return &scanRow{
		ID: s.ID, SellerID: s.SellerID, TicketID: s.TicketID, EventID: s.EventID, ParentEventID: s.ParentEventID,
		ScanZoneID: s.ScanZoneID, ScanGroupID: s.ScanGroupID, DeviceID: s.DeviceID, DeviceName: s.DeviceName,
		ClientID: s.ClientID, Barcode: s.Barcode, Name: s.Name, TicketTypeID: s.TicketTypeID, TicketName: s.TicketName,
		Type: s.Type, Result: s.Result, Reason: s.Reason, Time: s.Time.Time, ScannedAt: instant(s.ScannedAt),
		Offline: s.Offline, Late: s.Late, Conflict: s.Conflict, ClockAhead: s.ClockAhead,
		AnnulledAt: instant(s.AnnulledAt), AnnulledBy: s.AnnulledBy, CreatedAt: s.CreatedAt.Time, UpdatedAt: s.UpdatedAt.Time,
	}
}

func (r scanRow) scan() (scan.Scan, error) {
	return scan.Scan{
		Published: scan.Published{
			ID: r.ID, TicketID: r.TicketID, Time: moment.New(r.Time), EventID: r.EventID, ParentEventID: r.ParentEventID,
			Barcode: r.Barcode, Name: r.Name, TicketTypeID: r.TicketTypeID, TicketName: r.TicketName, DeviceID: r.DeviceID,
			Type: r.Type, Result: r.Result, SellerID: r.SellerID,
			CreatedAt: moment.New(r.CreatedAt), UpdatedAt: moment.New(r.UpdatedAt),
		},
		Reason: r.Reason, DeviceName: r.DeviceName, ScanGroupID: r.ScanGroupID, ScanZoneID: r.ScanZoneID,
		Offline: r.Offline, Late: r.Late, Conflict: r.Conflict, ScannedAt: optionalTime(r.ScannedAt), ClockAhead: r.ClockAhead,
		ClientID: r.ClientID, AnnulledAt: optionalTime(r.AnnulledAt), AnnulledBy: r.AnnulledBy,
	}, nil
}
