-- The time of a seller's last invoice, kept where its number is: no invoice with a higher number is issued before one with a
-- lower number.
ALTER TABLE invoice_counters ADD COLUMN issued_at timestamptz NOT NULL DEFAULT '-infinity';
UPDATE invoice_counters c SET issued_at = i.latest
FROM (SELECT seller_id, max(issued_at) AS latest FROM invoices GROUP BY seller_id) i WHERE i.seller_id = c.seller_id;

-- Countries are compared in upper case and without white space around them (decisions 9.2); the document keeps what came.
UPDATE transactions SET country = upper(btrim(country, E' \t\n\r\u00A0\uFEFF')) WHERE country IS NOT NULL;
