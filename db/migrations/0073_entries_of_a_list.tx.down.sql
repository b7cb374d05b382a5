CREATE INDEX access_entries_of_list ON access_entries (list_id, id);
DROP INDEX access_entries_by_list;
ALTER INDEX access_entries_of_list RENAME TO access_entries_by_list;
