ALTER TABLE devices DROP COLUMN is_integration;
