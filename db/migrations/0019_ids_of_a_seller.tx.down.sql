-- Refused where two sellers have the same _id by now.

ALTER TABLE invoices DROP CONSTRAINT invoice_of_transaction;
DROP INDEX invoices_by_transaction, transaction_has_one_invoice;
ALTER TABLE tickets DROP CONSTRAINT tickets_pkey, ADD CONSTRAINT tickets_pkey PRIMARY KEY (id);
ALTER TABLE transactions DROP CONSTRAINT transactions_pkey, ADD CONSTRAINT transactions_pkey PRIMARY KEY (id);
ALTER TABLE invoices ADD CONSTRAINT invoice_of_transaction FOREIGN KEY (transaction_id) REFERENCES transactions;
CREATE INDEX invoices_by_transaction ON invoices (transaction_id, number);
CREATE UNIQUE INDEX transaction_has_one_invoice ON invoices (transaction_id) WHERE kind = 'invoice';

CREATE OR REPLACE FUNCTION feed_updated_tickets() RETURNS trigger LANGUAGE plpgsql SET enable_nestloop = off AS $$ BEGIN
    INSERT INTO device_feed (seller_id, type, object_id, code, event_id)
    SELECT x.seller_id, x.type, x.id, x.barcode, x.event_id FROM (
        SELECT o.seller_id, 'ticket.revoked' AS type, o.id, o.barcode, o.event_id, 1 AS step
        FROM old_rows o JOIN new_rows n ON n.id = o.id
        WHERE o.status = 'VALID' AND (n.status <> 'VALID' OR n.barcode <> o.barcode OR n.event_id <> o.event_id)
        UNION ALL
        SELECT n.seller_id, 'ticket.granted', n.id, n.barcode, n.event_id, 2 FROM new_rows n WHERE n.status = 'VALID'
    ) x ORDER BY x.id, x.step;
    RETURN NULL;
END $$;
