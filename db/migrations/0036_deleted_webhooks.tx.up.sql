-- Webhooks that were deleted a short time ago: their pending deliveries are canceled in batches.
-- An older process deletes without a row here; those deliveries are canceled when their attempts are due.

CREATE TABLE deleted_webhooks (
    id         text COLLATE "C" NOT NULL CONSTRAINT deleted_webhooks_pkey PRIMARY KEY,
    seller_id  text COLLATE "C" NOT NULL,
    deleted_at timestamptz NOT NULL,
    canceled   integer NOT NULL DEFAULT 0
);
CREATE INDEX deleted_webhooks_by_seller ON deleted_webhooks (seller_id);
COMMENT ON COLUMN deleted_webhooks.canceled IS 'how many deliveries were canceled so far';
