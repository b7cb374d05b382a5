package sale

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/intake"
	"ticketgate/domain/moment"
	"ticketgate/domain/ticket"
)

// ticketRefusal returns why the caller may not change tickets with a new transaction, empty if it may. transactions:update is
// enough: with it, the caller could create the transaction in one row and cancel it in the next.
func ticketRefusal(ctx context.Context, actor *domain.Actor) string {
	return domain.LinkedRefusal(ctx, actor, "This transaction changes existing tickets", "tickets:update", "transactions:update")
}

// ticketsOfNew returns the stored tickets of new transactions that concern their tickets, if the caller may lack the
// permission to change them. They can't change before the commit: lockSoldTickets has locked out ticket imports.
func (i *importing) ticketsOfNew(
	ctx context.Context, transactions []intake.Row, known map[string]TransactionRecord,
) (map[string][]ticket.Record, error) {
	of := map[string][]ticket.Record{}
	if i.ticketRefusal == nil {
		return of, nil
	}
	var ids []string
	for _, row := range transactions {
		if _, exists := known[row.ID]; !exists && concernsTickets(row) {
			ids = append(ids, row.ID)
		}
	}
	if len(ids) == 0 {
		return of, nil
	}
	stored, err := i.tx.StoredTickets(ctx, i.seller, ids)
	for _, item := range stored {
		of[*item.TransactionID] = append(of[*item.TransactionID], item)
	}
	return of, err
}

// Made returns a new transaction, or why it would change tickets that the caller may not change (IMPORT-9).
func (i *importing) Made(_ context.Context, row intake.Row) (record TransactionRecord, refusal string, err error) {
	record, err = created(row, i.language, i.now)
	stored := i.tickets[row.ID]
	if err != nil || len(stored) == 0 {
		return record, "", err
	}
	differ, err := transactionChange{nil, record}.align(stored, moment.New(i.now))
	if err != nil || len(differ) == 0 {
		return record, "", err
	}
	return record, i.ticketRefusal(), nil
}
