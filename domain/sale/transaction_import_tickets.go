package sale

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/ticket"
)

// ticketRefusal returns why the caller may not change tickets by a new transaction, or an empty text. A caller that may update
// transactions may: with two rows, one that creates the transaction and one that cancels it, it changes the same tickets.
func ticketRefusal(ctx context.Context, actor *domain.Actor) string {
	return domain.LinkedRefusal(ctx, actor, "This transaction changes tickets that exist", "tickets:update", "transactions:update")
}

// ticketsOfNew finds the stored tickets of new transactions that say something of their tickets, if the caller may lack the
// permission to change those. Imports of tickets are kept away from them already.
func (i *importing) ticketsOfNew(
	ctx context.Context, transactions []handedIn, known map[string]TransactionRecord,
) (map[string][]ticket.Record, error) {
	of := map[string][]ticket.Record{}
	if i.ticketRefusal == nil {
		return of, nil
	}
	var ids []string
	for _, one := range transactions {
		if _, exists := known[one.id]; !exists && one.saysOfTickets() {
			ids = append(ids, one.id)
		}
	}
	if len(ids) == 0 {
		return of, nil
	}
	stored, err := i.tx.StoredTickets(ctx, i.seller, ids)
	for _, one := range stored {
		of[*one.TransactionID] = append(of[*one.TransactionID], one)
	}
	return of, err
}

// made returns the record of a new transaction, or false if it would change tickets that the caller may not change (IMPORT-9).
func (i *importing) made(one handedIn, stored []ticket.Record) (TransactionRecord, bool, error) {
	record, err := one.made(i.language, i.now)
	if err != nil || len(stored) == 0 {
		return record, true, err
	}
	changed, err := transactionChange{nil, record}.align(stored, domain.NewDateTime(i.now))
	if err != nil || len(changed) == 0 {
		return record, true, err
	}
	if refusal := i.ticketRefusal(); refusal != "" {
		i.refuse(one, refusal)
		return TransactionRecord{}, false, nil
	}
	return record, true, nil
}

// refuse notes a row that is left out.
func (i *importing) refuse(one handedIn, refusal string) {
	i.imported.Refused = append(i.imported.Refused,
		domain.RefusedRow{Path: one.path, Code: string(domain.CodeForbidden), Message: refusal})
}
