package db

import (
	"context"
	"time"

	"ticketgate/domain/ids"
	"ticketgate/domain/sale"
	"ticketgate/domain/ticket"
)

// soldParts is how many parts a seller's transactions are locked in. An import may name thousands, more than the server has
// room for locks.
const soldParts = 32

// soldWait is how long an import waits for others that write what it must see: as long as a large one takes.
const soldWait = 20 * time.Second

// lockSold takes a lock on what transactions say of their tickets, until the transaction ends, by the function lock. Row locks can't
// keep the import of a transaction and that of its tickets apart while neither is there. It comes before all locks of rows.
func (tx *Tx) lockSold(ctx context.Context, lock string, seller ids.Seller, transactions []string) error {
	type limits struct {
		Lock      string
		Statement string
	}
	usual, err := row[limits](ctx, tx.store, tx, "Setting",
		"SELECT current_setting('lock_timeout') AS lock, current_setting('statement_timeout') AS statement")
	if err != nil {
		return err
	}
	if err := tx.allow(ctx, soldWait.String(), soldWait.String()); err != nil {
		return err
	}
	if _, err := exec(ctx, tx, "SELECT "+lock+`(hashtext($1), part) FROM (
		SELECT DISTINCT abs(hashtext(id) % $3) AS part FROM unnest($2::text[]) AS id ORDER BY part) AS parts`,
		string(seller), transactions, soldParts); err != nil {
		return err
	}
	return tx.allow(ctx, usual.Lock, usual.Statement)
}

// allow bounds what comes in the transaction: how long it may wait for a lock, and how long a statement may take.
func (tx *Tx) allow(ctx context.Context, lock, statement string) error {
	_, err := exec(ctx, tx,
		"SELECT set_config('lock_timeout', $1, true), set_config('statement_timeout', $2, true)", lock, statement)
	return err
}

// LockSoldTickets keeps imports of tickets away from transactions, also from those that are not there yet.
func (tx *Tx) LockSoldTickets(ctx context.Context, seller ids.Seller, transactions []string) error {
	return tx.lockSold(ctx, "pg_advisory_xact_lock", seller, transactions)
}

// soldTransactions are those of the transactions that say something of their tickets.
func soldTransactions(seller ids.Seller, ids []string) *query[transactionRow] {
	return transactions.of(seller).withIDs(ids).where(`t.status = $ OR position('"cancelledAt":' IN t.document::text) > 0
		OR position('"meta":' IN t.document::text) > 0`, string(sale.TransactionCanceled))
}

// SoldTickets finds what transactions say of their tickets. Imports of tickets go on beside each other, but for those of a
// transaction that says something: they count the same tickets.
func (tx *Tx) SoldTickets(
	ctx context.Context, seller ids.Seller, ids []string,
) (map[string]ticket.Sold, error) {
	if err := tx.lockSold(ctx, "pg_advisory_xact_lock_shared", seller, ids); err != nil {
		return nil, err
	}
	found, err := soldTransactions(seller, ids).orderBy("t.id").forUpdate("NO KEY UPDATE").rows(ctx, tx.store, tx)
	if err != nil {
		return nil, err
	}
	sold := make(map[string]ticket.Sold, len(found))
	for _, row := range found {
		record, err := row.record()
		if err != nil {
			return nil, err
		}
		if said, some := record.SoldTickets(); some {
			sold[record.ID] = said
		}
	}
	return sold, nil
}

// StoredTickets finds the tickets of transactions. It locks none: who writes them holds what SoldTickets took.
func (tx *Tx) StoredTickets(ctx context.Context, seller ids.Seller, transactions []string) ([]ticket.Record, error) {
	return readAll(ctx, tx.store, tx, tickets.of(seller).where("t.transaction_id = ANY($)", transactions), ticketRow.record)
}
