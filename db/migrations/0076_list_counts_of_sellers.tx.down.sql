DO $$ DECLARE list text; kind text; BEGIN
    FOREACH list IN ARRAY ARRAY['customers', 'checkouts', 'purchase_intents', 'transactions', 'tickets', 'invoices'] LOOP
        FOREACH kind IN ARRAY ARRAY['inserted', 'deleted', 'moved', 'truncated'] LOOP
            EXECUTE format('DROP TRIGGER %1$s_count_%2$s ON %1$I', list, kind);
        END LOOP;
    END LOOP;
END $$;
DROP FUNCTION count_rows, count_moved_row;
