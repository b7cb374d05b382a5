-- Tickets (spec 2.9): the document as it was handed in, beside what tickets are searched by.
-- The document is json and not jsonb: jsonb would write numbers anew.

CREATE TABLE tickets (
    id                 text COLLATE "C" NOT NULL CONSTRAINT tickets_pkey PRIMARY KEY,
    seller_id          text COLLATE "C" NOT NULL CONSTRAINT ticket_of_seller REFERENCES sellers,
    event_id           text COLLATE "C" NOT NULL,
    root_event_id      text COLLATE "C",
    ticket_type_id     text COLLATE "C" NOT NULL,
    customer_id        text COLLATE "C",
    transaction_id     text COLLATE "C",
    status             text COLLATE "C" NOT NULL,
    type               text COLLATE "C",
    origin             text COLLATE "C",
    currency           text COLLATE "C",
    barcode            text COLLATE "C" NOT NULL,
    email_folded       text COLLATE "C",
    search_folded      text COLLATE "C" NOT NULL,
    excluded_event_ids text[] COLLATE "C" NOT NULL,
    document           json NOT NULL,
    created_at         timestamptz NOT NULL,
    updated_at         timestamptz NOT NULL,
    -- Deferred, so that one import may change the barcodes of two tickets over.
    CONSTRAINT ticket_has_its_own_barcode UNIQUE (seller_id, barcode) DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX tickets_by_seller ON tickets (seller_id, created_at, id);
CREATE INDEX tickets_by_event ON tickets (seller_id, event_id, created_at, id);
CREATE INDEX tickets_by_customer ON tickets (seller_id, customer_id) WHERE customer_id IS NOT NULL;
CREATE INDEX tickets_by_email ON tickets (seller_id, email_folded) WHERE email_folded IS NOT NULL;
CREATE INDEX tickets_by_transaction ON tickets (seller_id, transaction_id) WHERE transaction_id IS NOT NULL;
COMMENT ON COLUMN tickets.search_folded IS 'names, company, e-mail, barcode and seat, folded: what a person searches in';
