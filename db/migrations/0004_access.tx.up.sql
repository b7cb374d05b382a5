-- Access lists, their entries, and files of entries on their way in.

CREATE TABLE access_lists (
    id              text COLLATE "C" NOT NULL CONSTRAINT access_lists_pkey PRIMARY KEY,
    seller_id       text COLLATE "C" NOT NULL CONSTRAINT access_list_of_seller REFERENCES sellers,
    type            text COLLATE "C" NOT NULL CONSTRAINT access_list_type_is_known CHECK (type IN ('static', 'remote')),
    name            text NOT NULL,
    name_folded     text COLLATE "C" NOT NULL,
    url             text,
    sealed_hmac_key bytea,
    created_at      timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL,
    CONSTRAINT remote_access_list_has_url CHECK ((type = 'remote') = (url IS NOT NULL))
);
CREATE INDEX access_lists_by_seller ON access_lists (seller_id, id);
CREATE INDEX access_lists_remote ON access_lists (seller_id) WHERE type = 'remote';

-- A code has at most 255 characters, at most 1,020 bytes: a third of what an index takes.
CREATE TABLE access_entries (
    id            text COLLATE "C" NOT NULL CONSTRAINT access_entries_pkey PRIMARY KEY,
    list_id       text COLLATE "C" NOT NULL CONSTRAINT access_entry_of_list REFERENCES access_lists ON DELETE CASCADE,
    seller_id     text COLLATE "C" NOT NULL,
    external_code text COLLATE "C" NOT NULL,
    customer_id   text COLLATE "C",
    firstname     text,
    lastname      text,
    email         text,
    email_folded  text COLLATE "C",
    phone         text,
    meta          json,
    created_at    timestamptz NOT NULL,
    updated_at    timestamptz NOT NULL,
    CONSTRAINT access_entry_is_once_in_list UNIQUE (list_id, external_code)
);
-- The gate's question: who has this code, in whatever list of the seller?
CREATE INDEX access_entries_by_code ON access_entries (seller_id, external_code);
CREATE INDEX access_entries_by_list ON access_entries (list_id, id);
CREATE INDEX access_entries_by_customer ON access_entries (list_id, customer_id, id) WHERE customer_id IS NOT NULL;
CREATE INDEX access_entries_by_email ON access_entries (list_id, email_folded, id) WHERE email_folded IS NOT NULL;
COMMENT ON COLUMN access_entries.meta IS 'json and not jsonb: members keep their order';
