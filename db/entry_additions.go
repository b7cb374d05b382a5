package db

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"ticketgate/domain"
	"ticketgate/domain/access"
	"ticketgate/domain/batch"
	"ticketgate/domain/ids"
)

const (
	// addedTogether is the maximum number of a seller's entries that one statement adds.
	addedTogether = 64
	// additionsAtOnce is the number of such statements that a seller may run at the same time. While one waits for the
	// disk, the other makes progress.
	additionsAtOnce = 2
)

// additions groups calls that add entries into shared statements and commits (IMPORT-11). Each seller has its own, so
// that a statement that waits for a lock or its share of the connections delays no other seller.
type additions = batch.Groups[ids.Seller, addition, bool]

// addition is a call that adds one entry.
type addition struct {
	row *accessEntryRow
	// gone is closed when the caller has given up.
	gone <-chan struct{}
}

func (s *Store) newAdditions() *batch.Group[addition, bool] {
	return &batch.Group[addition, bool]{
		Work: s.addTogether, Max: addedTogether, Parallel: additionsAtOnce, Timeout: DefaultLimits.Statement,
		Undone: func(error) bool { return false },
	}
}

// AddEntry adds an entry to a static list, together with other entries of the seller that arrive at the same time. It
// returns false if the entry was not added. A transaction of its own must then add it or return the error.
func (s accessStore) AddEntry(ctx context.Context, entry access.Entry) (bool, error) {
	if s.readOnly {
		return false, errReadOnly
	}
	added, err := s.additions.Do(ctx, entry.SellerID, addition{accessEntryRowOf(entry), ctx.Done()})
	return added, mapError(err)
}

// addTogether adds entries of one seller. It runs outside of a transaction, to take only one round trip.
func (s *Store) addTogether(ctx context.Context, calls []addition) ([]bool, error) {
	here := make([]*accessEntryRow, 0, len(calls))
	for _, call := range calls {
		select {
		case <-call.gone:
		default:
			here = append(here, call.row)
		}
	}
	// All statements lock codes in the same order.
	slices.SortFunc(here, func(a, b *accessEntryRow) int {
		return cmp.Or(cmp.Compare(a.ListID, b.ListID), cmp.Compare(a.ExternalCode, b.ExternalCode))
	})
	there, err := s.insertEntries(ctx, here)
	if err != nil && !refusedWhole(err) {
		return nil, err
	}
	added := make([]bool, len(calls))
	for i, call := range calls {
		added[i] = there[call.row.ID]
	}
	return added, nil
}

// refusedWhole reports whether the server refused the statement, so that nothing was stored. After a lost connection or
// an error of severity FATAL the statement may have succeeded, with only the response lost.
func refusedWhole(err error) bool {
	refused, ok := errors.AsType[*pgconn.PgError](err)
	return ok && refused.Severity == "ERROR" || !ok && !domain.HasCode(err, domain.CodeUnavailable)
}

// insertEntries stores entries of one seller in its static lists and returns the ids of the stored entries. It skips
// entries whose list is missing or remote, or already has their code.
func (s *Store) insertEntries(ctx context.Context, entries []*accessEntryRow) (map[string]bool, error) {
	if len(entries) == 0 {
		return nil, nil //nolint:nilnil // no ids
	}
	type stored struct{ ID string }
	columns := make([][]string, 10)
	created, updated := make([]time.Time, len(entries)), make([]time.Time, len(entries))
	for i, e := range entries {
		for at, value := range [...]string{
			e.ID, e.ListID, e.ExternalCode, e.CustomerID, e.Firstname, e.Lastname, e.Email, e.EmailFolded, e.Phone, string(e.Meta),
		} {
			columns[at] = append(columns[at], value)
		}
		created[i], updated[i] = e.CreatedAt, e.UpdatedAt
	}
	args := []any{string(entries[0].SellerID)}
	for _, column := range columns {
		args = append(args, column)
	}
	found, err := rows[stored](ctx, s, s.sql, `INSERT INTO access_entries (id, list_id, seller_id, external_code,
			customer_id, firstname, lastname, email, email_folded, phone, meta, created_at, updated_at)
		SELECT n.id, l.id, l.seller_id, n.external_code, nullif(n.customer_id, ''), nullif(n.firstname, ''), nullif(n.lastname, ''),
			nullif(n.email, ''), nullif(n.email_folded, ''), nullif(n.phone, ''), nullif(n.meta, '')::json, n.created_at, n.updated_at
		FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[],
			$11::text[], $12::timestamptz[], $13::timestamptz[]) AS n (id, list_id, external_code,
			customer_id, firstname, lastname, email, email_folded, phone, meta, created_at, updated_at)
		JOIN access_lists l ON l.id = n.list_id AND l.seller_id = $1 AND l.type = 'static'
		ON CONFLICT ON CONSTRAINT access_entry_is_once_in_list DO NOTHING RETURNING id`, append(args, created, updated)...)
	ids := make(map[string]bool, len(found))
	for _, item := range found {
		ids[item.ID] = true
	}
	return ids, err
}
