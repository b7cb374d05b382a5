-- How often the identification rule refused a buyer's details. Days are those of UTC, by their first instant.
CREATE TABLE identification_refusals (
    seller_id text COLLATE "C" NOT NULL,
    day       timestamptz NOT NULL,
    reason    text COLLATE "C" NOT NULL,
    refusals  bigint NOT NULL,
    last_at   timestamptz NOT NULL,
    CONSTRAINT identification_refusals_pkey PRIMARY KEY (seller_id, day, reason)
);
CREATE INDEX identification_refusals_by_age ON identification_refusals (day);
