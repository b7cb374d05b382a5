-- Codes that were shown at a gate and that no list knew, counted by device and event.

CREATE TABLE unknown_codes (
    id            text COLLATE "C" NOT NULL CONSTRAINT unknown_codes_pkey PRIMARY KEY,
    seller_id     text COLLATE "C" NOT NULL CONSTRAINT unknown_code_of_seller REFERENCES sellers,
    device_id     text COLLATE "C" NOT NULL,
    event_id      text COLLATE "C" NOT NULL,
    external_code text COLLATE "C" NOT NULL,
    times         integer NOT NULL,
    first_at      timestamptz NOT NULL,
    last_at       timestamptz NOT NULL,
    CONSTRAINT unknown_code_is_counted_once UNIQUE (seller_id, external_code, event_id, device_id)
);
CREATE INDEX unknown_codes_by_seller ON unknown_codes (seller_id, id);
CREATE INDEX unknown_codes_by_age ON unknown_codes (last_at);
COMMENT ON COLUMN unknown_codes.times IS 'how often the device has asked for the code at the event';
