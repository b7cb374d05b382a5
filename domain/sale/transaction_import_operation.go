package sale

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/intake"
	"ticketgate/domain/moment"
	"ticketgate/domain/ticket"
)

// Import stores transactions that the platform's other services hand in: new ones are created, known ones (by _id) become
// what was handed in, and each move is published with the transaction's tickets. A faulty transaction fails the import, and
// all faults are returned at once; moves that a status does not allow are INVALID_STATE. A transaction that is older than the
// stored one is counted as stale (IMPORT-4). Requires transactions:create, and transactions:update for transactions that
// exist: one that the caller may not change is left out (IMPORT-6), and so is a new one that would change tickets without
// tickets:update or transactions:update (IMPORT-9).
func (s Transactions) Import(ctx context.Context, input TransactionImport) (ImportedTransactions, error) {
	actor, err := domain.AuthorizeSeller(ctx, domain.ImportTransactions, input.SellerID, s.Seller)
	if err != nil {
		return ImportedTransactions{}, err
	}
	transactions, err := input.check(actor.SellerID)
	if err != nil || len(transactions) == 0 {
		return ImportedTransactions{}, err
	}
	var imported intake.Result
	err = s.Store.InLongTx(ctx, actor.SellerID, len(transactions), func(ctx context.Context, tx TransactionTx) error {
		run := importing{
			tx: tx, seller: actor.SellerID, now: s.Now(), language: domain.CallOf(ctx).Language,
			refusal: sync.OnceValue(func() string { return domain.UpdateRefusal(ctx, actor, domain.ImportTransactions) }),
		}
		if actor.Kind == domain.APIKeyActor && !actor.FullSellerAccess {
			run.ticketRefusal = sync.OnceValue(func() string { return ticketRefusal(ctx, actor) })
		}
		if err := run.lockSoldTickets(ctx, transactions); err != nil {
			return err
		}
		var err error
		imported, err = intake.Run(ctx, &run, transactions, partLength)
		return err
	})
	if err != nil {
		return ImportedTransactions{}, err
	}
	return ImportedTransactions(imported), nil
}

// partLength is how many transactions are written and published at a time.
const partLength = 200

// importing is one import in its database transaction: how package intake writes its transactions.
type importing struct {
	tx       TransactionTx
	seller   ids.Seller
	now      time.Time
	language string
	// refusal says why the caller may not change transactions that exist; it is empty if it may.
	refusal func() string
	// ticketRefusal says why the caller may not change tickets by a new transaction; it is empty if it may, and nil if every
	// such caller may.
	ticketRefusal func() string
	// tickets are the stored tickets of new transactions, which creating those might change.
	tickets map[string][]ticket.Record
}

// transactionChange is a transaction that was written; old is nil when it was created.
type transactionChange struct {
	old *Transaction
	new TransactionRecord
}

// ID returns the _id of a transaction.
func (*importing) ID(record TransactionRecord) string { return record.ID }

// Known finds the transactions that exist. What another seller has under the same _id is another transaction.
func (i *importing) Known(ctx context.Context, transactions []intake.Row) (map[string]TransactionRecord, error) {
	known, err := i.tx.TransactionsForUpdate(ctx, i.seller, intake.IDs(transactions))
	if err != nil {
		return nil, err
	}
	i.tickets, err = i.ticketsOfNew(ctx, transactions, known)
	return known, err
}

// Stale reports whether the transaction is older than the stored one, as far as both say when they were changed (IMPORT-4).
func (*importing) Stale(one intake.Row, old TransactionRecord) bool {
	return old.UpdatedAt != nil && one.OlderThan(*old.UpdatedAt)
}

// Changed returns what a stored transaction becomes, and false if it stays the same.
func (i *importing) Changed(one intake.Row, old TransactionRecord) (TransactionRecord, bool, error) {
	return changed(one, old, i.now)
}

// Refusal returns why the caller may not change transactions that exist.
func (i *importing) Refusal() string { return i.refusal() }

// Update stores changed transactions, unless one makes a move that its status does not allow.
func (i *importing) Update(ctx context.Context, changes []intake.Change[TransactionRecord]) error {
	moves := domain.Problems{Bounded: true}
	records := make([]TransactionRecord, len(changes))
	for n, change := range changes {
		if from, to := change.Old.Status, TransactionStatus(change.Row.Text("status")); !from.MayMove(to) {
			moves.Add(domain.JoinPath(change.Row.Path, "status"), fmt.Sprintf("can't move from %s to %s", from, to))
		}
		records[n] = change.New
	}
	if err := refusedMoves(moves.Err()); err != nil {
		return err
	}
	return i.tx.UpdateTransactions(ctx, i.seller, records)
}

// Create stores new transactions, of which some may exist by now.
func (i *importing) Create(ctx context.Context, transactions []TransactionRecord) (map[string]bool, error) {
	return i.tx.CreateTransactions(ctx, i.seller, transactions)
}

// Publish publishes the moves of transactions that were created or changed, and does what follows from them.
func (i *importing) Publish(ctx context.Context, written []intake.Change[TransactionRecord]) error {
	changes := make([]transactionChange, len(written))
	var audited []domain.Change
	for n, change := range written {
		changes[n].new = change.New
		if change.Old != nil {
			changes[n].old = &change.Old.Transaction
			if changes[n].cancels() {
				audited = append(audited, changes[n].audited())
			}
		}
	}
	events, err := tellOf(ctx, i.tx, i.seller, changes, moment.New(i.now))
	if err != nil {
		return err
	}
	if _, err = i.tx.PublishAll(ctx, events); err != nil {
		return err
	}
	if err := i.tx.AuditAll(ctx, audited); err != nil {
		return err
	}
	return i.cancelInvoices(ctx, changes)
}

// lockSoldTickets makes tickets that are imported meanwhile see the transactions that say something of them, or the other
// way round.
func (i *importing) lockSoldTickets(ctx context.Context, transactions []intake.Row) error {
	var ids []string
	for _, one := range transactions {
		if saysOfTickets(one) {
			ids = append(ids, one.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	return i.tx.LockSoldTickets(ctx, i.seller, ids)
}

// cancelInvoices issues what the changes take back of invoices. Of each transaction there is one change at most.
func (i *importing) cancelInvoices(ctx context.Context, all []transactionChange) error {
	changes := map[string]transactionChange{}
	for _, change := range all {
		if change.mayCancel() {
			changes[change.new.ID] = change
		}
	}
	if len(changes) == 0 {
		return nil
	}
	found, err := i.tx.InvoicesOfTransactions(ctx, i.seller, slices.Collect(maps.Keys(changes)))
	if err != nil {
		return err
	}
	issued := map[string][]Invoice{}
	for _, invoice := range found {
		issued[invoice.TransactionID] = append(issued[invoice.TransactionID], invoice)
	}
	var cancellations []Invoice
	for _, change := range all {
		if made, cancels := cancellationOf(change, issued[change.new.ID], i.now); cancels {
			cancellations = append(cancellations, made)
		}
	}
	_, err = i.tx.CreateInvoices(ctx, i.seller, cancellations)
	return err
}

// refusedMoves is the error of moves that a status does not allow, with their paths (decisions 2.3).
func refusedMoves(err error) error {
	if err == nil {
		return nil
	}
	refused := domain.InvalidState(err.Error())
	refused.Fields = domain.AsError(err).Fields
	return refused
}
