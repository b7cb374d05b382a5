-- Counts of lists that hold all of a seller's rows. Scans, deliveries and the audit log have none: days of the first two are dropped as
-- a whole, also by processes that know no counts, and the audit log would make each change write one row more.
CREATE FUNCTION count_rows() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO list_count_deltas (seller_id, list, scope, n)
    SELECT seller_id, TG_TABLE_NAME, '', CASE TG_OP WHEN 'DELETE' THEN -count(*) ELSE count(*) END
    FROM counted GROUP BY seller_id;
    RETURN NULL;
END $$;
CREATE FUNCTION count_moved_row() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO list_count_deltas (seller_id, list, scope, n)
    VALUES (OLD.seller_id, TG_TABLE_NAME, '', -1), (NEW.seller_id, TG_TABLE_NAME, '', 1);
    RETURN NULL;
END $$;

-- In the order in which sales write them, so that neither waits for the other in a circle.
LOCK TABLE customers, checkouts, purchase_intents, transactions, tickets, invoices IN SHARE ROW EXCLUSIVE MODE;

DO $$ DECLARE list text; BEGIN
    FOREACH list IN ARRAY ARRAY['customers', 'checkouts', 'purchase_intents', 'transactions', 'tickets', 'invoices'] LOOP
        EXECUTE format('CREATE TRIGGER %1$s_count_inserted AFTER INSERT ON %1$I REFERENCING NEW TABLE AS counted
            FOR EACH STATEMENT EXECUTE FUNCTION count_rows()', list);
        EXECUTE format('CREATE TRIGGER %1$s_count_deleted AFTER DELETE ON %1$I REFERENCING OLD TABLE AS counted
            FOR EACH STATEMENT EXECUTE FUNCTION count_rows()', list);
        EXECUTE format('CREATE TRIGGER %1$s_count_moved AFTER UPDATE OF seller_id ON %1$I FOR EACH ROW
            WHEN (OLD.seller_id <> NEW.seller_id) EXECUTE FUNCTION count_moved_row()', list);
        EXECUTE format('CREATE TRIGGER %1$s_count_truncated AFTER TRUNCATE ON %1$I
            FOR EACH STATEMENT EXECUTE FUNCTION count_truncated()', list);
    END LOOP;
END $$;
