ALTER TABLE invoice_counters DROP COLUMN issued_at;
