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

-- The scan log grows with time and is dropped by day: an id begins with its seconds. Everything that decisions depend on
-- stands in the tables below it, which are not split and keep what they have.
CREATE TABLE scans (
    id              text COLLATE "C" NOT NULL,
    seller_id       text COLLATE "C" NOT NULL,
    ticket_id       text COLLATE "C",
    event_id        text COLLATE "C",
    parent_event_id text COLLATE "C",
    scan_zone_id    text COLLATE "C",
    scan_group_id   text COLLATE "C",
    device_id       text COLLATE "C",
    device_name     text,
    client_id       text COLLATE "C",
    barcode         text COLLATE "C" NOT NULL,
    name            text,
    ticket_type_id  text COLLATE "C",
    ticket_name     text,
    type            text COLLATE "C" NOT NULL CONSTRAINT scan_type_is_known CHECK (type IN ('checkin', 'checkout')),
    result          text COLLATE "C" NOT NULL CONSTRAINT scan_result_is_known CHECK (result IN ('approved', 'declined')),
    reason          text COLLATE "C",
    time            timestamptz NOT NULL,
    scanned_at      timestamptz,
    offline         boolean NOT NULL,
    late            boolean NOT NULL,
    conflict        boolean NOT NULL,
    clock_ahead     boolean NOT NULL,
    annulled_at     timestamptz,
    annulled_by     text,
    created_at      timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL,
    CONSTRAINT scans_pkey PRIMARY KEY (id)
) PARTITION BY RANGE (id);
CREATE TABLE scans_default PARTITION OF scans DEFAULT;
CREATE INDEX scans_by_seller ON scans (seller_id, id);
CREATE INDEX scans_by_event ON scans (seller_id, event_id, id);
CREATE INDEX scans_by_device ON scans (seller_id, device_id, id);
CREATE INDEX scans_by_ticket ON scans (seller_id, ticket_id, id);
CREATE INDEX scans_by_barcode ON scans (seller_id, barcode, id);
COMMENT ON COLUMN scans.scanned_at IS 'what the device''s clock said, of scans that were made offline';
COMMENT ON COLUMN scans.late IS 'a later scan of the same ticket was counted before this one';

-- What a ticket did at an event in a zone; the empty zone is that of scan groups without one. The row is the lock that
-- all scans of it wait for.
CREATE TABLE scan_places (
    seller_id        text COLLATE "C" NOT NULL,
    ticket_id        text COLLATE "C" NOT NULL,
    event_id         text COLLATE "C" NOT NULL,
    zone_id          text COLLATE "C" NOT NULL,
    checkins         integer NOT NULL,
    inside           integer NOT NULL,
    first_checkin_at timestamptz,
    last_at          timestamptz,
    CONSTRAINT scan_places_pkey PRIMARY KEY (seller_id, ticket_id, event_id, zone_id)
);
CREATE INDEX scan_places_by_event ON scan_places (seller_id, event_id, zone_id, ticket_id) INCLUDE (inside) WHERE checkins > 0;
COMMENT ON COLUMN scan_places.inside IS 'one at most, unless devices let in more while they were offline';

-- The approved scans that count, so that late ones can be put at their place after the log was dropped.
CREATE TABLE scan_passes (
    scan_id   text COLLATE "C" NOT NULL CONSTRAINT scan_passes_pkey PRIMARY KEY,
    seller_id text COLLATE "C" NOT NULL,
    ticket_id text COLLATE "C" NOT NULL,
    event_id  text COLLATE "C" NOT NULL,
    zone_id   text COLLATE "C" NOT NULL,
    at        timestamptz NOT NULL,
    direction text COLLATE "C" NOT NULL CONSTRAINT pass_direction_is_known CHECK (direction IN ('IN', 'OUT'))
);
CREATE INDEX scan_passes_by_place ON scan_passes (seller_id, ticket_id, event_id, zone_id, at);

-- Scans that devices handed in, so that each counts once however often it is handed in.
CREATE TABLE scan_claims (
    device_id text COLLATE "C" NOT NULL,
    key       text COLLATE "C" NOT NULL,
    scan_id   text COLLATE "C" NOT NULL,
    conflict  boolean NOT NULL,
    CONSTRAINT scan_claims_pkey PRIMARY KEY (device_id, key)
);
CREATE INDEX scan_claims_by_scan ON scan_claims (scan_id);

-- The device feed. A change gets its row in its own transaction, by triggers, so that whoever writes these tables can't
-- forget it; and its number later, when it is read first: only committed rows are numbered, one reader of a seller at a
-- time. So numbers have no gap that could still be filled, and writers never wait for each other.
CREATE TABLE device_feed (
    id         bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT device_feed_pkey PRIMARY KEY,
    seller_id  text COLLATE "C" NOT NULL,
    seq        bigint,
    type       text COLLATE "C" NOT NULL,
    object_id  text COLLATE "C" NOT NULL,
    code       text COLLATE "C",
    event_id   text COLLATE "C",
    list_id    text COLLATE "C",
    at         timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT feed_number_is_given_once UNIQUE (seller_id, seq)
);
CREATE INDEX device_feed_to_number ON device_feed (seller_id, id) WHERE seq IS NULL;

CREATE TABLE device_feed_heads (
    seller_id text COLLATE "C" NOT NULL CONSTRAINT device_feed_heads_pkey PRIMARY KEY,
    seq       bigint NOT NULL
);

CREATE FUNCTION feed_inserted_tickets() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO device_feed (seller_id, type, object_id, code, event_id)
    SELECT seller_id, 'ticket.granted', id, barcode, event_id FROM new_rows WHERE status = 'VALID' ORDER BY id;
    RETURN NULL;
END $$;
CREATE TRIGGER tickets_inserted AFTER INSERT ON tickets REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION feed_inserted_tickets();

-- A ticket whose code or event has changed is revoked as it was and granted as it is.
CREATE FUNCTION feed_updated_tickets() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO device_feed (seller_id, type, object_id, code, event_id)
    SELECT x.seller_id, x.type, x.id, x.barcode, x.event_id FROM (
        SELECT o.seller_id, 'ticket.revoked' AS type, o.id, o.barcode, o.event_id, 1 AS step
        FROM old_rows o JOIN new_rows n ON n.id = o.id
        WHERE o.status = 'VALID' AND (n.status <> 'VALID' OR n.barcode <> o.barcode OR n.event_id <> o.event_id)
        UNION ALL
        SELECT n.seller_id, 'ticket.granted', n.id, n.barcode, n.event_id, 2 FROM new_rows n WHERE n.status = 'VALID'
    ) x ORDER BY x.id, x.step;
    RETURN NULL;
END $$;
CREATE TRIGGER tickets_updated AFTER UPDATE ON tickets REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION feed_updated_tickets();

CREATE FUNCTION feed_deleted_tickets() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO device_feed (seller_id, type, object_id, code, event_id)
    SELECT seller_id, 'ticket.revoked', id, barcode, event_id FROM old_rows WHERE status = 'VALID' ORDER BY id;
    RETURN NULL;
END $$;
CREATE TRIGGER tickets_deleted AFTER DELETE ON tickets REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION feed_deleted_tickets();

CREATE FUNCTION feed_inserted_entries() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO device_feed (seller_id, type, object_id, code, list_id)
    SELECT seller_id, 'entry.granted', id, external_code, list_id FROM new_rows ORDER BY id;
    RETURN NULL;
END $$;
CREATE TRIGGER entries_inserted AFTER INSERT ON access_entries REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION feed_inserted_entries();

CREATE FUNCTION feed_updated_entries() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO device_feed (seller_id, type, object_id, code, list_id)
    SELECT x.seller_id, x.type, x.id, x.external_code, x.list_id FROM (
        SELECT o.seller_id, 'entry.revoked' AS type, o.id, o.external_code, o.list_id, 1 AS step
        FROM old_rows o JOIN new_rows n ON n.id = o.id WHERE n.external_code <> o.external_code
        UNION ALL
        SELECT n.seller_id, 'entry.granted', n.id, n.external_code, n.list_id, 2 FROM new_rows n
    ) x ORDER BY x.id, x.step;
    RETURN NULL;
END $$;
CREATE TRIGGER entries_updated AFTER UPDATE ON access_entries REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION feed_updated_entries();

CREATE FUNCTION feed_deleted_entries() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO device_feed (seller_id, type, object_id, code, list_id)
    SELECT seller_id, 'entry.revoked', id, external_code, list_id FROM old_rows ORDER BY id;
    RETURN NULL;
END $$;
CREATE TRIGGER entries_deleted AFTER DELETE ON access_entries REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION feed_deleted_entries();

CREATE FUNCTION feed_changed_rules() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO device_feed (seller_id, type, object_id) VALUES (NEW.seller_id, 'rules.changed', NEW.id);
    RETURN NULL;
END $$;
CREATE TRIGGER scan_groups_updated AFTER UPDATE ON scan_groups FOR EACH ROW EXECUTE FUNCTION feed_changed_rules();
CREATE TRIGGER devices_updated AFTER UPDATE OF name, access_all_events, event_ids, expires_at, active, settings ON devices
    FOR EACH ROW EXECUTE FUNCTION feed_changed_rules();
