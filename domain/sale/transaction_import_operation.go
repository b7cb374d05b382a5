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

// Import stores transactions from the platform's other services. It creates new ones, updates those whose _id exists, and
// publishes each status change with the transaction's tickets. An invalid transaction fails the whole import, and the error
// names everything that is wrong. A status change that is not allowed is INVALID_STATE (SALE-3). Transactions older than the
// stored ones are counted as stale (IMPORT-4).
//
// Requires transactions:create, and transactions:update for existing transactions (IMPORT-6). A new transaction that would
// change existing tickets also needs tickets:update or transactions:update (IMPORT-9). Transactions without the permission
// are left out and listed as refused.
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

// partLength is the number of transactions that are written and published at a time.
const partLength = 200

// importing is an import within its database transaction. It implements what package intake needs to store transactions.
type importing struct {
	tx       TransactionTx
	seller   ids.Seller
	now      time.Time
	language string
	// refusal returns why the caller may not change existing transactions, empty if it may.
	refusal func() string
	// ticketRefusal returns why the caller may not change tickets with a new transaction, empty if it may. It is nil if the
	// caller needs no permission for it.
	ticketRefusal func() string
	// tickets holds the stored tickets of new transactions, which creating the transactions might change.
	tickets map[string][]ticket.Record
}

// transactionChange is a written transaction. Old is nil if it was created.
type transactionChange struct {
	old *Transaction
	new TransactionRecord
}

// ID returns the _id of a transaction.
func (*importing) ID(record TransactionRecord) string { return record.ID }

// Known returns the stored transactions of the seller. The same _id at another seller is a different transaction.
func (i *importing) Known(ctx context.Context, transactions []intake.Row) (map[string]TransactionRecord, error) {
	known, err := i.tx.TransactionsForUpdate(ctx, i.seller, intake.IDs(transactions))
	if err != nil {
		return nil, err
	}
	i.tickets, err = i.ticketsOfNew(ctx, transactions, known)
	return known, err
}

// Stale reports whether the transaction is older than the stored one. It is false if either has no updatedAt (IMPORT-4).
func (*importing) Stale(row intake.Row, old TransactionRecord) bool {
	return old.UpdatedAt != nil && row.OlderThan(*old.UpdatedAt)
}

// Changed returns the new state of a stored transaction, and false if nothing changes.
func (i *importing) Changed(row intake.Row, old TransactionRecord) (TransactionRecord, bool, error) {
	return changed(row, old, i.now)
}

// Refusal returns why the caller may not change existing transactions.
func (i *importing) Refusal() string { return i.refusal() }

// Update stores changed transactions. If a status change is not allowed, it stores none and returns an error.
func (i *importing) Update(ctx context.Context, changes []intake.Change[TransactionRecord]) error {
	moves := domain.FieldErrors{Bounded: true}
	records := make([]TransactionRecord, len(changes))
	for n, change := range changes {
		if from, to := change.Old.Status, TransactionStatus(change.Row.Text("status")); !from.MayMove(to) {
			moves.Add(domain.JoinPath(change.Row.Path, "status"), fmt.Sprintf("cannot change from %s to %s", from, to))
		}
		records[n] = change.New
	}
	if err := refusedMoves(moves.Err()); err != nil {
		return err
	}
	return i.tx.UpdateTransactions(ctx, i.seller, records)
}

// Create stores new transactions and returns which of them did not exist yet.
func (i *importing) Create(ctx context.Context, transactions []TransactionRecord) (map[string]bool, error) {
	return i.tx.CreateTransactions(ctx, i.seller, transactions)
}

// Publish publishes the events of created and changed transactions, writes the audit log, and issues cancellation invoices.
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
	events, err := eventsFor(ctx, i.tx, i.seller, changes, moment.New(i.now))
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

// lockSoldTickets serializes this import with concurrent ticket imports, so that one of them sees the records of the other.
func (i *importing) lockSoldTickets(ctx context.Context, transactions []intake.Row) error {
	var ids []string
	for _, row := range transactions {
		if concernsTickets(row) {
			ids = append(ids, row.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	return i.tx.LockSoldTickets(ctx, i.seller, ids)
}

// cancelInvoices issues the cancellation invoices of the changes. All has at most one change per transaction.
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
		if invoice, cancels := cancellationOf(change, issued[change.new.ID], i.now); cancels {
			cancellations = append(cancellations, invoice)
		}
	}
	_, err = i.tx.CreateInvoices(ctx, i.seller, cancellations)
	return err
}

// refusedMoves converts the field errors of disallowed status changes to INVALID_STATE.
func refusedMoves(err error) error {
	if err == nil {
		return nil
	}
	refused := domain.InvalidState(err.Error())
	refused.Fields = domain.AsError(err).Fields
	return refused
}
