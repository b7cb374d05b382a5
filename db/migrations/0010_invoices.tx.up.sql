-- Invoices: numbered for each seller without gaps, never changed, and handed over to where the seller wants them.

CREATE TABLE invoice_counters (
    seller_id text COLLATE "C" NOT NULL CONSTRAINT invoice_counters_pkey PRIMARY KEY
              CONSTRAINT invoice_counter_of_seller REFERENCES sellers,
    last      bigint NOT NULL
);
COMMENT ON TABLE invoice_counters IS 'a row is locked from the number to the commit, so that a rollback leaves no gap';

CREATE TABLE invoices (
    id             text COLLATE "C" NOT NULL CONSTRAINT invoices_pkey PRIMARY KEY,
    seller_id      text COLLATE "C" NOT NULL CONSTRAINT invoice_of_seller REFERENCES sellers,
    transaction_id text COLLATE "C" NOT NULL CONSTRAINT invoice_of_transaction REFERENCES transactions,
    number         bigint NOT NULL,
    kind           text COLLATE "C" NOT NULL CONSTRAINT invoice_kind_is_known CHECK (kind IN ('invoice', 'cancellation')),
    search_folded  text COLLATE "C" NOT NULL,
    document       json NOT NULL,
    issued_at      timestamptz NOT NULL,
    CONSTRAINT invoice_number_is_once_a_seller UNIQUE (seller_id, number)
);
CREATE INDEX invoices_by_seller ON invoices (seller_id, id);
CREATE INDEX invoices_by_transaction ON invoices (transaction_id, number);
CREATE UNIQUE INDEX transaction_has_one_invoice ON invoices (transaction_id) WHERE kind = 'invoice';
COMMENT ON COLUMN invoices.search_folded IS 'the transaction''s tid and the buyer, folded: what a person searches in';

-- How far an invoice has come on its way to the seller's invoicing; the columns are those of deliveries.
CREATE TABLE hand_overs (
    invoice_id      text COLLATE "C" NOT NULL CONSTRAINT hand_overs_pkey PRIMARY KEY
                    CONSTRAINT hand_over_of_invoice REFERENCES invoices,
    seller_id       text COLLATE "C" NOT NULL,
    state           text COLLATE "C" NOT NULL
                    CONSTRAINT hand_over_state_is_known CHECK (state IN ('pending', 'delivered', 'failed', 'canceled')),
    attempts        integer NOT NULL DEFAULT 0,
    scheduled       integer NOT NULL DEFAULT 0,
    retry_requested boolean NOT NULL DEFAULT false,
    retriggered_at  timestamptz,
    next_attempt_at timestamptz,
    delivered_at    timestamptz,
    created_at      timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL
);
CREATE INDEX hand_overs_by_state ON hand_overs (seller_id, state, invoice_id);
-- Both hold only what is still to be done: they find the hand-overs whose job has vanished.
CREATE INDEX hand_overs_due ON hand_overs (next_attempt_at) WHERE state = 'pending';
CREATE INDEX hand_overs_requested ON hand_overs (retriggered_at) WHERE retry_requested;

CREATE TABLE hand_over_attempts (
    invoice_id     text COLLATE "C" NOT NULL,
    number         integer NOT NULL,
    by_hand        boolean NOT NULL,
    url            text NOT NULL,
    started_at     timestamptz NOT NULL,
    duration_ms    integer NOT NULL,
    status         integer,
    failure        text COLLATE "C",
    detail         text NOT NULL,
    response_body  bytea NOT NULL,
    body_truncated boolean NOT NULL,
    CONSTRAINT hand_over_attempts_pkey PRIMARY KEY (invoice_id, number)
) PARTITION BY RANGE (invoice_id);
CREATE TABLE hand_over_attempts_default PARTITION OF hand_over_attempts DEFAULT;
