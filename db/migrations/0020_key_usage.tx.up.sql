-- What API keys are used for. The sums are added to every few seconds; days are those of UTC, by their first instant.
CREATE TABLE api_key_calls (
    api_key_id text COLLATE "C" NOT NULL,
    day        timestamptz NOT NULL,
    status     integer NOT NULL,
    calls      bigint NOT NULL,
    CONSTRAINT api_key_calls_pkey PRIMARY KEY (api_key_id, day, status)
);
CREATE INDEX api_key_calls_by_age ON api_key_calls (day);

-- Which permissions its calls needed, and whether it had them.
CREATE TABLE api_key_needs (
    api_key_id text COLLATE "C" NOT NULL,
    permission text COLLATE "C" NOT NULL,
    granted    boolean NOT NULL,
    calls      bigint NOT NULL,
    last_at    timestamptz NOT NULL,
    CONSTRAINT api_key_needs_pkey PRIMARY KEY (api_key_id, permission, granted)
);

-- The search of the dashboard finds customers by how their names begin.
CREATE INDEX customers_by_name ON customers (seller_id, name_folded);
