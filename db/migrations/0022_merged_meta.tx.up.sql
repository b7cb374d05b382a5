-- A file of comma-separated values has columns for single members of meta; the other members stay as they are.
ALTER TABLE entry_import_rows ADD COLUMN merges_meta boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN entry_import_rows.merges_meta IS 'meta holds the members to change, null for one that shall go; else it is all of meta';

-- What an entry's meta becomes by a row of a file that says nothing of it (null), that there is none (the JSON null), or
-- what it is. Members keep their order, and those that are new come last.
CREATE FUNCTION entry_meta(present json, said json, merges boolean) RETURNS json LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN
    IF said IS NULL THEN
        RETURN present;
    ELSIF NOT merges THEN
        RETURN CASE WHEN said::text <> 'null' THEN said END;
    END IF;
    RETURN (SELECT coalesce(json_object_agg(key, coalesce(s.value, p.value) ORDER BY p.place, s.place),
            CASE WHEN present IS NOT NULL THEN '{}'::json END)
        FROM json_each(coalesce(present, '{}')) WITH ORDINALITY AS p (key, value, place)
        FULL JOIN json_each(said) WITH ORDINALITY AS s (key, value, place) USING (key)
        WHERE s.value IS NULL OR json_typeof(s.value) <> 'null');
END $$;
