DROP INDEX scans_by_scan_group, checkouts_by_transaction, tickets_by_transaction;
CREATE INDEX tickets_by_transaction ON tickets (seller_id, transaction_id) WHERE transaction_id IS NOT NULL;
