DELETE FROM entry_import_rows WHERE verdict = 'stale';
ALTER TABLE entry_import_rows DROP COLUMN trimmed, DROP COLUMN damaged, DROP COLUMN updated_at,
    DROP CONSTRAINT entry_import_verdict_is_known,
    ADD CONSTRAINT entry_import_verdict_is_known CHECK (verdict IN ('new', 'same', 'conflict', 'bad', 'duplicate', 'removed'));
DROP TABLE entry_import_options;

DROP TRIGGER users_normalize_email_folded ON users;
DROP TRIGGER customers_normalize_email_folded ON customers;
DROP TRIGGER tickets_normalize_email_folded ON tickets;
DROP TRIGGER access_entries_normalize_email_folded ON access_entries;
DROP TRIGGER entry_import_rows_normalize_email_folded ON entry_import_rows;
DROP TRIGGER transactions_normalize_email_folded ON transactions;
DROP TRIGGER checkouts_normalize_email_folded ON checkouts;
DROP TRIGGER purchase_intents_normalize_email_folded ON purchase_intents;
DROP FUNCTION normalize_email_folded();
DROP TRIGGER catalog_events_normalize_name_folded ON catalog_events;
DROP TRIGGER ticket_types_normalize_name_folded ON ticket_types;
DROP TRIGGER scan_zones_normalize_name_folded ON scan_zones;
DROP TRIGGER customers_normalize_name_folded ON customers;
DROP TRIGGER access_lists_normalize_name_folded ON access_lists;
DROP TRIGGER scan_groups_normalize_name_folded ON scan_groups;
DROP TRIGGER devices_normalize_name_folded ON devices;
DROP FUNCTION normalize_name_folded();
DROP TRIGGER tickets_normalize_search_folded ON tickets;
DROP TRIGGER transactions_normalize_search_folded ON transactions;
DROP TRIGGER checkouts_normalize_search_folded ON checkouts;
DROP TRIGGER invoices_normalize_search_folded ON invoices;
DROP TRIGGER purchase_intents_normalize_search_folded ON purchase_intents;
DROP FUNCTION normalize_search_folded();
