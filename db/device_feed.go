package db

import (
	"context"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/scan"
)

type changeRow struct {
	Seq      int64
	Type     scan.ChangeType
	ObjectID string
	Code     *string
	EventID  *string
	ListID   *string
	At       time.Time
}

// DeviceFeed is the database as the device feed needs it.
func (s *Store) DeviceFeed() scan.FeedStore { return scanStore{s} }

// Changes numbers what is committed and has no number yet, and reads what comes after one.
func (s scanStore) Changes(ctx context.Context, seller domain.SellerID, after int64, limit int) ([]scan.Change, error) {
	if err := s.numberChanges(ctx, seller); err != nil {
		return nil, err
	}
	found, err := rows[changeRow](ctx, s.Store, s.sql, `SELECT seq, type, object_id, code, event_id, list_id, at FROM device_feed
		WHERE seller_id = $1 AND seq > $2 ORDER BY seq LIMIT $3`, string(seller), after, limit)
	if err != nil {
		return nil, err
	}
	return each(found, changeRow.change)
}

// numberedAtOnce bounds one numbering: what is left is numbered by the next reader.
const numberedAtOnce = 10_000

// numberChanges gives the numbers that follow to rows that other transactions have committed. All readers of a seller
// take turns, so that a number is visible before a greater one is given.
func (s scanStore) numberChanges(ctx context.Context, seller domain.SellerID) error {
	type found struct{ Exists bool }
	waiting, err := row[found](ctx, s.Store, s.sql, "feed",
		"SELECT EXISTS (SELECT FROM device_feed WHERE seller_id = $1 AND seq IS NULL) AS exists", string(seller))
	if err != nil || !waiting.Exists {
		return err
	}
	return s.transact(ctx, func(tx *Tx) error {
		_, err := exec(ctx, tx.byHand(), `INSERT INTO device_feed_heads AS h (seller_id, seq) VALUES ($1, 0)
			ON CONFLICT (seller_id) DO UPDATE SET seq = h.seq`, string(seller)) // also the lock
		if err != nil {
			return err
		}
		_, err = exec(ctx, tx.byHand(), `WITH numbered AS (
				SELECT w.id, h.seq + row_number() OVER (ORDER BY w.id) AS seq FROM device_feed_heads h
				CROSS JOIN (SELECT id FROM device_feed WHERE seller_id = $1 AND seq IS NULL ORDER BY id LIMIT $2) w
				WHERE h.seller_id = $1
			), given AS (
				UPDATE device_feed f SET seq = n.seq FROM numbered n WHERE f.id = n.id RETURNING f.seq
			)
			UPDATE device_feed_heads SET seq = (SELECT max(seq) FROM given)
			WHERE seller_id = $1 AND EXISTS (SELECT FROM given)`, string(seller), numberedAtOnce)
		return err
	})
}

func (r changeRow) change() (scan.Change, error) {
	return scan.Change{
		Seq: r.Seq, Type: r.Type, ObjectID: r.ObjectID, Code: r.Code, EventID: r.EventID, ListID: r.ListID,
		At: domain.NewDateTime(r.At),
	}, nil
}
