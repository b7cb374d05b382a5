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

-- A file of entries on its way into a list. Counts, samples and results are the domain's, as JSON.
CREATE TABLE entry_imports (
    id              text COLLATE "C" NOT NULL CONSTRAINT entry_imports_pkey PRIMARY KEY,
    list_id         text COLLATE "C" NOT NULL CONSTRAINT entry_import_of_list REFERENCES access_lists ON DELETE CASCADE,
    seller_id       text COLLATE "C" NOT NULL,
    state           text COLLATE "C" NOT NULL CONSTRAINT entry_import_state_is_known
                    CHECK (state IN ('reading', 'staged', 'committed', 'canceled', 'undone')),
    mode            text COLLATE "C" NOT NULL,
    preset          text COLLATE "C" NOT NULL,
    counts          json NOT NULL,
    samples         json NOT NULL,
    result          json,
    undo            json,
    created_by_type text NOT NULL,
    created_by_id   text NOT NULL,
    created_at      timestamptz NOT NULL,
    committed_at    timestamptz,
    undone_at       timestamptz
);
CREATE INDEX entry_imports_by_list ON entry_imports (list_id, id);
CREATE INDEX entry_imports_by_age ON entry_imports (created_at);

-- Its rows. Logged like any table: an import that lost its rows in a crash would, as a full set, empty its list.
CREATE TABLE entry_import_rows (
    import_id     text COLLATE "C" NOT NULL CONSTRAINT entry_import_row_of_import REFERENCES entry_imports ON DELETE CASCADE,
    line          bigint NOT NULL,
    verdict       text COLLATE "C" NOT NULL CONSTRAINT entry_import_verdict_is_known
                  CHECK (verdict IN ('new', 'same', 'conflict', 'bad', 'duplicate', 'removed')),
    external_code text COLLATE "C",
    customer_id   text COLLATE "C",
    firstname     text,
    lastname      text,
    email         text,
    email_folded  text COLLATE "C",
    phone         text,
    meta          json,
    reason        text,
    warning       text,
    entry_id      text COLLATE "C",
    before        json,
    CONSTRAINT entry_import_rows_pkey PRIMARY KEY (import_id, line)
);
CREATE INDEX entry_import_rows_by_code ON entry_import_rows (import_id, external_code);
COMMENT ON COLUMN entry_import_rows.line IS 'in the file; entries that a full set lacks are rows of their own: -1, -2, …';
COMMENT ON COLUMN entry_import_rows.customer_id IS 'null: the file says nothing of it; empty: there is none. So the other members; no meta is the JSON null';
COMMENT ON COLUMN entry_import_rows.reason IS 'why it is bad, or which members are in conflict';
COMMENT ON COLUMN entry_import_rows.before IS 'the entry that the import changed or removed, as it was';
