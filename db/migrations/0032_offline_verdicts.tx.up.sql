-- Scans that devices decided offline, with what their conflict marks depend on besides scan_passes: marks are derived again
-- when late scans arrive or scans are annulled. Scans from before are not here: their marks stay as they are.
CREATE TABLE offline_verdicts (
    scan_id     text COLLATE "C" NOT NULL CONSTRAINT offline_verdicts_pkey PRIMARY KEY,
    seller_id   text COLLATE "C" NOT NULL,
    ticket_id   text COLLATE "C" NOT NULL,
    event_id    text COLLATE "C" NOT NULL,
    zone_id     text COLLATE "C" NOT NULL,
    at          timestamptz NOT NULL,
    direction   text COLLATE "C" NOT NULL CONSTRAINT verdict_direction_is_known CHECK (direction IN ('IN', 'OUT')),
    approved    boolean NOT NULL,
    multi       boolean NOT NULL,
    late        boolean NOT NULL,
    held        text COLLATE "C" NOT NULL,
    held_inside text COLLATE "C" NOT NULL,
    reason      text COLLATE "C" NOT NULL
);
CREATE INDEX offline_verdicts_by_place ON offline_verdicts (seller_id, ticket_id, event_id, zone_id);
COMMENT ON COLUMN offline_verdicts.multi IS 'multiple check-ins were enabled';
COMMENT ON COLUMN offline_verdicts.held IS 'the rule that fails whatever the ticket did, or nothing';
COMMENT ON COLUMN offline_verdicts.held_inside IS 'the same while the ticket is inside';

-- A repeat is the same id with the same content. Claims from before have none: what the log says of their scan is compared.
ALTER TABLE scan_claims ADD COLUMN content text COLLATE "C";
COMMENT ON COLUMN scan_claims.content IS 'a digest of what the scan says';
