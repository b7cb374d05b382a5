package telemetry

import (
	"context"
	"strconv"

	"ticketgate/domain/access"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/scan"
)

// Scans wraps the store of scans, so that scans are counted when they are stored.
func (m *Metrics) Scans(store scan.LogStore) scan.LogStore {
	if m == nil {
		return store
	}
	return countedScans{store, m}
}

type countedScans struct {
	scan.LogStore
	metrics *Metrics
}

// InTx counts the scans of a transaction after its commit.
func (c countedScans) InTx(ctx context.Context, f func(scan.Tx) error) error {
	var stored []scan.Scan
	err := c.LogStore.InTx(ctx, func(tx scan.Tx) error {
		stored = nil // f may run again
		return f(scanTx{tx, &stored})
	})
	if err == nil {
		c.count(stored)
	}
	return err
}

// InLongTx counts the scans of a transaction after its commit.
func (c countedScans) InLongTx(
	ctx context.Context, seller ids.Seller, rows int, f func(context.Context, scan.Tx) error,
) error {
	var stored []scan.Scan
	err := c.LogStore.InLongTx(ctx, seller, rows, func(ctx context.Context, tx scan.Tx) error {
		stored = nil // f may run again
		return f(ctx, scanTx{tx, &stored})
	})
	if err == nil {
		c.count(stored)
	}
	return err
}

func (c countedScans) count(stored []scan.Scan) {
	for _, s := range stored {
		reason := none
		if s.Reason != nil {
			reason = string(*s.Reason)
		}
		c.metrics.scans.WithLabelValues(string(s.Result), reason, strconv.FormatBool(s.Offline)).Inc()
	}
}

type scanTx struct {
	scan.Tx
	stored *[]scan.Scan
}

// InsertScans notes the scans, to be counted after the commit.
func (t scanTx) InsertScans(ctx context.Context, scans []scan.Scan) error {
	*t.stored = append(*t.stored, scans...)
	return t.Tx.InsertScans(ctx, scans)
}

// Imports wraps the store of access lists, so that their imports are counted.
func (m *Metrics) Imports(store access.Store) access.Store {
	if m == nil {
		return store
	}
	return countedImports{store, m}
}

type countedImports struct {
	access.Store
	metrics *Metrics
}

// InLongTx counts the changes of an import after the commit of its transaction.
func (c countedImports) InLongTx(
	ctx context.Context, seller ids.Seller, rows int, f func(context.Context, access.Tx) error,
) error {
	var applied importTx
	err := c.Store.InLongTx(ctx, seller, rows, func(ctx context.Context, tx access.Tx) error {
		applied = importTx{Tx: tx}
		return f(ctx, &applied)
	})
	if err != nil {
		return err
	}
	for change, rows := range map[string]int{
		"added": applied.result.Added, "changed": applied.result.Changed, "removed": applied.result.Removed,
		"undone": applied.undone.Removed + applied.undone.Restored,
	} {
		c.metrics.importRows.WithLabelValues(change).Add(float64(rows))
	}
	return nil
}

type importTx struct {
	access.Tx
	result access.Result
	undone access.UndoResult
}

// Apply notes the changes, to be counted after the commit.
func (t *importTx) Apply(
	ctx context.Context, imp access.Import, updateConflicts bool, now moment.DateTime,
) (result access.Result, err error) {
	t.result, err = t.Tx.Apply(ctx, imp, updateConflicts, now)
	return t.result, err
}

// Revert notes the changes, to be counted after the commit.
func (t *importTx) Revert(ctx context.Context, imp access.Import, now moment.DateTime) (result access.UndoResult, err error) {
	t.undone, err = t.Tx.Revert(ctx, imp, now)
	return t.undone, err
}
