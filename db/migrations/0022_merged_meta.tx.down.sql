DROP FUNCTION entry_meta;
ALTER TABLE entry_import_rows DROP COLUMN merges_meta;
