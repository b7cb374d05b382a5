package db

import (
	"context"
	"time"

	"ticketgate/domain/ids"
	"ticketgate/domain/sale"
	"ticketgate/domain/ticket"
)

// soldParts is the number of advisory locks among which a seller's transactions are divided. A lock per transaction is
// impossible, because an import may include thousands, more than the server has room for.
const soldParts = 32

// soldWait is how long an import waits for concurrent imports whose changes it must see. It is the duration of a large
// import.
const soldWait = 20 * time.Second

// lockSold locks transactions against concurrent changes of their tickets until the end of the database transaction.
// lock is the SQL function to use. Row locks can't separate the import of a transaction from the import of its tickets
// while neither has a row. lockSold must be called before any row is locked.
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

// allow sets the lock timeout and the statement timeout for the rest of the transaction.
func (tx *Tx) allow(ctx context.Context, lock, statement string) error {
	_, err := exec(ctx, tx,
		"SELECT set_config('lock_timeout', $1, true), set_config('statement_timeout', $2, true)", lock, statement)
	return err
}

// LockSoldTickets excludes concurrent imports of tickets of the transactions, even for transactions that don't exist
// yet.
func (tx *Tx) LockSoldTickets(ctx context.Context, seller ids.Seller, transactions []string) error {
	return tx.lockSold(ctx, "pg_advisory_xact_lock", seller, transactions)
}

// soldTransactions selects the seller's transactions that affect their tickets.
func soldTransactions(seller ids.Seller) *query[transactionRow] {
	return transactions.of(seller).where(`t.status = $ OR position('"cancelledAt":' IN t.document::text) > 0
		OR position('"meta":' IN t.document::text) > 0`, string(sale.TransactionCanceled))
}

// SoldTickets returns the changes that transactions make to their tickets. Imports of tickets run concurrently, except
// if their transactions make such changes, because they would count the same tickets.
func (tx *Tx) SoldTickets(
	ctx context.Context, seller ids.Seller, ids []string,
) (map[string]ticket.Sold, error) {
	if err := tx.lockSold(ctx, "pg_advisory_xact_lock_shared", seller, ids); err != nil {
		return nil, err
	}
	found, err := soldTransactions(seller).lockedByIDs(ctx, tx.store, tx, ids)
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

// StoredTickets returns the tickets of transactions. It locks none, because writers hold the locks of SoldTickets.
func (tx *Tx) StoredTickets(ctx context.Context, seller ids.Seller, transactions []string) ([]ticket.Record, error) {
	return readAll(ctx, tx.store, tx, tickets.of(seller).where("t.transaction_id = ANY($)", transactions), ticketRow.record)
}
