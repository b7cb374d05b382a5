-- What a seller sets for its sales: what buyers' companies must show, where invoices go, which shops may sell.

ALTER TABLE sellers
    ADD COLUMN identification_config json,
    ADD COLUMN invoicing_url         text,
    ADD COLUMN sealed_invoicing_key  bytea,
    ADD COLUMN checkout_origins      text[] COLLATE "C" NOT NULL DEFAULT '{}',
    ADD CONSTRAINT invoicing_key_belongs_to_a_url CHECK (invoicing_url IS NOT NULL OR sealed_invoicing_key IS NULL),
    ALTER COLUMN meta DROP DEFAULT,
    ALTER COLUMN meta DROP NOT NULL,
    ALTER COLUMN meta TYPE json USING nullif(meta, '{}')::json;

CREATE INDEX sellers_by_checkout_origin ON sellers USING gin (checkout_origins);
COMMENT ON COLUMN sellers.identification_config IS 'groups of requirements; NULL: what the modules ask for by themselves';
