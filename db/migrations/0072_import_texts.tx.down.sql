DROP TABLE entry_import_texts;
