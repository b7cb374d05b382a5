-- What is told of webhooks: the figures of their calls, kept as attempts are recorded, and what lists of deliveries are
-- searched by.

CREATE TABLE webhook_figures (
    webhook_id   text COLLATE "C" NOT NULL,
    part         text COLLATE "C" NOT NULL CONSTRAINT webhook_figures_part_is_known CHECK (part IN ('all', 'type', 'outcome')),
    value        text COLLATE "C" NOT NULL,
    at           timestamptz NOT NULL,
    calls        integer NOT NULL,
    succeeded    integer NOT NULL,
    delivered    integer NOT NULL,
    failed       integer NOT NULL,
    milliseconds bigint NOT NULL,
    times        integer[] NOT NULL,
    CONSTRAINT webhook_figures_pkey PRIMARY KEY (webhook_id, part, value, at)
) PARTITION BY RANGE (at);
CREATE TABLE webhook_figures_default PARTITION OF webhook_figures DEFAULT;
COMMENT ON COLUMN webhook_figures.at IS 'the beginning of the five minutes in which the calls began';
COMMENT ON COLUMN webhook_figures.part IS 'all calls, or those with a type or an outcome in common, which value names';
COMMENT ON COLUMN webhook_figures.failed IS 'deliveries that failed, less those that were delivered by hand afterwards';
COMMENT ON COLUMN webhook_figures.times IS 'of all calls: how many took how long, by the bins of webhook.ResponseTimes';

ALTER TABLE events ADD COLUMN object_id text COLLATE "C";
CREATE INDEX events_by_object ON events (seller_id, object_id) WHERE object_id IS NOT NULL;
COMMENT ON COLUMN events.object_id IS 'the _id of the resource that the event is about';

ALTER TABLE deliveries ADD COLUMN outcome text COLLATE "C";
COMMENT ON COLUMN deliveries.outcome IS 'how the latest attempt ended: its status or its failure';

-- What a list is narrowed by stands in the index behind the id: rows that don't match are passed over without a look at them.
DROP INDEX deliveries_by_webhook;
CREATE INDEX deliveries_by_webhook ON deliveries (webhook_id, id, state, type, outcome);
DROP INDEX deliveries_by_seller;
CREATE INDEX deliveries_by_seller ON deliveries (seller_id, id, state, type, outcome);
CREATE INDEX deliveries_ended ON deliveries (seller_id, id) WHERE state IN ('failed', 'canceled');
