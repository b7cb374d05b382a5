package db

import (
	"context"
	"fmt"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/access"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/optional"
	"ticketgate/domain/texts"
)

// StageRows stores parsed rows of a file in one statement.
func (tx accessTx) StageRows(ctx context.Context, importID string, staged []access.StagedRow) error {
	if len(staged) == 0 {
		return nil
	}
	c := newStagedColumns(len(staged))
	for i, item := range staged {
		c.put(i, item)
	}
	_, err := exec(ctx, tx, `INSERT INTO entry_import_rows (import_id, line, verdict, external_code, customer_id,
			firstname, lastname, email, email_folded, phone, meta, reason, warning, merges_meta, trimmed, damaged, updated_at)
		SELECT $1, r.* FROM unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
			$9::text[], $10::text[], $11::json[], $12::text[], $13::text[], $14::boolean[], $15::boolean[], $16::boolean[],
			$17::timestamptz[]) r`,
		importID, c.line, c.verdict, c.code, c.customer, c.firstname, c.lastname, c.email, c.folded, c.phone, c.meta,
		c.reason, c.warning, c.merges, c.trimmed, c.damaged, c.updated)
	return err
}

// stagedColumns has staged rows as arrays for unnest. A nil element means that the row lacks the field.
type stagedColumns struct {
	line                                                                             []int64
	verdict                                                                          []string
	merges, trimmed, damaged                                                         []bool
	updated                                                                          []*time.Time
	code, customer, firstname, lastname, email, folded, phone, meta, reason, warning []*string
}

func newStagedColumns(n int) *stagedColumns {
	c := &stagedColumns{
		line: make([]int64, n), verdict: make([]string, n), merges: make([]bool, n), trimmed: make([]bool, n),
		damaged: make([]bool, n), updated: make([]*time.Time, n),
	}
	for _, column := range []*[]*string{
		&c.code, &c.customer, &c.firstname, &c.lastname, &c.email, &c.folded, &c.phone, &c.meta, &c.reason, &c.warning,
	} {
		*column = make([]*string, n)
	}
	return c
}

func (c *stagedColumns) put(i int, r access.StagedRow) {
	c.line[i], c.verdict[i], c.merges[i] = int64(r.Line), "new", r.MergesMeta
	c.trimmed[i], c.damaged[i], c.updated[i] = r.Trimmed, r.Damaged, instant(r.UpdatedAt)
	if r.Bad != "" {
		c.verdict[i] = "bad"
	}
	c.code[i], c.reason[i], c.warning[i] = optionalText(r.Entry.ExternalCode), optionalText(r.Bad), optionalText(r.Warning)
	c.customer[i], c.firstname[i], c.lastname[i] = said(r.Entry.CustomerID), said(r.Entry.Firstname), said(r.Entry.Lastname)
	c.email[i], c.phone[i] = said(r.Entry.Email), said(r.Entry.Phone)
	if c.email[i] != nil {
		folded := texts.FoldEmail(*c.email[i])
		c.folded[i] = &folded
	}
	if r.Entry.Meta.Set {
		meta := string(r.Entry.Meta.Or(ecmajson.Value{}).Print())
		c.meta[i] = &meta
	}
}

// said returns the stored form of a staged field: nil if it is missing, empty if it is null, otherwise its value.
func said(member optional.Value[string]) *string {
	if !member.Set {
		return nil
	}
	text := member.Or("")
	return &text
}

// MarkRepeated marks every row whose code is already on an earlier line.
func (tx accessTx) MarkRepeated(ctx context.Context, importID string) error {
	_, err := exec(ctx, tx, `WITH repeated AS (
			SELECT external_code, min(line) AS line FROM entry_import_rows
			WHERE import_id = $1 AND verdict <> 'bad' GROUP BY external_code HAVING count(*) > 1)
		UPDATE entry_import_rows r SET warning = NULL,
			verdict = CASE WHEN same.same THEN 'duplicate' ELSE 'bad' END,
			reason = CASE WHEN NOT same.same THEN 'has the code of line ' || f.line || ' and says something else' END
		FROM repeated d JOIN entry_import_rows f ON f.import_id = $1 AND f.line = d.line, entry_import_rows o, LATERAL (
			SELECT (o.customer_id, o.firstname, o.lastname, o.email, o.phone, o.meta::jsonb)
				IS NOT DISTINCT FROM (f.customer_id, f.firstname, f.lastname, f.email, f.phone, f.meta::jsonb) AS same) same
		WHERE o.import_id = $1 AND o.external_code = d.external_code AND o.line > d.line AND o.verdict <> 'bad'
			AND r.import_id = $1 AND r.line = o.line`, importID)
	return err
}

// metaDiffers is true if row s changes the meta of entry e. It is evaluated for every row, so it avoids the function
// entry_meta, which is slower. If s merges, null values in its meta are fields to remove, and all others are text.
const metaDiffers = `CASE WHEN s.merges_meta THEN NOT coalesce(e.meta::jsonb, '{}') @> jsonb_strip_nulls(s.meta::jsonb)
		OR jsonb_exists_any(e.meta::jsonb, ARRAY(SELECT key FROM json_each(s.meta) WHERE json_typeof(value) = 'null'))
	ELSE s.meta::jsonb <> coalesce(e.meta::jsonb, 'null') END`

// Compare stores in each row the change that it would make. Only rows whose result has changed are written.
func (tx accessTx) Compare(ctx context.Context, imp access.Import) (access.Counts, error) {
	if _, err := exec(ctx, tx, `UPDATE entry_import_rows r
		SET verdict = c.verdict, entry_id = c.entry_id, reason = c.reason
		FROM (SELECT s.line, e.id AS entry_id, NULLIF(d.differs, '') AS reason,
				CASE WHEN e.id IS NULL THEN 'new' WHEN d.differs = '' THEN 'same' WHEN s.updated_at < e.updated_at THEN 'stale'
					ELSE 'conflict' END AS verdict
			FROM entry_import_rows s
			LEFT JOIN access_entries e ON e.list_id = $2 AND e.seller_id = $3 AND e.external_code = s.external_code
			CROSS JOIN LATERAL (SELECT CASE WHEN e.id IS NULL THEN '' ELSE concat_ws(', ',
				CASE WHEN s.customer_id <> coalesce(e.customer_id, '') THEN 'customerId' END,
				CASE WHEN s.firstname <> coalesce(e.firstname, '') THEN 'firstname' END,
				CASE WHEN s.lastname <> coalesce(e.lastname, '') THEN 'lastname' END,
				CASE WHEN s.email <> coalesce(e.email, '') THEN 'email' END,
				CASE WHEN s.phone <> coalesce(e.phone, '') THEN 'phone' END,
				CASE WHEN `+metaDiffers+` THEN 'meta' END) END AS differs) d
			WHERE s.import_id = $1 AND s.verdict IN ('new', 'same', 'conflict', 'stale')) c
		WHERE r.import_id = $1 AND r.line = c.line
			AND (r.verdict, r.entry_id, r.reason) IS DISTINCT FROM (c.verdict, c.entry_id, c.reason)`,
		imp.ID, imp.ListID, string(imp.SellerID)); err != nil {
		return access.Counts{}, err
	}
	if err := tx.refuseMerged(ctx, imp); err != nil {
		return access.Counts{}, err
	}
	if imp.Mode == access.FullSet {
		if err := tx.findRemoved(ctx, imp); err != nil {
			return access.Counts{}, err
		}
	}
	return row[access.Counts](ctx, tx.store, tx, entryImportName, `SELECT
			count(*) FILTER (WHERE line > 0) AS rows, count(*) FILTER (WHERE verdict = 'new') AS new,
			count(*) FILTER (WHERE verdict = 'same') AS same, count(*) FILTER (WHERE verdict = 'conflict') AS conflict,
			count(*) FILTER (WHERE verdict = 'bad') AS bad, count(*) FILTER (WHERE verdict = 'duplicate') AS duplicate,
			count(*) FILTER (WHERE verdict = 'removed') AS removed, count(warning) AS warnings,
			count(*) FILTER (WHERE verdict = 'stale') AS stale, count(*) FILTER (WHERE trimmed) AS trimmed
		FROM entry_import_rows WHERE import_id = $1`, imp.ID)
}

// mergedAtOnce is the maximum number of metas in memory.
const mergedAtOnce = 100

// overlong has rows of an import whose meta, merged with the entry's, would exceed the limits of meta.
type overlong struct {
	lines   []int64
	reasons []string
}

// eachOverlong finds the overlong rows in parts. Only rows that merge can be overlong. The merged text without white
// space is at most as long as both texts together, so shorter pairs need not be merged.
func (tx accessTx) eachOverlong(ctx context.Context, imp access.Import, found func(overlong) error) error {
	type mergedRow struct {
		Line int64
		Meta string
	}
	for line := int64(0); ; {
		merging, err := rows[mergedRow](ctx, tx.store, tx, `SELECT r.line, entry_meta(e.meta, r.meta, true)::text AS meta
			FROM entry_import_rows r JOIN access_entries e ON e.id = r.entry_id AND e.seller_id = $5
			WHERE r.import_id = $1 AND r.line > $2 AND r.verdict = 'conflict' AND r.merges_meta
				AND octet_length(e.meta::text) + octet_length(r.meta::text) > $3
			ORDER BY r.line LIMIT $4`, imp.ID, line, access.MaxMetaBytes, mergedAtOnce, string(imp.SellerID))
		if err != nil || len(merging) == 0 {
			return err
		}
		var bad overlong
		for _, item := range merging {
			merged, err := ecmajson.Parse([]byte(item.Meta), ecmajson.Limits{})
			if err != nil {
				return err
			}
			if fault := access.MergedMetaFault(merged); fault != "" {
				bad.lines, bad.reasons = append(bad.lines, item.Line), append(bad.reasons, fault)
			}
			line = item.Line
		}
		if len(bad.lines) == 0 {
			continue
		}
		if err := found(bad); err != nil {
			return err
		}
	}
}

// refuseMerged marks the overlong rows as bad.
func (tx accessTx) refuseMerged(ctx context.Context, imp access.Import) error {
	return tx.eachOverlong(ctx, imp, func(bad overlong) error {
		_, err := exec(ctx, tx, `UPDATE entry_import_rows r SET verdict = 'bad', reason = f.reason, warning = NULL
			FROM unnest($2::bigint[], $3::text[]) AS f (line, reason) WHERE r.import_id = $1 AND r.line = f.line`,
			imp.ID, bad.lines, bad.reasons)
		return err
	})
}

// judgeMerged checks the rows again once their entries are locked, since a meta may have changed after the comparison.
// It returns an error for the first overlong row. The next commit marks the row as bad.
func (tx accessTx) judgeMerged(ctx context.Context, imp access.Import) error {
	return tx.eachOverlong(ctx, imp, func(bad overlong) error {
		return domain.InvalidState(fmt.Sprintf(
			"An entry was changed since the preview: line %d: %s. Commit again", bad.lines[0], bad.reasons[0]))
	})
}

// findRemoved adds a row for each entry that is missing from a full set. An entry is not missing if its code is on a
// bad line. Rows of the preview are kept unless their entry was deleted. New rows follow them.
func (tx accessTx) findRemoved(ctx context.Context, imp access.Import) error {
	if _, err := exec(ctx, tx, `DELETE FROM entry_import_rows r WHERE r.import_id = $1 AND r.line < 0 AND NOT EXISTS (
			SELECT FROM access_entries e WHERE e.id = r.entry_id AND e.list_id = $2 AND e.seller_id = $3
				AND e.external_code = r.external_code)`,
		imp.ID, imp.ListID, string(imp.SellerID)); err != nil {
		return err
	}
	_, err := exec(ctx, tx, `INSERT INTO entry_import_rows (import_id, line, verdict, external_code, entry_id)
		SELECT $1, -$3::bigint - row_number() OVER (ORDER BY e.id), 'removed', e.external_code, e.id FROM access_entries e
		WHERE e.list_id = $2 AND e.seller_id = $4 AND NOT EXISTS (
			SELECT FROM entry_import_rows r WHERE r.import_id = $1 AND r.external_code = e.external_code)`,
		imp.ID, imp.ListID, imp.Counts.Removed, string(imp.SellerID))
	return err
}

// CountEffects counts the entries of the list, the bad rows without a code, and the removals that were not in the preview.
func (tx accessTx) CountEffects(ctx context.Context, imp access.Import) (access.Effects, error) {
	return row[access.Effects](ctx, tx.store, tx, entryImportName, `SELECT
			(SELECT count(*) FROM access_entries WHERE list_id = $2 AND seller_id = $4) AS present,
			(SELECT count(*) FROM entry_import_rows
				WHERE import_id = $1 AND verdict = 'bad' AND (external_code IS NULL OR damaged)) AS unread,
			(SELECT count(*) FROM entry_import_rows WHERE import_id = $1 AND line < -$3::bigint) AS unseen`,
		imp.ID, imp.ListID, imp.Counts.Removed, string(imp.SellerID))
}

// Apply removes, changes and adds entries, in this order.
func (tx accessTx) Apply(
	ctx context.Context, imp access.Import, updateConflicts bool, now moment.DateTime,
) (result access.Result, err error) {
	if result.Removed, err = tx.removeStaged(ctx, imp); err != nil {
		return result, err
	}
	if updateConflicts {
		if result.Changed, err = tx.changeStaged(ctx, imp, now); err != nil {
			return result, err
		}
	}
	result.Added, err = tx.addStaged(ctx, imp, now)
	return result, err
}

// removeStaged deletes the entries that are missing from a full set, and records them for undo.
func (tx accessTx) removeStaged(ctx context.Context, imp access.Import) (int, error) {
	return affected(exec(ctx, tx, `WITH gone AS (
			DELETE FROM access_entries e USING entry_import_rows r
			WHERE r.import_id = $1 AND r.verdict = 'removed' AND e.id = r.entry_id AND e.seller_id = $2 RETURNING e.*)
		UPDATE entry_import_rows r SET before = to_json(gone) FROM gone
		WHERE r.import_id = $1 AND r.verdict = 'removed' AND r.external_code = gone.external_code`, imp.ID, string(imp.SellerID)))
}

// changeStaged locks the conflicting entries and records them before changing them, so that undo restores exactly the
// previous values. An entry with a later updatedAt than its row is not changed (IMPORT-4).
func (tx accessTx) changeStaged(ctx context.Context, imp access.Import, now moment.DateTime) (int, error) {
	if _, err := exec(ctx, tx, `WITH old AS (
			SELECT r.line, to_json(e) AS before FROM entry_import_rows r JOIN access_entries e ON e.id = r.entry_id AND e.seller_id = $2
			WHERE r.import_id = $1 AND r.verdict = 'conflict' FOR UPDATE OF e)
		UPDATE entry_import_rows r SET before = old.before FROM old
		WHERE r.import_id = $1 AND r.line = old.line`, imp.ID, string(imp.SellerID)); err != nil {
		return 0, err
	}
	if err := tx.judgeMerged(ctx, imp); err != nil {
		return 0, err
	}
	return affected(exec(ctx, tx, `UPDATE access_entries e SET updated_at = `+nextUpdate("$2", "e")+`,
			customer_id = CASE WHEN r.customer_id IS NULL THEN e.customer_id ELSE NULLIF(r.customer_id, '') END,
			firstname = CASE WHEN r.firstname IS NULL THEN e.firstname ELSE NULLIF(r.firstname, '') END,
			lastname = CASE WHEN r.lastname IS NULL THEN e.lastname ELSE NULLIF(r.lastname, '') END,
			email = CASE WHEN r.email IS NULL THEN e.email ELSE NULLIF(r.email, '') END,
			email_folded = CASE WHEN r.email IS NULL THEN e.email_folded ELSE NULLIF(r.email_folded, '') END,
			phone = CASE WHEN r.phone IS NULL THEN e.phone ELSE NULLIF(r.phone, '') END,
			meta = entry_meta(e.meta, r.meta, r.merges_meta)
		FROM entry_import_rows r
		WHERE r.import_id = $1 AND r.verdict = 'conflict' AND r.before IS NOT NULL AND e.id = r.entry_id
			AND e.seller_id = $3 AND (r.updated_at IS NULL OR r.updated_at >= e.updated_at)`, imp.ID, now.Time, string(imp.SellerID)))
}

// addStaged adds the new entries in the order of the file. Their ids sort after all existing entries of the list.
func (tx accessTx) addStaged(ctx context.Context, imp access.Import, now moment.DateTime) (int, error) {
	added, err := stagedRows.where("r.import_id = $ AND r.verdict = 'new'", imp.ID).count(ctx, tx.store, tx)
	if err != nil || added == 0 {
		return 0, err
	}
	seconds, first := ids.Reserve(now.Time, added)
	return affected(exec(ctx, tx, `INSERT INTO access_entries (id, list_id, seller_id, external_code, customer_id,
			firstname, lastname, email, email_folded, phone, meta, created_at, updated_at)
		SELECT lpad(to_hex($4::bigint), 8, '0') || lpad(to_hex($5::bigint - 1 + row_number() OVER (ORDER BY r.line)), 16, '0'),
			$2, $3, r.external_code, NULLIF(r.customer_id, ''), NULLIF(r.firstname, ''), NULLIF(r.lastname, ''),
			NULLIF(r.email, ''), NULLIF(r.email_folded, ''), NULLIF(r.phone, ''),
			CASE WHEN r.merges_meta THEN nullif(json_strip_nulls(r.meta)::text, '{}')::json WHEN r.meta::text <> 'null' THEN r.meta END,
			$6, $6
		FROM entry_import_rows r WHERE r.import_id = $1 AND r.verdict = 'new'`,
		imp.ID, imp.ListID, string(imp.SellerID), int64(seconds), int64(first), now.Time))
}

// nextUpdate is domain.NextUpdate in SQL: an expression for the new updated_at of a row that is changed at a time.
func nextUpdate(at, row string) string {
	return "greatest(" + at + "::timestamptz, " + row + ".updated_at + interval '1 millisecond')"
}

// Revert undoes an import. An entry is left as it is if it was changed after the commit, which its updated_at shows.
func (tx accessTx) Revert(ctx context.Context, imp access.Import, now moment.DateTime) (undone access.UndoResult, err error) {
	committed := instant(imp.CommittedAt)
	if undone.Removed, err = affected(exec(ctx, tx, `DELETE FROM access_entries e USING entry_import_rows r
		WHERE r.import_id = $1 AND r.verdict = 'new' AND e.list_id = $2 AND e.seller_id = $4 AND e.external_code = r.external_code
			AND e.created_at = $3 AND e.updated_at = $3`, imp.ID, imp.ListID, committed, string(imp.SellerID))); err != nil {
		return undone, err
	}
	changed, err := affected(exec(ctx, tx, `UPDATE access_entries e SET updated_at = `+nextUpdate("$3", "e")+`,
			customer_id = b.customer_id, firstname = b.firstname, lastname = b.lastname, email = b.email,
			email_folded = b.email_folded, phone = b.phone, meta = b.meta
		FROM entry_import_rows r, json_populate_record(NULL::access_entries, r.before) b
		WHERE r.import_id = $1 AND r.verdict = 'conflict' AND r.before IS NOT NULL AND e.id = r.entry_id
			AND e.seller_id = $4 AND e.updated_at = `+nextUpdate("$2", "b"), imp.ID, committed, now.Time, string(imp.SellerID)))
	if err != nil {
		return undone, err
	}
	returned, err := affected(exec(ctx, tx, `INSERT INTO access_entries (id, list_id, seller_id, external_code,
			customer_id, firstname, lastname, email, email_folded, phone, meta, created_at, updated_at)
		SELECT b.id, b.list_id, b.seller_id, b.external_code, b.customer_id, b.firstname, b.lastname, b.email,
			b.email_folded, b.phone, b.meta, b.created_at, `+nextUpdate("$2", "b")+`
		FROM entry_import_rows r, json_populate_record(NULL::access_entries, r.before) b
		WHERE r.import_id = $1 AND r.verdict = 'removed' AND r.before IS NOT NULL
		ON CONFLICT DO NOTHING`, imp.ID, now.Time))
	undone.Restored = changed + returned
	if did := imp.Result; did != nil {
		undone.Kept = did.Added + did.Changed + did.Removed - undone.Removed - undone.Restored
	}
	return undone, err
}

// affected converts the number of changed rows to an int.
func affected(changed int64, err error) (int, error) { return int(changed), err }
