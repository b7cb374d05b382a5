DROP TABLE access_entries, access_lists;
