DROP TRIGGER access_entries_count_inserted ON access_entries;
DROP TRIGGER access_entries_count_deleted ON access_entries;
DROP TRIGGER access_entries_count_moved ON access_entries;
DROP TRIGGER access_entries_count_truncated ON access_entries;
DROP FUNCTION count_entries, count_moved_entry, count_truncated, recount_list;
DROP TABLE list_count_deltas, list_counts;
