DROP INDEX sellers_by_checkout_origin;

ALTER TABLE sellers
    DROP COLUMN identification_config,
    DROP COLUMN invoicing_url,
    DROP COLUMN sealed_invoicing_key,
    DROP COLUMN checkout_origins,
    ALTER COLUMN meta TYPE jsonb USING coalesce(meta::jsonb, '{}'),
    ALTER COLUMN meta SET DEFAULT '{}',
    ALTER COLUMN meta SET NOT NULL;
