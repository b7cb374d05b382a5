-- How many rows a list without a filter has. A statement that adds or removes rows appends the difference, so that writers never wait
-- for each other; a loop adds these deltas to the counts. The total of a list is its count and its deltas, seen at the same moment.
CREATE TABLE list_counts (
    seller_id text COLLATE "C" NOT NULL,
    list      text COLLATE "C" NOT NULL,
    scope     text COLLATE "C" NOT NULL,
    n         bigint NOT NULL,
    CONSTRAINT list_counts_pkey PRIMARY KEY (seller_id, list, scope)
) WITH (fillfactor = 70);
COMMENT ON COLUMN list_counts.list IS 'the table of its rows';
COMMENT ON COLUMN list_counts.scope IS 'the access list of entries; empty for a list of all rows of the seller';

CREATE TABLE list_count_deltas (
    id        bigint GENERATED ALWAYS AS IDENTITY,
    seller_id text COLLATE "C" NOT NULL,
    list      text COLLATE "C" NOT NULL,
    scope     text COLLATE "C" NOT NULL,
    n         bigint NOT NULL,
    CONSTRAINT list_count_deltas_pkey PRIMARY KEY (seller_id, list, scope, id)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

-- Earlier versions append too, also between this migration and the rights that are granted after all of them.
DO $$ DECLARE writer text; BEGIN
    FOR writer IN SELECT DISTINCT quote_ident(grantee) FROM information_schema.table_privileges
        WHERE table_schema = 'public' AND table_name = 'access_entries' AND privilege_type = 'INSERT' AND grantee <> current_user
    LOOP
        EXECUTE 'GRANT SELECT, INSERT, UPDATE, DELETE ON list_counts, list_count_deltas TO ' || writer;
    END LOOP;
END $$;

CREATE FUNCTION count_entries() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO list_count_deltas (seller_id, list, scope, n)
    SELECT seller_id, 'access_entries', list_id, CASE TG_OP WHEN 'DELETE' THEN -count(*) ELSE count(*) END
    FROM counted GROUP BY seller_id, list_id;
    RETURN NULL;
END $$;
CREATE TRIGGER access_entries_count_inserted AFTER INSERT ON access_entries REFERENCING NEW TABLE AS counted
    FOR EACH STATEMENT EXECUTE FUNCTION count_entries();
CREATE TRIGGER access_entries_count_deleted AFTER DELETE ON access_entries REFERENCING OLD TABLE AS counted
    FOR EACH STATEMENT EXECUTE FUNCTION count_entries();

CREATE FUNCTION count_moved_entry() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO list_count_deltas (seller_id, list, scope, n)
    VALUES (OLD.seller_id, 'access_entries', OLD.list_id, -1), (NEW.seller_id, 'access_entries', NEW.list_id, 1);
    RETURN NULL;
END $$;
CREATE TRIGGER access_entries_count_moved AFTER UPDATE OF seller_id, list_id ON access_entries FOR EACH ROW
    WHEN (OLD.seller_id <> NEW.seller_id OR OLD.list_id <> NEW.list_id) EXECUTE FUNCTION count_moved_entry();

CREATE FUNCTION count_truncated() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    DELETE FROM list_count_deltas WHERE list = TG_TABLE_NAME;
    DELETE FROM list_counts WHERE list = TG_TABLE_NAME; -- second: it may have been counted meanwhile
    RETURN NULL;
END $$;
CREATE TRIGGER access_entries_count_truncated AFTER TRUNCATE ON access_entries FOR EACH STATEMENT EXECUTE FUNCTION count_truncated();

-- Appends what the counts of a table's lists lack: of rows that were written before the triggers or without them. The counts change with
-- the rows, so the difference is the same whenever it is taken: nothing is locked.
CREATE FUNCTION recount_list(counted text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE scope_of text := CASE counted WHEN 'access_entries' THEN 'list_id' ELSE '''''' END;
BEGIN
    EXECUTE format('INSERT INTO list_count_deltas (seller_id, list, scope, n)
        SELECT seller_id, %1$L, scope, sum(n) FROM (
            SELECT seller_id, %2$s AS scope, count(*) AS n FROM %1$I GROUP BY 1, 2
            UNION ALL SELECT seller_id, scope, -n FROM list_counts WHERE list = %1$L
            UNION ALL SELECT seller_id, scope, -n FROM list_count_deltas WHERE list = %1$L
        ) differences GROUP BY seller_id, scope HAVING sum(n) <> 0', counted, scope_of);
END $$;
