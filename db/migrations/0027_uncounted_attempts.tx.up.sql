-- Attempts that were recorded before there were figures are added to them, in small batches by whichever process delivers.
-- Until that has come to its end this table has one row.

CREATE TABLE uncounted_attempts (
    began_before timestamptz NOT NULL,
    after_id     uuid NOT NULL,
    until_id     uuid NOT NULL CONSTRAINT uncounted_attempts_pkey PRIMARY KEY
);
COMMENT ON COLUMN uncounted_attempts.began_before IS 'when figures began: attempts that began earlier are in none';
COMMENT ON COLUMN uncounted_attempts.after_id IS 'deliveries up to this one have been looked at';
COMMENT ON COLUMN uncounted_attempts.until_id IS 'where the deliveries end that were there when this table was made';

INSERT INTO uncounted_attempts
    SELECT m.migrated_at, '00000000-0000-0000-0000-000000000000',
        (lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
    FROM migrations m WHERE m.name = '0017' AND EXISTS (SELECT FROM attempts);
