-- Whatever a scan group or a device names can't be deleted: the columns and tables here repeat what their documents say.
-- References that were already cut off are left out.

-- Also the events of tapAndGo.
INSERT INTO scan_group_events (scan_group_id, seller_id, event_id)
SELECT DISTINCT g.id, g.seller_id, e.id FROM scan_groups g
CROSS JOIN json_array_elements_text(coalesce(g.scan_config #> '{tapAndGo,eventIds}', '[]')) AS n (id)
JOIN catalog_events e ON e.seller_id = g.seller_id AND e.id = n.id COLLATE "C"
ON CONFLICT DO NOTHING;

ALTER TABLE scan_groups ADD COLUMN scan_zone_id text COLLATE "C",
    ADD CONSTRAINT scan_group_has_zone FOREIGN KEY (seller_id, scan_zone_id) REFERENCES scan_zones;
UPDATE scan_groups g SET scan_zone_id = z.id FROM scan_zones z
WHERE z.seller_id = g.seller_id AND z.id = (g.scan_config ->> 'scanZoneId') COLLATE "C";
CREATE INDEX scan_groups_by_zone ON scan_groups (seller_id, scan_zone_id) WHERE scan_zone_id IS NOT NULL;

CREATE TABLE scan_group_ticket_types (
    scan_group_id  text COLLATE "C" NOT NULL CONSTRAINT ticket_type_in_scan_group REFERENCES scan_groups ON DELETE CASCADE,
    seller_id      text COLLATE "C" NOT NULL,
    ticket_type_id text COLLATE "C" NOT NULL,
    CONSTRAINT scan_group_ticket_types_pkey PRIMARY KEY (scan_group_id, ticket_type_id),
    CONSTRAINT scan_group_has_ticket_type FOREIGN KEY (seller_id, ticket_type_id) REFERENCES ticket_types
);
CREATE INDEX scan_group_ticket_types_by_type ON scan_group_ticket_types (seller_id, ticket_type_id);
INSERT INTO scan_group_ticket_types (scan_group_id, seller_id, ticket_type_id)
SELECT DISTINCT g.id, g.seller_id, t.id FROM scan_groups g
CROSS JOIN json_array_elements(coalesce(g.scan_config -> 'events', '[]')) AS s (event)
CROSS JOIN json_array_elements_text(coalesce(s.event -> 'allowedTicketTypeIds', '[]')) AS n (id)
JOIN ticket_types t ON t.seller_id = g.seller_id AND t.id = n.id COLLATE "C";

CREATE TABLE device_events (
    device_id text COLLATE "C" NOT NULL CONSTRAINT event_of_device REFERENCES devices ON DELETE CASCADE,
    seller_id text COLLATE "C" NOT NULL,
    event_id  text COLLATE "C" NOT NULL,
    CONSTRAINT device_events_pkey PRIMARY KEY (device_id, event_id),
    CONSTRAINT device_has_event FOREIGN KEY (seller_id, event_id) REFERENCES catalog_events
);
CREATE INDEX device_events_by_event ON device_events (seller_id, event_id);
INSERT INTO device_events (device_id, seller_id, event_id)
SELECT d.id, d.seller_id, e.id FROM devices d JOIN catalog_events e ON e.seller_id = d.seller_id AND e.id = ANY (d.event_ids);

-- When a ticket was stored last, by our clock: what it says of itself may be as old as its seller likes.
ALTER TABLE tickets ADD COLUMN stored_at timestamptz NOT NULL DEFAULT now();
CREATE INDEX tickets_by_storing ON tickets (seller_id, event_id, stored_at);

-- A ticket that is excluded from its own event doesn't open it: the feed revokes it as it does an invalid one.
CREATE FUNCTION ticket_opens(status text, event_id text, excluded text[]) RETURNS boolean LANGUAGE sql IMMUTABLE
RETURN status = 'VALID' AND event_id <> ALL (excluded);

CREATE OR REPLACE FUNCTION feed_inserted_tickets() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO device_feed (seller_id, type, object_id, code, event_id)
    SELECT seller_id, 'ticket.granted', id, barcode, event_id FROM new_rows
    WHERE ticket_opens(status, event_id, excluded_event_ids) ORDER BY id;
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION feed_updated_tickets() RETURNS trigger LANGUAGE plpgsql SET enable_nestloop = off AS $$ BEGIN
    INSERT INTO device_feed (seller_id, type, object_id, code, event_id)
    SELECT x.seller_id, x.type, x.id, x.barcode, x.event_id FROM (
        SELECT o.seller_id, 'ticket.revoked' AS type, o.id, o.barcode, o.event_id, 1 AS step
        FROM old_rows o JOIN new_rows n ON n.seller_id = o.seller_id AND n.id = o.id
        WHERE ticket_opens(o.status, o.event_id, o.excluded_event_ids)
            AND (NOT ticket_opens(n.status, n.event_id, n.excluded_event_ids) OR n.barcode <> o.barcode OR n.event_id <> o.event_id)
        UNION ALL
        SELECT n.seller_id, 'ticket.granted', n.id, n.barcode, n.event_id, 2 FROM new_rows n
        WHERE ticket_opens(n.status, n.event_id, n.excluded_event_ids)
    ) x ORDER BY x.id, x.step;
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION feed_deleted_tickets() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO device_feed (seller_id, type, object_id, code, event_id)
    SELECT seller_id, 'ticket.revoked', id, barcode, event_id FROM old_rows
    WHERE ticket_opens(status, event_id, excluded_event_ids) ORDER BY id;
    RETURN NULL;
END $$;
