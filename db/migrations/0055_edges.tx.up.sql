-- GraphQL leads from a scan group to its scans, from a transaction to its tickets in their order, and to the checkout that it was.
CREATE INDEX scans_by_scan_group ON scans (seller_id, scan_group_id, id) WHERE scan_group_id IS NOT NULL;
CREATE INDEX checkouts_by_transaction ON checkouts (seller_id, (document ->> 'transactionId')) WHERE status = 'COMPLETE';
DROP INDEX tickets_by_transaction;
CREATE INDEX tickets_by_transaction ON tickets (seller_id, transaction_id, created_at, id) WHERE transaction_id IS NOT NULL;
