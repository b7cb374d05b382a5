-- What tickets are sold for, and to whom. An _id may be another system's: it is unique within its seller, and every
-- reference holds the seller too, so that none can lead to another one's row.

CREATE TABLE catalog_events (
    seller_id           text COLLATE "C" NOT NULL CONSTRAINT event_of_seller REFERENCES sellers,
    id                  text COLLATE "C" NOT NULL,
    name                text NOT NULL,
    name_folded         text COLLATE "C" NOT NULL,
    type                text COLLATE "C" NOT NULL
                        CONSTRAINT event_type_is_known CHECK (type IN ('SINGLE', 'GROUP', 'RECURRENCE', 'ROOT')),
    root_event_id       text COLLATE "C",
    parent_event_id     text COLLATE "C",
    starts_at           timestamptz NOT NULL,
    ends_at             timestamptz,
    time_zone           text NOT NULL,
    skip_address_info   boolean NOT NULL,
    code_display        text COLLATE "C" NOT NULL
                        CONSTRAINT code_display_is_known CHECK (code_display IN ('QR', 'BARCODE', 'NONE')),
    barcode_reveal_date timestamptz,
    meta                json,
    created_at          timestamptz NOT NULL,
    updated_at          timestamptz NOT NULL,
    CONSTRAINT event_id_is_taken PRIMARY KEY (seller_id, id),
    CONSTRAINT event_has_root FOREIGN KEY (seller_id, root_event_id) REFERENCES catalog_events,
    CONSTRAINT event_has_parent FOREIGN KEY (seller_id, parent_event_id) REFERENCES catalog_events,
    CONSTRAINT event_ends_after_start CHECK (ends_at >= starts_at)
);
CREATE INDEX catalog_events_by_creation ON catalog_events (seller_id, created_at, id);
CREATE INDEX catalog_events_by_start ON catalog_events (seller_id, starts_at);
CREATE INDEX catalog_events_by_root ON catalog_events (seller_id, root_event_id) WHERE root_event_id IS NOT NULL;
CREATE INDEX catalog_events_by_parent ON catalog_events (seller_id, parent_event_id) WHERE parent_event_id IS NOT NULL;

CREATE TABLE ticket_types (
    seller_id   text COLLATE "C" NOT NULL,
    id          text COLLATE "C" NOT NULL,
    event_id    text COLLATE "C" NOT NULL,
    name        text NOT NULL,
    name_folded text COLLATE "C" NOT NULL,
    price       numeric NOT NULL CONSTRAINT price_is_not_negative CHECK (price >= 0),
    currency    text COLLATE "C" NOT NULL,
    tax_rate    numeric,
    active      boolean NOT NULL,
    meta        json,
    created_at  timestamptz NOT NULL,
    updated_at  timestamptz NOT NULL,
    CONSTRAINT ticket_type_id_is_taken PRIMARY KEY (seller_id, id),
    CONSTRAINT ticket_type_of_event FOREIGN KEY (seller_id, event_id) REFERENCES catalog_events ON DELETE CASCADE
);
CREATE INDEX ticket_types_by_creation ON ticket_types (seller_id, created_at, id);
CREATE INDEX ticket_types_by_event ON ticket_types (seller_id, event_id, created_at, id);
COMMENT ON COLUMN ticket_types.tax_rate IS 'in percent, contained in the price';

CREATE TABLE scan_zones (
    seller_id   text COLLATE "C" NOT NULL CONSTRAINT scan_zone_of_seller REFERENCES sellers,
    id          text COLLATE "C" NOT NULL,
    name        text NOT NULL,
    name_folded text COLLATE "C" NOT NULL,
    event_id    text COLLATE "C",
    meta        json,
    created_at  timestamptz NOT NULL,
    updated_at  timestamptz NOT NULL,
    CONSTRAINT scan_zone_id_is_taken PRIMARY KEY (seller_id, id),
    CONSTRAINT scan_zone_of_event FOREIGN KEY (seller_id, event_id) REFERENCES catalog_events ON DELETE CASCADE
);
CREATE INDEX scan_zones_by_creation ON scan_zones (seller_id, created_at, id);
CREATE INDEX scan_zones_by_event ON scan_zones (seller_id, event_id) WHERE event_id IS NOT NULL;

CREATE TABLE customers (
    seller_id    text COLLATE "C" NOT NULL CONSTRAINT customer_of_seller REFERENCES sellers,
    id           text COLLATE "C" NOT NULL,
    email        text,
    email_folded text COLLATE "C",
    firstname    text,
    lastname     text,
    company      text,
    name_folded  text COLLATE "C" NOT NULL,
    phone        text,
    street       text,
    line2        text,
    postal       text,
    city         text,
    state        text,
    country      text,
    meta         json,
    created_at   timestamptz NOT NULL,
    updated_at   timestamptz NOT NULL,
    CONSTRAINT customer_id_is_taken PRIMARY KEY (seller_id, id)
);
CREATE INDEX customers_by_creation ON customers (seller_id, created_at, id);
CREATE INDEX customers_by_email ON customers (seller_id, email_folded) WHERE email_folded IS NOT NULL;
COMMENT ON COLUMN customers.name_folded IS 'first name, last name and company, as a search for a name sees them';
