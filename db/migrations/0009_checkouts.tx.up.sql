-- Checkouts (decisions 8.4): the document that webhooks show, beside what checkouts are searched by.
-- The document is json and not jsonb: jsonb would write numbers anew.

CREATE TABLE checkouts (
    id            text COLLATE "C" NOT NULL CONSTRAINT checkouts_pkey PRIMARY KEY,
    seller_id     text COLLATE "C" NOT NULL CONSTRAINT checkout_of_seller REFERENCES sellers,
    event_id      text COLLATE "C" NOT NULL,
    status        text COLLATE "C" NOT NULL,
    email_folded  text COLLATE "C",
    search_folded text COLLATE "C" NOT NULL,
    secret_digest bytea NOT NULL,
    document      json NOT NULL,
    expires_at    timestamptz NOT NULL,
    created_at    timestamptz NOT NULL
);
CREATE INDEX checkouts_by_seller ON checkouts (seller_id, id);
CREATE INDEX checkouts_by_event ON checkouts (seller_id, event_id, id);
CREATE INDEX checkouts_by_email ON checkouts (seller_id, email_folded) WHERE email_folded IS NOT NULL;
CREATE INDEX checkouts_to_expire ON checkouts (expires_at) WHERE status IN ('NEW', 'DETAILS');
COMMENT ON COLUMN checkouts.secret_digest IS 'SHA-256 of the secret that opens the checkout to its buyer';
COMMENT ON COLUMN checkouts.search_folded IS '_id, names, company, e-mail and phone, folded: what a person searches in';
