CREATE OR REPLACE FUNCTION advance_credential_epoch() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE advanced bigint; BEGIN
    UPDATE credential_epoch SET epoch = epoch + 1 RETURNING epoch INTO advanced;
    PERFORM pg_notify('credential_epoch', advanced::text);
    RETURN NULL;
END $$;
