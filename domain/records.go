package domain

import (
	"cmp"
	"context"
	"time"

	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
)

// Records implements changing and deleting a seller's records of type T in transactions X of their area.
type Records[T any, X Tx] struct {
	Now  func() time.Time
	InTx func(context.Context, func(X) error) error
	// Read reads a record. Lock reads it too, and locks it until the transaction ends.
	Read func(context.Context, ids.Seller, string) (T, error)
	Lock func(X, context.Context, ids.Seller, string) (T, error)
	// Replace stores a changed record.
	Replace func(X, context.Context, T) error
	Remove  func(X, context.Context, ids.Seller, string) error
	// UpdatedAt returns a pointer to the record's updatedAt.
	UpdatedAt func(*T) *moment.DateTime
	// Same reports whether two states are equal in all fields that a caller can set.
	Same func(before, after *T) bool
	// Follow, if set, applies the consequences of a change within its transaction. before is nil for a new record,
	// after is nil for a deleted one.
	Follow func(ctx context.Context, tx X, action Operation, before, after *T) error
}

// Update changes a record of the seller the call acts on. See Change.
func (r Records[T, X]) Update(
	ctx context.Context, action Operation, id string, expected *moment.DateTime, with func(tx X, before T) (T, error),
) (T, error) {
	actor, err := Authorize(ctx, action)
	if err != nil {
		var none T
		return none, err
	}
	return r.Change(ctx, action, actor.SellerID, id, expected, with)
}

// Change changes a record without checking the caller's rights. If nothing changes, it writes nothing. expected is the
// updatedAt that the caller last saw, or nil. See Unchanged. with returns the changed record, or every fault of the
// change. It is called twice: first without a transaction, so that invalid input waits for no lock, then in the
// transaction that locks the record.
func (r Records[T, X]) Change(
	ctx context.Context, action Operation, seller ids.Seller, id string, expected *moment.DateTime,
	with func(tx X, before T) (T, error),
) (T, error) {
	var none, after T
	found, err := r.Read(ctx, seller, id)
	if err == nil {
		var noTx X
		_, err = with(noTx, found)
	}
	if err != nil {
		return none, err
	}
	err = r.InTx(ctx, func(tx X) error {
		before, err := r.lock(ctx, tx, seller, id, expected)
		if err != nil {
			return err
		}
		if after, err = with(tx, before); err != nil || r.Same(&before, &after) {
			return err
		}
		*r.UpdatedAt(&after) = NextUpdate(r.Now(), *r.UpdatedAt(&before))
		if err := r.Replace(tx, ctx, after); err != nil {
			return err
		}
		return r.follow(ctx, tx, action, &before, &after)
	})
	if err != nil {
		return none, err
	}
	return after, nil
}

// Delete deletes a record of the seller the call acts on and returns it.
func (r Records[T, X]) Delete(ctx context.Context, action Operation, id string, expected *moment.DateTime) (T, error) {
	var deleted T
	actor, err := Authorize(ctx, action)
	if err != nil {
		return deleted, err
	}
	err = r.InTx(ctx, func(tx X) (err error) {
		deleted, err = r.DeleteIn(ctx, tx, action, actor.SellerID, id, expected)
		return err
	})
	return deleted, err
}

// DeleteIn deletes a record within a transaction and returns it. It does not check the caller's rights.
func (r Records[T, X]) DeleteIn(
	ctx context.Context, tx X, action Operation, seller ids.Seller, id string, expected *moment.DateTime,
) (T, error) {
	found, err := r.lock(ctx, tx, seller, id, expected)
	if err == nil {
		err = r.Remove(tx, ctx, seller, id)
	}
	if err == nil {
		err = r.follow(ctx, tx, action, &found, nil)
	}
	return found, err
}

func (r Records[T, X]) lock(
	ctx context.Context, tx X, seller ids.Seller, id string, expected *moment.DateTime,
) (T, error) {
	found, err := r.Lock(tx, ctx, seller, id)
	if err == nil {
		err = Unchanged(ctx, expected, *r.UpdatedAt(&found))
	}
	return found, err
}

func (r Records[T, X]) follow(ctx context.Context, tx X, action Operation, before, after *T) error {
	if r.Follow == nil {
		return nil
	}
	return r.Follow(ctx, tx, action, before, after)
}

// Audited returns a Follow that writes an audit entry. entry creates the entry for a record. state returns what the log
// shows of a record. Its second argument is the state before the change, or nil.
func Audited[T any, X Tx](
	entry func(*T, Operation) Change, state func(record, before *T) any,
) func(context.Context, X, Operation, *T, *T) error {
	shown := func(record, before *T) any {
		if record == nil {
			return nil
		}
		return state(record, before)
	}
	return func(ctx context.Context, tx X, action Operation, before, after *T) error {
		return tx.Audit(ctx, entry(cmp.Or(after, before), action).Diff(shown(before, nil), shown(after, before)))
	}
}
