DROP INDEX deliveries_ended;
DROP INDEX deliveries_by_seller;
CREATE INDEX deliveries_by_seller ON deliveries (seller_id, id);
DROP INDEX deliveries_by_webhook;
CREATE INDEX deliveries_by_webhook ON deliveries (webhook_id, id);
ALTER TABLE deliveries DROP COLUMN outcome;
DROP INDEX events_by_object;
ALTER TABLE events DROP COLUMN object_id;
DROP TABLE webhook_figures;
