-- Deliveries whose listener had no room for another call when their turn came. They have no job until there is room: see
-- package jobs.

CREATE TABLE set_aside (
    webhook_id  text COLLATE "C" NOT NULL,
    delivery_id uuid NOT NULL,
    CONSTRAINT set_aside_pkey PRIMARY KEY (webhook_id, delivery_id)
);
