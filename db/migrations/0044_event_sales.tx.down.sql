ALTER TABLE catalog_events DROP COLUMN _sales;
