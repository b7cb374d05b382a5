DELETE FROM list_count_deltas WHERE list = 'access_entries';
DELETE FROM list_counts WHERE list = 'access_entries';
