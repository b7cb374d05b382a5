-- Purchase intents (spec 6.1): the document beside what they are searched by, and when they expire.

CREATE TABLE purchase_intents (
    id            text COLLATE "C" NOT NULL CONSTRAINT purchase_intents_pkey PRIMARY KEY,
    seller_id     text COLLATE "C" NOT NULL CONSTRAINT purchase_intent_of_seller REFERENCES sellers,
    event_id      text COLLATE "C" NOT NULL,
    status        text COLLATE "C" NOT NULL CONSTRAINT purchase_intent_status_is_known
                  CHECK (status IN ('CREATED', 'APPROVED', 'REJECTED', 'EXPIRED', 'CANCELLED', 'COMPLETED')),
    customer_id   text COLLATE "C",
    email_folded  text COLLATE "C",
    search_folded text COLLATE "C" NOT NULL,
    document      json NOT NULL,
    expires_at    timestamptz,
    created_at    timestamptz NOT NULL,
    CONSTRAINT purchase_intent_of_event FOREIGN KEY (seller_id, event_id) REFERENCES catalog_events
);
CREATE INDEX purchase_intents_by_seller ON purchase_intents (seller_id, id);
CREATE INDEX purchase_intents_by_event ON purchase_intents (seller_id, event_id, id);
CREATE INDEX purchase_intents_by_customer ON purchase_intents (seller_id, customer_id) WHERE customer_id IS NOT NULL;
CREATE INDEX purchase_intents_by_email ON purchase_intents (seller_id, email_folded) WHERE email_folded IS NOT NULL;
CREATE INDEX purchase_intents_by_expiry ON purchase_intents (expires_at) WHERE status IN ('CREATED', 'APPROVED');
COMMENT ON COLUMN purchase_intents.search_folded IS '_id, names, company and e-mail, folded: what a person searches in';
