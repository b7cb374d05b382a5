-- When and how much of an event is sold, as other systems say it. Older versions read every column of the table, and ignore
-- one whose name begins with an underscore.
ALTER TABLE catalog_events ADD COLUMN _sales json;
COMMENT ON COLUMN catalog_events._sales IS 'sellStart, sellEnd, maxAmount, maxAmountPerOrder and status';
