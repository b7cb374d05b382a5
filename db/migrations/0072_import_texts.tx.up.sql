-- How far the text of an import was read that comes in parts. A table of its own: an earlier version writes entry_imports next to it.
CREATE TABLE entry_import_texts (
    import_id text COLLATE "C" NOT NULL CONSTRAINT entry_import_texts_pkey PRIMARY KEY
              CONSTRAINT text_of_entry_import REFERENCES entry_imports ON DELETE CASCADE,
    parts     integer NOT NULL,
    reading   json NOT NULL,
    rest      bytea
);
COMMENT ON COLUMN entry_import_texts.parts IS 'how many have come in';
COMMENT ON COLUMN entry_import_texts.reading IS 'the columns, and what the reader of CSV knows of the text so far';
COMMENT ON COLUMN entry_import_texts.rest IS 'the end of the last part: a record that may go on in the next one; null once no part is to come';
