package db

import (
	"context"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/scan"
	"ticketgate/domain/texts"
)

// claimRow is a row of scan_claims: a scan that a device uploaded.
type claimRow struct {
	bun.BaseModel `bun:"table:scan_claims,alias:c"`

	DeviceID string  `bun:"device_id,pk"`
	Key      string  `bun:"key,pk"`
	ScanID   string  `bun:"scan_id"`
	Content  *string `bun:"content"`
	Conflict bool    `bun:"conflict"`
}

var claims = &source[claimRow]{}

// ClaimScans stores claims that do not exist yet, and returns the existing ones. They are stored in the order of their
// keys, to prevent deadlocks between uploads.
func (tx scanTx) ClaimScans(
	ctx context.Context, seller ids.Seller, deviceID string, created []scan.Claim,
) (map[string]scan.Claim, error) {
	keys, ids, contents := make([]string, len(created)), make([]string, len(created)), make([]string, len(created))
	for i, claim := range created {
		keys[i], ids[i], contents[i] = claim.Key, claim.ScanID, claim.Content
	}
	_, err := exec(ctx, tx, `INSERT INTO scan_claims (device_id, key, scan_id, content, conflict)
		SELECT DISTINCT ON (c.key) $1, c.key, c.scan_id, c.content, false
		FROM unnest($2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS c (key, scan_id, content, n)
		ORDER BY c.key, c.n ON CONFLICT (device_id, key) DO NOTHING`, deviceID, keys, ids, contents)
	if err != nil {
		return nil, err
	}
	found, err := claims.where("c.device_id = $ AND c.key = ANY($)", deviceID, keys).rows(ctx, tx.store, tx)
	if err != nil {
		return nil, err
	}
	logged, err := tx.loggedContents(ctx, seller, found)
	known := make(map[string]scan.Claim, len(found))
	for _, claim := range found {
		content := logged[claim.ScanID]
		if claim.Content != nil {
			content = *claim.Content
		}
		known[claim.Key] = scan.Claim{Key: claim.Key, ScanID: claim.ScanID, Content: content, Conflict: claim.Conflict}
	}
	return known, err
}

// loggedContents computes the digests of scans from the log, for claims that were stored without one before migration
// 0032.
func (tx scanTx) loggedContents(ctx context.Context, seller ids.Seller, claims []claimRow) (map[string]string, error) {
	var ids []string
	for _, claim := range claims {
		if claim.Content == nil {
			ids = append(ids, claim.ScanID)
		}
	}
	if len(ids) == 0 {
		return map[string]string{}, nil
	}
	slices.Sort(ids)
	found, err := loggedScans.of(seller).withIDs(ids).rows(ctx, tx.store, tx)
	contents := make(map[string]string, len(found))
	for _, row := range found {
		said := scan.Said{EventID: texts.Of(row.EventID), Barcode: row.Barcode, Type: scan.Fail, Direction: scan.In}
		if row.ScannedAt != nil {
			said.ScannedAt = moment.New(*row.ScannedAt)
		}
		if row.Result == scan.Approved {
			said.Type = scan.OK
		}
		if row.Type == scan.Checkout {
			said.Direction = scan.Out
		}
		contents[row.ID] = said.Digest("")
	}
	return contents, err
}

// MarkConflicts marks claimed scans as conflicting.
func (tx scanTx) MarkConflicts(ctx context.Context, deviceID string, scanIDs []string) error {
	if len(scanIDs) == 0 {
		return nil
	}
	_, err := claims.where("c.device_id = $ AND c.scan_id = ANY($)", deviceID, scanIDs).set("conflict = true").update(ctx, tx.store, tx)
	return err
}

// PurgeClaims deletes claims and verdicts of scans that the log has dropped. before is the start of the retention of
// everything else. As long as a scan is in the log, its claim keeps a repeated upload from being counted.
func (s *Store) PurgeClaims(ctx context.Context, before time.Time) error {
	least := idBound(midnight(before.Add(-scansLonger)))
	if _, err := claims.where("c.scan_id < $", least).delete(ctx, s, s.sql); err != nil {
		return err
	}
	_, err := verdicts.where("v.scan_id < $", least).delete(ctx, s, s.sql)
	return err
}
