package intake

import (
	"context"
	"slices"

	"ticketgate/domain"
)

// Result is the result of an import.
type Result struct {
	Created   int
	Updated   int
	Unchanged int
	// Stale counts records that are older than the stored ones. Refused holds records that the caller may not write.
	Stale   int
	Refused []RefusedRow
}

// Records compares records of one type with the stored ones and writes them, within a database transaction.
type Records[R any] interface {
	// ID returns the _id of a record.
	ID(record R) string
	// Known returns the stored records with the _ids of the rows, and locks them.
	Known(ctx context.Context, rows []Row) (map[string]R, error)
	// Made returns a new record, or why the caller may not create it.
	Made(ctx context.Context, row Row) (record R, refusal string, err error)
	// Stale reports whether the row is older than the stored record.
	Stale(row Row, stored R) bool
	// Changed returns the changed record, and false if it equals the stored one.
	Changed(row Row, stored R) (R, bool, error)
	// Refusal returns why the caller may not change existing records, or "". It is called only if a record would
	// change.
	Refusal() string
	// Update stores changed records.
	Update(ctx context.Context, changes []Change[R]) error
	// Create stores new records and returns the _ids of those that did not exist yet.
	Create(ctx context.Context, records []R) (map[string]bool, error)
	// Publish publishes the created and updated records and applies the consequences.
	Publish(ctx context.Context, changes []Change[R]) error
}

// Change is a record that was written.
type Change[R any] struct {
	Row Row
	// Old is the record before the change, or nil if it is new.
	Old *R
	New R
}

// Run writes rows. It writes and publishes atATime of them at a time, so that a large import needs little memory beyond
// its input (LIMIT-16).
func Run[R any](ctx context.Context, records Records[R], rows []Row, atATime int) (Result, error) {
	run := run[R]{records: records}
	for part := range slices.Chunk(rows, atATime) {
		clear(run.changes)
		run.changes = run.changes[:0]
		for rest := part; len(rest) > 0; {
			var err error
			if rest, err = run.round(ctx, rest); err != nil {
				return Result{}, err
			}
		}
		if err := records.Publish(ctx, run.changes); err != nil {
			return Result{}, err
		}
	}
	return run.result, nil
}

type run[R any] struct {
	records Records[R]
	result  Result
	// changes are the changes of the current part.
	changes []Change[R]
}

// round writes rows. It returns those that another transaction created meanwhile, which the next round finds as known.
func (r *run[R]) round(ctx context.Context, rows []Row) ([]Row, error) {
	known, err := r.records.Known(ctx, rows)
	if err != nil {
		return nil, err
	}
	created := make([]R, 0, max(0, len(rows)-len(known)))
	var updated []Change[R]
	for _, row := range rows {
		old, exists := known[row.ID]
		if !exists {
			result, refusal, err := r.records.Made(ctx, row)
			switch {
			case err != nil:
				return nil, err
			case refusal != "":
				r.refuse(row, refusal)
			default:
				created = append(created, result)
			}
			continue
		}
		after, changes, err := r.change(row, old)
		if err != nil {
			return nil, err
		}
		if changes {
			updated = append(updated, Change[R]{row, &old, after})
		}
	}
	if err := r.records.Update(ctx, updated); err != nil {
		return nil, err
	}
	r.result.Updated += len(updated)
	r.changes = append(r.changes, updated...)
	return r.create(ctx, rows, created)
}

// change returns the changed record of a known one. Otherwise it returns false and counts the reason.
func (r *run[R]) change(row Row, old R) (R, bool, error) {
	var none R
	if r.records.Stale(row, old) {
		r.result.Stale++
		return none, false, nil
	}
	after, differs, err := r.records.Changed(row, old)
	if err != nil {
		return none, false, err
	}
	if !differs {
		r.result.Unchanged++
		return none, false, nil
	}
	if refusal := r.records.Refusal(); refusal != "" {
		r.refuse(row, refusal)
		return none, false, nil
	}
	return after, true, nil
}

// refuse adds a row to the refused ones.
func (r *run[R]) refuse(row Row, refusal string) {
	r.result.Refused = append(r.result.Refused,
		RefusedRow{Path: row.Path, Code: string(domain.CodeForbidden), Message: refusal})
}

// create stores new records and returns the rows whose _id was taken meanwhile.
func (r *run[R]) create(ctx context.Context, rows []Row, created []R) ([]Row, error) {
	stored, err := r.records.Create(ctx, created)
	if err != nil {
		return nil, err
	}
	missing := map[string]bool{}
	r.changes = slices.Grow(r.changes, len(created))
	for _, record := range created {
		id := r.records.ID(record)
		if !stored[id] {
			missing[id] = true
			continue
		}
		r.result.Created++
		r.changes = append(r.changes, Change[R]{New: record})
	}
	return slices.DeleteFunc(slices.Clone(rows), func(row Row) bool { return !missing[row.ID] }), nil
}
