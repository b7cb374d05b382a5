package db

import "context"

// epochChannel is the channel that notifies other processes of a new credential epoch.
const epochChannel = "credential_epoch"

// bumpEpoch marks a transaction that changes something that credential checks depend on: a key, secret, session,
// membership, password, or a seller's features. Once transact returns, every later request on any process sees the
// change (AUTH-5).
//
// All such transactions update one row, so it is locked as late as possible: right before the commit.
func (tx *Tx) bumpEpoch(context.Context) error {
	tx.changesCredentials = true
	return nil
}

// advanceEpoch increments the epoch for a transaction that is about to commit.
func (tx *Tx) advanceEpoch(ctx context.Context) error {
	if !tx.changesCredentials {
		return nil
	}
	type advanced struct {
		Epoch int64
		Told  bool
	}
	next, err := row[advanced](ctx, tx.store, tx, "credential epoch", `
		WITH advanced AS (UPDATE credential_epoch SET epoch = epoch + 1 RETURNING epoch)
		SELECT epoch, pg_notify('`+epochChannel+`', epoch::text) IS NOT NULL AS told FROM advanced`)
	tx.epoch = next.Epoch
	return err
}

// settleEpoch waits, after the commit, until no process uses entries that it cached before the commit.
func (tx *Tx) settleEpoch(ctx context.Context) {
	if tx.epoch != 0 {
		tx.store.credentials.lease.settle(ctx, tx.epoch)
	}
}
