package sale

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/document"
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
	var imported ImportedTransactions
	err = s.Store.InLongTx(ctx, actor.SellerID, len(transactions), func(ctx context.Context, tx TransactionTx) error {
		run := importing{
			tx: tx, seller: actor.SellerID, now: s.Now(), language: domain.CallOf(ctx).Language,
			refusal: sync.OnceValue(func() string { return domain.UpdateRefusal(ctx, actor, domain.ImportTransactions) }),
		}
		if actor.Kind == domain.APIKeyActor && !actor.FullSellerAccess {
			run.ticketRefusal = sync.OnceValue(func() string { return ticketRefusal(ctx, actor) })
		}
		if err := run.all(ctx, transactions); err != nil {
			return err
		}
		imported = run.imported
		return nil
	})
	if err != nil {
		return ImportedTransactions{}, err
	}
	return imported, nil
}

// importing is one import in its database transaction.
type importing struct {
	tx       TransactionTx
	seller   domain.SellerID
	now      time.Time
	language string
	imported ImportedTransactions
	// refusal says why the caller may not change transactions that exist; it is empty if it may.
	refusal func() string
	// ticketRefusal says why the caller may not change tickets by a new transaction; it is empty if it may, and nil if every
	// such caller may.
	ticketRefusal func() string
	// changes are those of the part that is being written.
	changes []transactionChange
}

// transactionChange is a transaction that was written; old is nil when it was created.
type transactionChange struct {
	old *Transaction
	new TransactionRecord
}

func (i *importing) all(ctx context.Context, transactions []handedIn) error {
	if err := i.lockSoldTickets(ctx, transactions); err != nil {
		return err
	}
	for part := range slices.Chunk(transactions, partLength) {
		if err := i.part(ctx, part); err != nil {
			return err
		}
	}
	return nil
}

// partLength is how many transactions are written and published at a time: the rest of a large import costs no more memory than
// what was handed in (LIMIT-16).
const partLength = 200

// part writes transactions, publishes them, and does what follows from them.
func (i *importing) part(ctx context.Context, transactions []handedIn) error {
	i.changes = nil
	for rest := transactions; len(rest) > 0; {
		var err error
		if rest, err = i.round(ctx, rest); err != nil {
			return err
		}
	}
	events, err := tellOf(ctx, i.tx, i.seller, i.changes, domain.NewDateTime(i.now))
	if err != nil {
		return err
	}
	if _, err = i.tx.PublishAll(ctx, events); err != nil {
		return err
	}
	var audited []domain.Change
	for _, change := range i.changes {
		if change.old != nil && change.cancels() {
			audited = append(audited, change.audited())
		}
	}
	if err := i.tx.AuditAll(ctx, audited); err != nil {
		return err
	}
	return i.cancelInvoices(ctx)
}

// lockSoldTickets makes tickets that are imported meanwhile see the transactions that say something of them, or the other
// way round.
func (i *importing) lockSoldTickets(ctx context.Context, transactions []handedIn) error {
	var ids []string
	for _, one := range transactions {
		if one.saysOfTickets() {
			ids = append(ids, one.id)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	return i.tx.LockSoldTickets(ctx, i.seller, ids)
}

// cancelInvoices issues what the changes take back of invoices. Of each transaction there is one change at most.
func (i *importing) cancelInvoices(ctx context.Context) error {
	changes := map[string]transactionChange{}
	for _, change := range i.changes {
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
	for _, change := range i.changes {
		if made, cancels := cancellationOf(change, issued[change.new.ID], i.now); cancels {
			cancellations = append(cancellations, made)
		}
	}
	_, err = i.tx.CreateInvoices(ctx, i.seller, cancellations)
	return err
}

// round writes transactions and returns those that somebody else created while it ran: they are known in the next round.
func (i *importing) round(ctx context.Context, transactions []handedIn) ([]handedIn, error) {
	known, err := i.known(ctx, transactions)
	if err != nil {
		return nil, err
	}
	stored, err := i.ticketsOfNew(ctx, transactions, known)
	if err != nil {
		return nil, err
	}
	var created, updated []TransactionRecord
	var changes []transactionChange
	var moves document.Checker
	for _, one := range transactions {
		old, exists := known[one.id]
		if !exists {
			record, taken, err := i.made(one, stored[one.id])
			if err != nil {
				return nil, err
			}
			if taken {
				created = append(created, record)
			}
			continue
		}
		record, changed, err := i.change(one, old)
		if err != nil {
			return nil, err
		}
		if changed {
			one.checkMove(&moves, old)
			updated = append(updated, record)
			changes = append(changes, transactionChange{&old.Transaction, record})
		}
	}
	if err := refusedMoves(moves.Err()); err != nil {
		return nil, err
	}
	if err := i.tx.UpdateTransactions(ctx, i.seller, updated); err != nil {
		return nil, err
	}
	i.changes = append(i.changes, changes...)
	i.imported.Updated += len(updated)
	return i.create(ctx, transactions, created)
}

// change returns what a known transaction becomes, or false and counts why it stays as it is.
func (i *importing) change(one handedIn, old TransactionRecord) (TransactionRecord, bool, error) {
	if one.isStale(old) {
		i.imported.Stale++
		return TransactionRecord{}, false, nil
	}
	record, differs, err := one.changed(old, i.now)
	if err != nil || !differs {
		i.imported.Unchanged++
		return TransactionRecord{}, false, err
	}
	if refusal := i.refusal(); refusal != "" {
		i.refuse(one, refusal)
		return TransactionRecord{}, false, nil
	}
	return record, true, nil
}

// checkMove notes a move that the status of a known transaction does not allow.
func (h handedIn) checkMove(moves *document.Checker, old TransactionRecord) {
	if to := TransactionStatus(textOf(h.document, "status")); !old.Status.MayMove(to) {
		moves.Add(domain.JoinPath(h.path, "status"), fmt.Sprintf("can't move from %s to %s", old.Status, to))
	}
}

// create stores new transactions. An _id that was taken meanwhile is looked at in the next round.
func (i *importing) create(ctx context.Context, all []handedIn, created []TransactionRecord) ([]handedIn, error) {
	stored, err := i.tx.CreateTransactions(ctx, i.seller, created)
	if err != nil {
		return nil, err
	}
	missing := map[string]bool{}
	for _, record := range created {
		if !stored[record.ID] {
			missing[record.ID] = true
			continue
		}
		i.imported.Created++
		i.changes = append(i.changes, transactionChange{nil, record})
	}
	var rest []handedIn
	for _, one := range all {
		if missing[one.id] {
			rest = append(rest, one)
		}
	}
	return rest, nil
}

// known finds the transactions that exist. What another seller has under the same _id is another transaction.
func (i *importing) known(ctx context.Context, transactions []handedIn) (map[string]TransactionRecord, error) {
	ids := make([]string, len(transactions))
	for n, one := range transactions {
		ids[n] = one.id
	}
	return i.tx.TransactionsForUpdate(ctx, i.seller, ids)
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
