-- One seller with large tables and 19 with a hundredth of them. The first record of every kind has the same id in all tables, that
-- of the tests' arguments: $large and $small are the sellers that statements are planned for, $id and $other their first records.
CREATE FUNCTION named(seller text, n bigint) RETURNS text IMMUTABLE LANGUAGE sql AS $$
	SELECT CASE WHEN n > 0 THEN seller || '-' || n
		WHEN seller = '$large' THEN '$id' WHEN seller = '$small' THEN '$other' ELSE seller || '-0' END
$$;
CREATE FUNCTION uuid_at(at timestamptz, seller text, n bigint) RETURNS uuid IMMUTABLE LANGUAGE sql AS $$
	SELECT CASE WHEN n = 0 AND seller IN ('$large', '$small') THEN named(seller, 0)::uuid ELSE
		(lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' ||
		left(md5(seller), 3) || '8' || lpad(to_hex(n), 15, '0'))::uuid END
$$;
-- When the n-th of so many was made: evenly over six days, for which there are partitions.
CREATE FUNCTION made_at(n bigint, rows bigint) RETURNS timestamptz STABLE LANGUAGE sql AS $$
	SELECT date_trunc('day', now()) + n * (interval '6 days' / rows)
$$;
INSERT INTO organizations VALUES ('$id', 'Large', now()), ('$other', 'Small', now());
INSERT INTO sellers (id, organization_id, name, country, webhooks, siren, created_at, updated_at)
	SELECT CASE n WHEN 0 THEN '$large' WHEN 1 THEN '$small' ELSE 'seller' || n END, CASE WHEN n % 2 = 0 THEN '$id' ELSE '$other' END,
		'Seller ' || n, 'FR', true, false, now(), now() FROM generate_series(0, 19) n;
CREATE TABLE sizes AS SELECT id AS seller, organization_id AS organization, CASE id WHEN '$large' THEN 100 ELSE 1 END AS size FROM sellers;
CREATE VIEW of_each AS SELECT seller, organization, n FROM sizes, generate_series(0, 10 * size - 1) n; -- 1,000 of the large seller
CREATE VIEW many AS SELECT seller, n, size * 2000 AS rows, made_at(n, size * 2000) AS at,
	named(seller, n) AS id, named(seller, n % (CASE size WHEN 1 THEN 5 ELSE 50 END)) AS event,
	named(seller, n % (2 * size)) AS type, named(seller, n % (500 * size)) AS customer, named(seller, n % (1000 * size)) AS transaction,
	named(seller, n % (10 * size)) AS webhook, named(seller, n % 20) AS device
	FROM sizes, generate_series(0, 2000 * size - 1) n; -- 200,000
INSERT INTO users (id, email, email_folded, name, password_hash, created_at, updated_at)
	SELECT named('user', n), n || '@example.org', n || '@example.org', 'User ' || n, '', now(), now() FROM generate_series(1, 20000) n
	UNION ALL SELECT id, id, id, 'User', '', now(), now() FROM organizations;
INSERT INTO memberships (id, user_id, seller_id, role, created_at)
	SELECT id, coalesce((SELECT u.id FROM users u WHERE u.id = t.id), 'user-' || 1 + n % 20000), seller, 1 + n % 4, now()
	FROM (SELECT named(seller, n) AS id, seller, n FROM of_each) t;
INSERT INTO memberships (id, user_id, organization_id, role, created_at)
	SELECT 'o' || n, 'user-' || n, CASE WHEN n % 50 > 0 THEN '$id' ELSE '$other' END, 1 + n % 4, now() FROM generate_series(1, 1000) n;
INSERT INTO sessions (id, digest, user_id, created_at, last_used_at, expires_at, address, user_agent)
	SELECT id, sha256(id::bytea), id, now(), now(), now() + interval '1 day', '', '' FROM users LIMIT 5000;
INSERT INTO invitations (id, seller_id, email, email_folded, role, invited_by_type, invited_by_id, created_at, expires_at)
	SELECT named(seller, n), seller, id, id, 1, 'USER', '', now(), now() FROM (SELECT seller, n, named(seller, n) AS id FROM of_each) t;
INSERT INTO api_keys (id, seller_id, name, hint, version, active, is_default, full_seller_access, permissions, created_by_type,
		created_by_id, created_at, updated_at)
	SELECT named(seller, n), seller, 'Key ' || n, '', 1, true, n = 0, n = 0, '{tickets:list}', 'USER', 'user-1', now(), now() FROM of_each;
INSERT INTO api_keys (id, organization_id, name, hint, version, active, is_default, full_seller_access, permissions, created_by_type,
		created_by_id, created_at, updated_at)
	SELECT 'o' || n, CASE WHEN n % 50 > 0 THEN '$id' ELSE '$other' END, 'Key ' || n, '', 1, true, false, true, '{}', 'USER', '', now(), now()
	FROM generate_series(1, 1000) n;
INSERT INTO api_key_secrets SELECT sha256(id::bytea), id FROM api_keys;
INSERT INTO api_key_uses SELECT id, now() FROM api_keys;
INSERT INTO api_key_calls SELECT id, date_trunc('day', now()) - day * interval '1 day', 200, 5 FROM api_keys, generate_series(0, 6) day;
INSERT INTO api_key_needs SELECT id, permission, true, 5, now()
	FROM api_keys, unnest('{tickets:list,scans:list,customers:list}'::text[]) permission;
INSERT INTO webhooks (id, seller_id, name, url, enabled, event_types, created_by_type, created_by_id, created_at, updated_at)
	SELECT named(seller, n), seller, 'Webhook ' || n, 'https://' || n || '.example.org/', true, '{}', 'USER', '', now(), now() FROM of_each;
INSERT INTO audit_entries (id, at, seller_id, organization_id, actor_kind, actor_id, action, object, object_id, before, after, address,
		request_id)
	SELECT id, at, seller, CASE WHEN n % 2 = 0 THEN '$id' END, 'USER', 'user-' || n % 100, 'update', 'ticket', id, '{}', '{}', '', ''
	FROM many WHERE n < rows / 2;
INSERT INTO catalog_events (seller_id, id, name, name_folded, type, root_event_id, parent_event_id, starts_at, time_zone, skip_address_info,
		code_display, created_at, updated_at)
	SELECT seller, named(seller, n), 'Event ' || n, 'event ' || n, CASE WHEN n = 0 THEN 'ROOT' ELSE 'SINGLE' END,
		CASE WHEN n % 5 > 0 THEN named(seller, 0) END, CASE WHEN n % 5 > 0 THEN named(seller, 0) END, now(), 'UTC', false, 'QR', now(), now()
	FROM sizes, generate_series(0, CASE size WHEN 1 THEN 4 ELSE 49 END) n;
INSERT INTO ticket_types (seller_id, id, event_id, name, name_folded, price, currency, active, created_at, updated_at)
	SELECT seller, named(seller, n), named(seller, n % 5), 'Type ' || n, 'type ' || n, 10, 'EUR', true, now(), now()
	FROM sizes, generate_series(0, 2 * size - 1) n;
INSERT INTO customers (seller_id, id, email, email_folded, firstname, lastname, name_folded, created_at, updated_at)
	SELECT seller, customer, customer, customer, 'Zoë', 'Martin', 'zoë martin ' || n, at, at FROM many WHERE n < rows / 4;
INSERT INTO transactions (id, seller_id, event_id, status, tid, customer_id, currency, payment_status, origin, history_types, email_folded,
		search_folded, document, created_at, updated_at)
	SELECT id, seller, event, CASE WHEN n % 100 = 0 THEN 'CANCELED' ELSE 'COMPLETE' END, id, CASE WHEN n % 2 = 0 THEN customer END, 'EUR',
		'RECEIVED', 'yourticket', '{}', customer, 'zoë martin ' || n, json_build_object('_id', id, 'email', customer), at, at
	FROM many WHERE n < rows / 2;
INSERT INTO tickets (id, seller_id, event_id, root_event_id, ticket_type_id, customer_id, transaction_id, status, type, origin, currency,
		barcode, email_folded, search_folded, excluded_event_ids, document, created_at, updated_at, stored_at)
	SELECT id, seller, event, CASE WHEN n % 5 > 0 THEN named(seller, 0) END, type, CASE WHEN n % 2 = 0 THEN customer END, transaction,
		CASE WHEN n % 100 = 0 THEN 'INVALID' ELSE 'VALID' END, 'SINGLE', 'sale', 'EUR', id, customer, 'zoë martin ' || n, '{}',
		json_build_object('_id', id, 'email', customer, 'firstname', 'Zoë', 'lastname', 'Martin', 'meta', repeat('x', 300)), at, at, at
	FROM many;
INSERT INTO scan_zones (seller_id, id, name, name_folded, event_id, created_at, updated_at)
	SELECT seller, named(seller, n), 'Zone ' || n, 'zone ' || n, named(seller, n), now(), now() FROM sizes, generate_series(0, 4) n;
INSERT INTO scan_groups (id, seller_id, name, name_folded, scan_zone_id, created_at, updated_at)
	SELECT named(seller, n), seller, 'Group ' || n, 'group ' || n, named(seller, n), now(), now() FROM sizes, generate_series(0, 4) n;
INSERT INTO scan_group_events SELECT named(seller, n), seller, named(seller, n) FROM sizes, generate_series(0, 4) n;
INSERT INTO scan_group_ticket_types SELECT named(seller, n % 5), seller, named(seller, n) FROM sizes, generate_series(0, 2 * size - 1) n;
INSERT INTO devices (id, seller_id, name, name_folded, access_all_events, event_ids, active, scan_group_id, token_digest, hint, created_at,
		updated_at)
	SELECT id, seller, 'Device ' || n, 'device ' || n, false, ARRAY[named(seller, n % 5)], true, named(seller, n % 5), sha256(id::bytea), '',
		now(), now()
	FROM (SELECT seller, n, named(seller, n) AS id FROM sizes, generate_series(0, 19) n) d;
INSERT INTO device_events SELECT id, seller_id, unnest(event_ids) FROM devices;
INSERT INTO device_uses SELECT id, now() FROM devices;
INSERT INTO scans (id, seller_id, ticket_id, event_id, scan_zone_id, scan_group_id, device_id, client_id, barcode, ticket_type_id, type,
		result, reason, "time", offline, late, conflict, clock_ahead, created_at, updated_at)
	SELECT CASE WHEN n = 0 THEN id ELSE to_hex(extract(epoch FROM at)::bigint) || left(md5(seller), 8) || lpad(to_hex(n), 8, '0') END, seller,
		id, event, named(seller, n % 5), named(seller, n % 5), device, id, id, type, CASE WHEN n % 10 = 9 THEN 'checkout' ELSE 'checkin' END,
		CASE WHEN n % 50 = 7 THEN 'declined' ELSE 'approved' END, CASE WHEN n % 50 = 7 THEN 'USED' END, at, false, false, false, false, at, at
	FROM many;
INSERT INTO scan_passes SELECT id, seller_id, ticket_id, event_id, '', "time", 'IN'
	FROM scans WHERE result = 'approved' AND type = 'checkin';
INSERT INTO scan_places SELECT seller_id, ticket_id, event_id, '', 1, CASE WHEN type = 'checkin' THEN 1 ELSE 0 END, "time", "time"
	FROM scans WHERE result = 'approved' AND right(ticket_id, 1) IN ('1', '2', '5', '9');
INSERT INTO access_lists (id, seller_id, type, name, name_folded, created_at, updated_at)
	SELECT named(seller, n), seller, 'static', 'List ' || n, 'list ' || n, now(), now() FROM sizes, generate_series(0, 3) n;
INSERT INTO access_entries (id, list_id, seller_id, external_code, customer_id, email, email_folded, created_at, updated_at)
	SELECT id, named(seller, n % 4), seller, id, CASE WHEN n % 2 = 0 THEN customer END, customer, customer, at, at FROM many;
INSERT INTO entry_imports (id, list_id, seller_id, state, mode, preset, counts, samples, created_by_type, created_by_id, created_at)
	SELECT named(seller, n), named(seller, n % 4), seller, 'committed', 'merge', '', '{}', '{}', 'USER', '', now() FROM of_each;
INSERT INTO invoices (id, seller_id, transaction_id, number, kind, search_folded, document, issued_at)
	SELECT id, seller, id, n + 1, 'invoice', 'zoë martin ' || n, json_build_object('_id', id), at FROM many WHERE n < rows / 4;
INSERT INTO hand_overs (invoice_id, seller_id, state, attempts, delivered_at, created_at, updated_at)
	SELECT id, seller_id, CASE WHEN number % 1000 = 1 THEN 'failed' ELSE 'delivered' END, 1, issued_at, issued_at, issued_at FROM invoices;
INSERT INTO hand_over_attempts SELECT id, 1, false, '', issued_at, 15, 200, NULL, '', '', false FROM invoices;
INSERT INTO checkouts (id, seller_id, event_id, status, email_folded, search_folded, secret_digest, document, expires_at, created_at)
	SELECT id, seller, event, CASE WHEN n % 10 = 0 THEN 'NEW' ELSE 'COMPLETE' END, customer, 'zoë martin ' || n, '',
		json_build_object('_id', id, 'customerId', customer, 'transactionId', transaction), at, at FROM many WHERE n < rows / 4;
INSERT INTO purchase_intents (id, seller_id, event_id, status, customer_id, email_folded, search_folded, document, created_at)
	SELECT id, seller, event, CASE WHEN n % 10 = 0 THEN 'CREATED' ELSE 'COMPLETED' END, customer, customer, 'zoë martin ' || n,
		json_build_object('_id', id), at FROM many WHERE n < rows / 4;
INSERT INTO unknown_codes SELECT id, seller, device, event, id, 1, at, at FROM many WHERE n < rows / 40;
INSERT INTO events (id, seller_id, type, mode, head_version, data, object_id, created_at)
	SELECT uuid_at(at, seller, n), seller, 'ticket.updated', 'dev', 1, '{}', id, at FROM many;
INSERT INTO deliveries (id, event_id, webhook_id, seller_id, type, state, attempts, scheduled, outcome, next_attempt_at, delivered_at,
		failed_at, created_at, updated_at)
	SELECT uuid_at(at, seller, n), uuid_at(at, seller, n), webhook, seller,
		CASE WHEN n % 1000 = 5 THEN 'ticket.deleted' ELSE 'ticket.updated' END,
		state, 1, 1, CASE state WHEN 'delivered' THEN '200' ELSE '503' END, CASE state WHEN 'pending' THEN at END,
		CASE state WHEN 'delivered' THEN at END, CASE state WHEN 'failed' THEN at END, at, at
	FROM (SELECT *, CASE WHEN n % 200 = 0 THEN 'pending' WHEN n % 200 = 1 THEN 'failed' ELSE 'delivered' END AS state FROM many) d;
INSERT INTO attempts (delivery_id, number, webhook_id, by_hand, url, started_at, duration_ms, status, detail, response_body, body_truncated)
	SELECT id, 1, webhook_id, false, '', created_at, 15, outcome::int, '', '', false FROM deliveries;
INSERT INTO webhook_figures SELECT webhook_id, 'all', '', date_bin('5 minutes', created_at, '2000-01-01Z'), count(*), 0, 0, 0, 0, '{}'
	FROM deliveries GROUP BY 1, 4;
CREATE TABLE fed AS SELECT * FROM device_feed;
TRUNCATE device_feed;
INSERT INTO device_feed OVERRIDING SYSTEM VALUE SELECT id, seller_id, id, type, object_id, code, event_id, list_id, at FROM fed;
DROP TABLE fed;
INSERT INTO device_feed_heads SELECT seller_id, max(seq) FROM device_feed GROUP BY 1
	ON CONFLICT (seller_id) DO UPDATE SET seq = excluded.seq;
DROP VIEW many, of_each;
DROP TABLE sizes;
DROP FUNCTION named, uuid_at, made_at;
