-- Deliveries are searched by when they failed, whenever their event happened.
CREATE INDEX deliveries_by_failure ON deliveries (seller_id, failed_at) WHERE failed_at IS NOT NULL;
