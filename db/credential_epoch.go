package db

import "context"

// epochChannel tells the other processes that the credential epoch has moved on.
const epochChannel = "credential_epoch"

// bumpEpoch says that the transaction changes something that a credential check depends on: a key, a secret, a
// session, a membership, a password, a seller's features. Once transact has returned, the change holds on every
// process (decisions 4.7).
//
// The epoch's row is shared by all such changes, so it is locked as late as can be: right before the commit.
func (tx *Tx) bumpEpoch(context.Context) error {
	tx.changesCredentials = true
	return nil
}

// advanceEpoch moves the epoch on for a transaction that is about to commit.
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

// settleEpoch waits, after the commit, until no process trusts what it remembered before it.
func (tx *Tx) settleEpoch(ctx context.Context) {
	if tx.epoch != 0 {
		tx.store.credentials.lease.settle(ctx, tx.epoch)
	}
}
