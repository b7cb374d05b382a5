-- Transactions (spec 2.8): the document as it was handed in, beside what transactions are searched by.
-- The document is json and not jsonb: jsonb would write numbers anew.

CREATE TABLE transactions (
    id                  text COLLATE "C" NOT NULL CONSTRAINT transactions_pkey PRIMARY KEY,
    seller_id           text COLLATE "C" NOT NULL CONSTRAINT transaction_of_seller REFERENCES sellers,
    event_id            text COLLATE "C" NOT NULL,
    status              text COLLATE "C" NOT NULL,
    tid                 text COLLATE "C" NOT NULL,
    customer_id         text COLLATE "C",
    user_id             text COLLATE "C",
    pos_id              text COLLATE "C",
    subscription_id     text COLLATE "C",
    country             text COLLATE "C",
    currency            text COLLATE "C",
    payment_method      text COLLATE "C",
    payment_info_method text COLLATE "C",
    payment_status      text COLLATE "C",
    payment_gateway     text COLLATE "C",
    payment_provider    text COLLATE "C",
    origin              text COLLATE "C",
    preferred_language  text COLLATE "C",
    cancellation_reason text COLLATE "C",
    history_types       text[] COLLATE "C" NOT NULL,
    email_folded        text COLLATE "C",
    search_folded       text COLLATE "C" NOT NULL,
    document            json NOT NULL,
    created_at          timestamptz NOT NULL,
    updated_at          timestamptz NOT NULL
);
CREATE INDEX transactions_by_seller ON transactions (seller_id, created_at, id);
CREATE INDEX transactions_by_event ON transactions (seller_id, event_id, created_at, id);
CREATE INDEX transactions_by_customer ON transactions (seller_id, customer_id) WHERE customer_id IS NOT NULL;
CREATE INDEX transactions_by_email ON transactions (seller_id, email_folded) WHERE email_folded IS NOT NULL;
CREATE INDEX transactions_by_tid ON transactions (seller_id, tid);
COMMENT ON COLUMN transactions.search_folded IS '_id, tid, names, company and e-mail, folded: what a person searches in';
COMMENT ON COLUMN transactions.created_at IS 'that of the document or, where it has none, of the first import';
