-- Text is compared in NFC (TEXT-1). The program folds it so; the triggers do it for what an earlier version writes meanwhile.
DO $$ BEGIN
    IF getdatabaseencoding() <> 'UTF8' THEN
        RAISE EXCEPTION 'Ticketgate needs a database with the encoding UTF8, and this one has %', getdatabaseencoding();
    END IF;
END $$;

CREATE FUNCTION normalize_email_folded() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    NEW.email_folded := normalize(NEW.email_folded, NFC);
    RETURN NEW;
END $$;
CREATE TRIGGER users_normalize_email_folded BEFORE INSERT OR UPDATE OF email_folded ON users FOR EACH ROW
    WHEN (NEW.email_folded IS NOT NFC NORMALIZED) EXECUTE FUNCTION normalize_email_folded();
CREATE TRIGGER customers_normalize_email_folded BEFORE INSERT OR UPDATE OF email_folded ON customers FOR EACH ROW
    WHEN (NEW.email_folded IS NOT NFC NORMALIZED) EXECUTE FUNCTION normalize_email_folded();
CREATE TRIGGER tickets_normalize_email_folded BEFORE INSERT OR UPDATE OF email_folded ON tickets FOR EACH ROW
    WHEN (NEW.email_folded IS NOT NFC NORMALIZED) EXECUTE FUNCTION normalize_email_folded();
CREATE TRIGGER access_entries_normalize_email_folded BEFORE INSERT OR UPDATE OF email_folded ON access_entries FOR EACH ROW
    WHEN (NEW.email_folded IS NOT NFC NORMALIZED) EXECUTE FUNCTION normalize_email_folded();
CREATE TRIGGER entry_import_rows_normalize_email_folded BEFORE INSERT OR UPDATE OF email_folded ON entry_import_rows FOR EACH ROW
    WHEN (NEW.email_folded IS NOT NFC NORMALIZED) EXECUTE FUNCTION normalize_email_folded();
CREATE TRIGGER transactions_normalize_email_folded BEFORE INSERT OR UPDATE OF email_folded ON transactions FOR EACH ROW
    WHEN (NEW.email_folded IS NOT NFC NORMALIZED) EXECUTE FUNCTION normalize_email_folded();
CREATE TRIGGER checkouts_normalize_email_folded BEFORE INSERT OR UPDATE OF email_folded ON checkouts FOR EACH ROW
    WHEN (NEW.email_folded IS NOT NFC NORMALIZED) EXECUTE FUNCTION normalize_email_folded();
CREATE TRIGGER purchase_intents_normalize_email_folded BEFORE INSERT OR UPDATE OF email_folded ON purchase_intents FOR EACH ROW
    WHEN (NEW.email_folded IS NOT NFC NORMALIZED) EXECUTE FUNCTION normalize_email_folded();

CREATE FUNCTION normalize_name_folded() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    NEW.name_folded := normalize(NEW.name_folded, NFC);
    RETURN NEW;
END $$;
CREATE TRIGGER catalog_events_normalize_name_folded BEFORE INSERT OR UPDATE OF name_folded ON catalog_events FOR EACH ROW
    WHEN (NEW.name_folded IS NOT NFC NORMALIZED) EXECUTE FUNCTION normalize_name_folded();
CREATE TRIGGER ticket_types_normalize_name_folded BEFORE INSERT OR UPDATE OF name_folded ON ticket_types FOR EACH ROW
    WHEN (NEW.name_folded IS NOT NFC NORMALIZED) EXECUTE FUNCTION normalize_name_folded();
CREATE TRIGGER scan_zones_normalize_name_folded BEFORE INSERT OR UPDATE OF name_folded ON scan_zones FOR EACH ROW
    WHEN (NEW.name_folded IS NOT NFC NORMALIZED) EXECUTE FUNCTION normalize_name_folded();
CREATE TRIGGER customers_normalize_name_folded BEFORE INSERT OR UPDATE OF name_folded ON customers FOR EACH ROW
    WHEN (NEW.name_folded IS NOT NFC NORMALIZED) EXECUTE FUNCTION normalize_name_folded();
CREATE TRIGGER access_lists_normalize_name_folded BEFORE INSERT OR UPDATE OF name_folded ON access_lists FOR EACH ROW
    WHEN (NEW.name_folded IS NOT NFC NORMALIZED) EXECUTE FUNCTION normalize_name_folded();
CREATE TRIGGER scan_groups_normalize_name_folded BEFORE INSERT OR UPDATE OF name_folded ON scan_groups FOR EACH ROW
    WHEN (NEW.name_folded IS NOT NFC NORMALIZED) EXECUTE FUNCTION normalize_name_folded();
CREATE TRIGGER devices_normalize_name_folded BEFORE INSERT OR UPDATE OF name_folded ON devices FOR EACH ROW
    WHEN (NEW.name_folded IS NOT NFC NORMALIZED) EXECUTE FUNCTION normalize_name_folded();

CREATE FUNCTION normalize_search_folded() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    NEW.search_folded := normalize(NEW.search_folded, NFC);
    RETURN NEW;
END $$;
CREATE TRIGGER tickets_normalize_search_folded BEFORE INSERT OR UPDATE OF search_folded ON tickets FOR EACH ROW
    WHEN (NEW.search_folded IS NOT NFC NORMALIZED) EXECUTE FUNCTION normalize_search_folded();
CREATE TRIGGER transactions_normalize_search_folded BEFORE INSERT OR UPDATE OF search_folded ON transactions FOR EACH ROW
    WHEN (NEW.search_folded IS NOT NFC NORMALIZED) EXECUTE FUNCTION normalize_search_folded();
CREATE TRIGGER checkouts_normalize_search_folded BEFORE INSERT OR UPDATE OF search_folded ON checkouts FOR EACH ROW
    WHEN (NEW.search_folded IS NOT NFC NORMALIZED) EXECUTE FUNCTION normalize_search_folded();
CREATE TRIGGER invoices_normalize_search_folded BEFORE INSERT OR UPDATE OF search_folded ON invoices FOR EACH ROW
    WHEN (NEW.search_folded IS NOT NFC NORMALIZED) EXECUTE FUNCTION normalize_search_folded();
CREATE TRIGGER purchase_intents_normalize_search_folded BEFORE INSERT OR UPDATE OF search_folded ON purchase_intents FOR EACH ROW
    WHEN (NEW.search_folded IS NOT NFC NORMALIZED) EXECUTE FUNCTION normalize_search_folded();

-- How the codes of an import are read. A table of its own: an earlier version reads every column of entry_imports.
CREATE TABLE entry_import_options (
    import_id text COLLATE "C" NOT NULL CONSTRAINT entry_import_options_pkey PRIMARY KEY
              CONSTRAINT options_of_entry_import REFERENCES entry_imports ON DELETE CASCADE,
    codes     text COLLATE "C" NOT NULL CONSTRAINT entry_import_codes_are_known CHECK (codes IN ('trim', 'keep'))
);

ALTER TABLE entry_import_rows ADD COLUMN trimmed boolean NOT NULL DEFAULT false,
    ADD COLUMN damaged boolean NOT NULL DEFAULT false,
    ADD COLUMN updated_at timestamptz,
    DROP CONSTRAINT entry_import_verdict_is_known,
    ADD CONSTRAINT entry_import_verdict_is_known
        CHECK (verdict IN ('new', 'same', 'conflict', 'stale', 'bad', 'duplicate', 'removed')) NOT VALID;
COMMENT ON COLUMN entry_import_rows.trimmed IS 'blanks were taken off an end of the code';
COMMENT ON COLUMN entry_import_rows.damaged IS 'a bad row whose code a spreadsheet has changed: it may be about any entry';
COMMENT ON COLUMN entry_import_rows.updated_at IS 'when the entry was changed, as far as the file knows';
