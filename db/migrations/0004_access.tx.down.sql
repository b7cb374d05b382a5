DROP TABLE entry_import_rows, entry_imports, access_entries, access_lists;
