package db

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"ticketgate/domain/catalog"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/scan"
)

// changeRow is a change of the device feed that has a number.
type changeRow struct {
	Seq      int64
	Type     scan.ChangeType
	ObjectID string
	Code     *string
	EventID  *string
	ListID   *string
	At       time.Time
	Excluded []string `bun:"excluded,array"`
}

// writtenChangeRow is a change of the device feed without the columns that the database sets.
type writtenChangeRow struct {
	bun.BaseModel `bun:"table:device_feed,alias:f"`

	SellerID ids.Seller      `bun:"seller_id"`
	Type     scan.ChangeType `bun:"type"`
	ObjectID string          `bun:"object_id"`
	EventID  string          `bun:"event_id"`
}

// feedHeadRow is a row of device_feed_heads: the number of a seller's latest change.
type feedHeadRow struct {
	bun.BaseModel `bun:"table:device_feed_heads,alias:h"`

	SellerID ids.Seller `bun:"seller_id,pk"`
	Seq      int64      `bun:"seq"`
}

var (
	changes   = &source[writtenChangeRow]{}
	feedHeads = &source[feedHeadRow]{}
)

// DeviceFeed returns the store of the device feed.
func (s *Store) DeviceFeed() scan.FeedStore { return s.scans() }

// Changes numbers the seller's committed changes that have no number yet, and returns the changes after a cursor. The
// ends of the feed are read last, so that a reader notices if changes were removed meanwhile.
func (s scanStore) Changes(
	ctx context.Context, seller ids.Seller, after int64, limit int,
) ([]scan.Change, scan.FeedEnds, error) {
	if err := s.numberChanges(ctx, seller); err != nil {
		return nil, scan.FeedEnds{}, err
	}
	found, err := rows[changeRow](ctx, s.Store, s.sql, changesAfter, string(seller), after, limit)
	if err != nil {
		return nil, scan.FeedEnds{}, err
	}
	ends, err := row[scan.FeedEnds](ctx, s.Store, s.sql, "feed", `SELECT coalesce(
			(SELECT min(seq) - 1 FROM device_feed WHERE seller_id = $1), h.seq, 0) AS forgotten, coalesce(h.seq, 0) AS newest
		FROM (VALUES (1)) one LEFT JOIN device_feed_heads h ON h.seller_id = $1`, string(seller))
	if err != nil {
		return nil, scan.FeedEnds{}, err
	}
	changes, err := each(found, changeRow.change)
	return changes, ends, err
}

// changesAfter also reads the excluded events of a granted ticket, because the trigger that writes the feed knows only
// the ticket's own event. The inner LIMIT keeps the planner from reading all tickets for one page.
const changesAfter = `SELECT seq, type, object_id, code, event_id, list_id, at, CASE WHEN type = 'ticket.granted' THEN (
			SELECT excluded_event_ids FROM tickets WHERE seller_id = $1 AND id = f.object_id LIMIT 1
		) END AS excluded
	FROM (SELECT * FROM device_feed WHERE seller_id = $1 AND seq > $2 ORDER BY seq LIMIT $3) f ORDER BY seq`

// numberedAtOnce is the maximum number of changes to number at once. The next reader numbers the rest.
const numberedAtOnce = 10_000

// numberChanges assigns the next numbers to committed changes. Readers of one seller take turns, so that a number is
// visible before a larger one is assigned.
func (s *Store) numberChanges(ctx context.Context, seller ids.Seller) error {
	waiting, err := changes.of(seller).where("f.seq IS NULL").exists(ctx, s, s.sql)
	if err != nil || !waiting {
		return err
	}
	return s.transact(ctx, func(tx *Tx) error {
		// The upsert also locks the row.
		_, err := insertOn(ctx, s, tx, "CONFLICT (seller_id) DO UPDATE SET seq = h.seq", &feedHeadRow{SellerID: seller})
		if err != nil {
			return err
		}
		_, err = exec(ctx, tx, NumberChanges, string(seller), numberedAtOnce)
		return err
	})
}

// NumberChanges is a statement that numbers changes of a seller whose feedHeadRow is locked. Its arguments are the
// seller and the maximum number of changes.
const NumberChanges = `WITH numbered AS (
		SELECT w.id, h.seq + row_number() OVER (ORDER BY w.id) AS seq FROM device_feed_heads h
		CROSS JOIN (SELECT id FROM device_feed WHERE seller_id = $1 AND seq IS NULL ORDER BY id LIMIT $2) w
		WHERE h.seller_id = $1
	), given AS (
		UPDATE device_feed f SET seq = n.seq FROM numbered n WHERE f.id = n.id RETURNING f.seq
	)
	UPDATE device_feed_heads SET seq = (SELECT max(seq) FROM given)
	WHERE seller_id = $1 AND EXISTS (SELECT FROM given)`

// purgeBatch is the maximum number of changes that one statement removes.
const purgeBatch = 10_000

// PurgeChanges removes changes older than before. It removes each seller's lowest numbers, so that readers can tell
// from the lowest remaining number whether they missed any. Changes without a number get one first, since their removal
// would go unnoticed.
func (s *Store) PurgeChanges(ctx context.Context, before time.Time) error {
	for {
		removed, err := s.purgeSomeChanges(ctx, before)
		if err != nil || removed == 0 {
			return err
		}
	}
}

// purgeSomeChanges reads only the oldest rows by id: ids increase with time, and no index contains the time.
func (s *Store) purgeSomeChanges(ctx context.Context, before time.Time) (removed int64, err error) {
	type old struct{ SellerID ids.Seller }
	sellers, err := rows[old](ctx, s, s.sql, `SELECT DISTINCT seller_id FROM (
		SELECT seller_id, at FROM device_feed ORDER BY id LIMIT $2) oldest WHERE at < $1`, before, purgeBatch)
	if err != nil {
		return 0, err
	}
	for _, item := range sellers {
		if err := s.numberChanges(ctx, item.SellerID); err != nil {
			return removed, err
		}
		gone, err := s.purgeFirstChanges(ctx, item.SellerID, before)
		if err != nil {
			return removed, err
		}
		removed += gone
	}
	return removed, nil
}

// purgeFirstChanges removes a seller's lowest numbers, up to the first change that is not old. It locks the seller's
// feedHeadRow, which excludes numbering and removal by other processes.
func (s *Store) purgeFirstChanges(ctx context.Context, seller ids.Seller, before time.Time) (removed int64, err error) {
	err = s.transact(ctx, func(tx *Tx) error {
		if err := feedHeads.of(seller).forUpdate("UPDATE").lockRows(ctx, s, tx); err != nil {
			return err
		}
		removed, err = exec(ctx, tx, `DELETE FROM device_feed f USING (
				SELECT id, sum((at >= $2)::int) OVER (ORDER BY seq) AS newer FROM (
					SELECT id, seq, at FROM device_feed WHERE seller_id = $1 AND seq IS NOT NULL ORDER BY seq LIMIT $3) first
			) g WHERE f.id = g.id AND g.newer = 0`, string(seller), before, purgeBatch)
		return err
	})
	return removed, err
}

// NotifyDevices adds a change of an event to the device feed. The triggers that write the feed are on tickets, devices
// and scan groups only. One row covers all events below this one, because readers know the events above theirs.
func (t catalogTx) NotifyDevices(ctx context.Context, e catalog.Event) error {
	return t.insert(ctx, &writtenChangeRow{SellerID: e.SellerID, Type: scan.RulesChanged, ObjectID: e.ID, EventID: e.ID})
}

func (r changeRow) change() (scan.Change, error) {
	return scan.Change{
		Seq: r.Seq, Type: r.Type, ObjectID: r.ObjectID, Code: r.Code, EventID: r.EventID, ListID: r.ListID,
		At: moment.New(r.At), Excluded: r.Excluded,
	}, nil
}
