-- Existing rows as this version writes them.

-- Folded text in NFC (TEXT-1). Of two accounts whose addresses become one, the older keeps it; the other stays as it is.
UPDATE users u SET email_folded = normalize(u.email_folded, NFC)
FROM (SELECT DISTINCT ON (normalize(email_folded, NFC)) id FROM users ORDER BY normalize(email_folded, NFC), id) first
WHERE first.id = u.id AND u.email_folded IS NOT NFC NORMALIZED
    AND NOT EXISTS (SELECT FROM users o WHERE o.email_folded = normalize(u.email_folded, NFC));
UPDATE customers SET email_folded = normalize(email_folded, NFC), name_folded = normalize(name_folded, NFC)
WHERE email_folded IS NOT NFC NORMALIZED OR name_folded IS NOT NFC NORMALIZED;
UPDATE tickets SET email_folded = normalize(email_folded, NFC), search_folded = normalize(search_folded, NFC)
WHERE email_folded IS NOT NFC NORMALIZED OR search_folded IS NOT NFC NORMALIZED;
UPDATE access_entries SET email_folded = normalize(email_folded, NFC)
WHERE email_folded IS NOT NFC NORMALIZED;
UPDATE entry_import_rows SET email_folded = normalize(email_folded, NFC)
WHERE email_folded IS NOT NFC NORMALIZED;
UPDATE transactions SET email_folded = normalize(email_folded, NFC), search_folded = normalize(search_folded, NFC)
WHERE email_folded IS NOT NFC NORMALIZED OR search_folded IS NOT NFC NORMALIZED;
UPDATE checkouts SET email_folded = normalize(email_folded, NFC), search_folded = normalize(search_folded, NFC)
WHERE email_folded IS NOT NFC NORMALIZED OR search_folded IS NOT NFC NORMALIZED;
UPDATE purchase_intents SET email_folded = normalize(email_folded, NFC), search_folded = normalize(search_folded, NFC)
WHERE email_folded IS NOT NFC NORMALIZED OR search_folded IS NOT NFC NORMALIZED;
UPDATE catalog_events SET name_folded = normalize(name_folded, NFC)
WHERE name_folded IS NOT NFC NORMALIZED;
UPDATE ticket_types SET name_folded = normalize(name_folded, NFC)
WHERE name_folded IS NOT NFC NORMALIZED;
UPDATE scan_zones SET name_folded = normalize(name_folded, NFC)
WHERE name_folded IS NOT NFC NORMALIZED;
UPDATE access_lists SET name_folded = normalize(name_folded, NFC)
WHERE name_folded IS NOT NFC NORMALIZED;
UPDATE scan_groups SET name_folded = normalize(name_folded, NFC)
WHERE name_folded IS NOT NFC NORMALIZED;
UPDATE devices SET name_folded = normalize(name_folded, NFC)
WHERE name_folded IS NOT NFC NORMALIZED;
UPDATE invoices SET search_folded = normalize(search_folded, NFC)
WHERE search_folded IS NOT NFC NORMALIZED;

-- The time of a ticket's slot as date-times are written (IMPORT-5), in the document's text: its order and numbers stay. Text
-- that is no such time stays as it is.
CREATE FUNCTION slot_time(text text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN
    RETURN to_char(text::timestamptz AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
EXCEPTION WHEN data_exception THEN
    RETURN text;
END $$;
UPDATE tickets t SET stored_at = now(), document = overlay(t.document::text PLACING to_json(slot_time(f.slot))::text
    FROM strpos(t.document::text, '"slotStartTime":"') + length('"slotStartTime":') FOR length(f.slot) + 2)::json
FROM (SELECT seller_id, id, document ->> 'slotStartTime' AS slot FROM tickets WHERE document::text LIKE '%"slotStartTime":"%') f
WHERE t.seller_id = f.seller_id AND t.id = f.id
    AND f.slot ~* '^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d(:?\d\d)?)$'
    AND f.slot !~ '^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$'
    AND strpos(t.document::text, '"slotStartTime":"' || f.slot || '"') > 0;
DROP FUNCTION slot_time(text);

-- An import that changes records needs the permission to update them (IMPORT-6). Keys that could do so keep it.
WITH gained AS (
    SELECT k.id, k.permissions AS before, k.permissions || array_agg(g.added ORDER BY g.added) AS after
    FROM api_keys k JOIN (VALUES ('tickets:create', 'tickets:update'), ('transactions:create', 'transactions:update')) g (held, added)
        ON g.held = ANY (k.permissions) AND NOT g.added = ANY (k.permissions)
    GROUP BY k.id, k.permissions
), changed AS (
    UPDATE api_keys k SET permissions = g.after, updated_at = now() FROM gained g WHERE k.id = g.id
    RETURNING k.id, k.seller_id, k.organization_id, g.before, g.after
)
INSERT INTO audit_entries (id, at, seller_id, organization_id, actor_kind, actor_id, action, object, object_id, before, after,
    address, request_id)
SELECT lpad(to_hex(extract(epoch FROM now())::bigint), 8, '0') || substr(replace(gen_random_uuid()::text, '-', ''), 1, 16),
    now(), seller_id, organization_id, 'SYSTEM', 'system', 'updateApiKey', 'apiKey', id,
    jsonb_build_object('permissions', before), jsonb_build_object('permissions', after), '', ''
FROM changed;
WITH advanced AS (UPDATE credential_epoch SET epoch = epoch + 1 RETURNING epoch)
SELECT pg_notify('credential_epoch', epoch::text) FROM advanced;
