-- What happens at gates: scan groups, devices and their tokens.

CREATE TABLE scan_groups (
    id              text COLLATE "C" NOT NULL CONSTRAINT scan_groups_pkey PRIMARY KEY,
    seller_id       text COLLATE "C" NOT NULL CONSTRAINT scan_group_of_seller REFERENCES sellers,
    name            text NOT NULL,
    name_folded     text COLLATE "C" NOT NULL,
    scan_config     json,
    device_settings json,
    created_at      timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL
);
CREATE INDEX scan_groups_by_seller ON scan_groups (seller_id, id);

-- Repeats the events of scan_config: an event that is assigned can't be deleted.
CREATE TABLE scan_group_events (
    scan_group_id text COLLATE "C" NOT NULL CONSTRAINT event_in_scan_group REFERENCES scan_groups ON DELETE CASCADE,
    seller_id     text COLLATE "C" NOT NULL,
    event_id      text COLLATE "C" NOT NULL,
    CONSTRAINT scan_group_events_pkey PRIMARY KEY (scan_group_id, event_id),
    CONSTRAINT scan_group_has_event FOREIGN KEY (seller_id, event_id) REFERENCES catalog_events
);
CREATE INDEX scan_group_events_by_event ON scan_group_events (seller_id, event_id);

CREATE TABLE devices (
    id                 text COLLATE "C" NOT NULL CONSTRAINT devices_pkey PRIMARY KEY,
    seller_id          text COLLATE "C" NOT NULL CONSTRAINT device_of_seller REFERENCES sellers,
    name               text NOT NULL,
    name_folded        text COLLATE "C" NOT NULL,
    access_all_events  boolean NOT NULL,
    event_ids          text[] COLLATE "C" NOT NULL,
    expires_at         timestamptz,
    active             boolean NOT NULL,
    settings           json,
    scan_group_id      text COLLATE "C" CONSTRAINT device_uses_scan_group REFERENCES scan_groups,
    token_digest       bytea CONSTRAINT device_token_is_unique UNIQUE,
    hint               text NOT NULL,
    pairing_digest     bytea CONSTRAINT pairing_code_is_unique UNIQUE,
    pairing_expires_at timestamptz,
    created_at         timestamptz NOT NULL,
    updated_at         timestamptz NOT NULL,
    CONSTRAINT device_is_paired_or_waits CHECK (token_digest IS NULL OR pairing_digest IS NULL)
);
CREATE INDEX devices_by_seller ON devices (seller_id, id);
CREATE INDEX devices_by_scan_group ON devices (scan_group_id) WHERE scan_group_id IS NOT NULL;

-- Apart from the devices, so that noting a use never waits for a change of the device.
CREATE TABLE device_uses (
    device_id    text COLLATE "C" NOT NULL CONSTRAINT device_uses_pkey PRIMARY KEY,
    last_used_at timestamptz NOT NULL
);
