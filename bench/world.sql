-- The data for questions, in steps that are committed one by one. It grows with $customers. Each customer has two transactions, four
-- tickets, eight scans, an event with eight deliveries, and eight entries of access lists. The largest of 100 sellers has
-- 28 % of all.

-- step: what the rest is derived from
-- A quasi-random fraction, evenly distributed and the same in each run.
CREATE FUNCTION made.fraction(n bigint, step double precision) RETURNS double precision LANGUAGE sql IMMUTABLE AS
	$$ SELECT n * step - floor(n * step) $$;
CREATE FUNCTION made.id(kind text, rank int, n int) RETURNS text LANGUAGE sql IMMUTABLE AS
	$$ SELECT '6a000000' || kind || lpad(rank::text, 6, '0') || lpad(n::text, 9, '0') $$;
CREATE FUNCTION made.id_of_time(kind text, at timestamptz, n bigint) RETURNS text LANGUAGE sql IMMUTABLE AS
	$$ SELECT lpad(to_hex(extract(epoch FROM at)::bigint), 8, '0') || kind || lpad(to_hex(n), 15, '0') $$;
CREATE FUNCTION made.uuid(at timestamptz, n bigint) RETURNS uuid LANGUAGE sql IMMUTABLE AS
	$$ SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(n % 4096), 3, '0') || '8' ||
		lpad(to_hex(n), 15, '0'))::uuid $$;
-- Devices, users and so on: twenty for each of the ten largest sellers, two for the others.
CREATE FUNCTION made.several(rank int) RETURNS int LANGUAGE sql IMMUTABLE AS $$ SELECT CASE WHEN rank <= 10 THEN 20 ELSE 2 END $$;
CREATE TABLE made.sellers AS SELECT rank, lpad(rank::text, 24, '0') AS id FROM generate_series(1, 100) rank;
CREATE TABLE made.customers AS
	SELECT c, rank, lpad(rank::text, 24, '0') AS seller, made.id_of_time('2', at, c) AS id, at, event_no, (event_no * 37) % 50 AS days_ago,
		made.id('e', rank, event_no) AS event, made.id('d', rank, c % made.several(rank)) AS device,
		(ARRAY['Ada','Zoë','Noah','Emma','Liam','Jules','Lina','Hugo','Alice','Paul'])[c % 10 + 1] AS firstname,
		(ARRAY['Ber','Mar','Le','Du','Ro','Gar','Mo','Lam','Fon','Gi'])[c / 10 % 10 + 1] || (ARRAY['nar','ti','na','ri','sa','be','la','go','ne','mi'])
			[c / 100 % 10 + 1] || (ARRAY['d','net','ne','eau','et','lin','ard','our','ier','ot'])[c / 1000 % 10 + 1] AS lastname,
		'guest' || c || '@example.org' AS email
	FROM (SELECT c, date_trunc('milliseconds', date_trunc('day', now()) - interval '400 days' + c * (interval '400 days' / $customers)) AS at,
			floor(power(101, power(made.fraction(c, 0.6180339887498949), 1.5)))::int AS rank,
			floor(power(51, made.fraction(c, 0.7548776662466927)))::int - 1 AS event_no
		FROM generate_series(0, $customers - 1) c) c;
CREATE UNIQUE INDEX ON made.customers (c);
CREATE INDEX ON made.customers (days_ago);
ANALYZE made.customers;

-- step: sellers and what they have few of
INSERT INTO organizations SELECT made.id('7', 0, n), 'Organization ' || n, now() FROM generate_series(0, 9) n;
INSERT INTO sellers (id, organization_id, name, country, webhooks, siren, created_at, updated_at)
	SELECT id, made.id('7', 0, rank / 11), 'Seller ' || rank, 'FR', true, false, now(), now() FROM made.sellers;
INSERT INTO users (id, email, email_folded, name, password_hash, created_at, updated_at)
	SELECT made.id('9', rank, n), 'user' || rank || '-' || n || '@example.org', 'user' || rank || '-' || n || '@example.org',
		'User ' || n, '', now(), now() FROM made.sellers, generate_series(0, made.several(rank) - 1) n;
INSERT INTO memberships (id, user_id, seller_id, role, created_at)
	SELECT made.id('9', rank, n), made.id('9', rank, n), id, 1 + n % 3, now()
	FROM made.sellers, generate_series(0, made.several(rank) - 1) n;
INSERT INTO catalog_events (seller_id, id, name, name_folded, type, starts_at, time_zone, skip_address_info, code_display, created_at, updated_at)
	SELECT id, made.id('e', rank, n), 'Evening ' || n, 'evening ' || n, 'SINGLE', date_trunc('day', now()) - (n * 37) % 50 * interval '1 day' +
		interval '20 hours', 'UTC', false, 'QR', now() - interval '400 days', now() FROM made.sellers, generate_series(0, 49) n;
INSERT INTO ticket_types (seller_id, id, event_id, name, name_folded, price, currency, active, created_at, updated_at)
	SELECT id, made.id('f', rank, n * 10 + i), made.id('e', rank, n), 'Category ' || i, 'category ' || i, 20 + i, 'EUR', true, now(), now()
	FROM made.sellers, generate_series(0, 49) n, generate_series(0, 4) i;
INSERT INTO scan_groups (id, seller_id, name, name_folded, scan_config, created_at, updated_at)
	SELECT made.id('c', rank, n), id, 'Gate ' || n, 'gate ' || n, json_build_object('mode', 'default', 'tapAndGo',
		'{"enabled":true}'::json, 'scanTypes', '{"checkin":true,"checkout":true}'::json, 'events', (SELECT json_agg(json_build_object('eventId', made.id('e', rank, e),
			'allowAllTicketTypes', true)) FROM generate_series(0, 49) e)), now(), now()
	FROM made.sellers, generate_series(0, 4) n;
INSERT INTO scan_group_events (scan_group_id, seller_id, event_id)
	SELECT made.id('c', rank, n), id, made.id('e', rank, e) FROM made.sellers, generate_series(0, 4) n, generate_series(0, 49) e;
INSERT INTO devices (id, seller_id, name, name_folded, access_all_events, event_ids, active, settings, scan_group_id, hint, created_at,
		updated_at)
	SELECT made.id('d', rank, n), id, 'Device ' || n, 'device ' || n, true, '{}', true,
		json_build_object('accessMode', 'full', 'scanGroupId', made.id('c', rank, n % 5)), made.id('c', rank, n % 5), '',
		now(), now()
	FROM made.sellers, generate_series(0, made.several(rank) - 1) n;
INSERT INTO device_uses SELECT id, now() FROM devices;
INSERT INTO access_lists (id, seller_id, type, name, name_folded, created_at, updated_at)
	SELECT made.id('a', rank, n), id, 'static', 'List ' || n, 'list ' || n, now(), now() FROM made.sellers, generate_series(0, 9) n;
INSERT INTO webhooks (id, seller_id, name, url, enabled, event_types, created_by_type, created_by_id, created_at, updated_at)
	SELECT made.id('b', rank, n), id, 'Webhook ' || n, 'https://listener.example.com/' || n, true, '{}', 'SYSTEM', '', now(), now()
	FROM made.sellers, generate_series(0, 7) n;
INSERT INTO api_keys (id, seller_id, name, hint, version, active, is_default, full_seller_access, permissions, created_by_type,
		created_by_id, created_at, updated_at)
	SELECT made.id('8', rank, n), id, 'Key ' || n, 'key_…', 1, true, false, n % 10 = 0, CASE n % 4 WHEN 1 THEN '{customers:list,tickets:list}'::text[]
		ELSE '{tickets:list}' END, 'USER', made.id('9', rank, n % made.several(rank)), now(), now()
	FROM made.sellers, generate_series(0, made.several(rank) - 1) n;
INSERT INTO api_key_uses SELECT id, now() FROM api_keys;
INSERT INTO api_key_needs SELECT id, 'customers:list', true, 1000, now() FROM api_keys;

-- step: customers
INSERT INTO customers (seller_id, id, email, email_folded, firstname, lastname, name_folded, phone, street, postal, city, country,
		created_at, updated_at)
	SELECT seller, id, email, email, firstname, lastname, lower(firstname || ' ' || lastname), '+33 1 23 45 67 89', c % 90 || ' rue de la Paix',
		'75002', 'Paris', 'FR', at, at FROM made.customers;

-- step: transactions
INSERT INTO transactions (id, seller_id, event_id, status, tid, customer_id, country, currency, payment_method, payment_status, origin,
		history_types, email_folded, search_folded, document, created_at, updated_at)
	SELECT t, seller, event, status, tid, id, 'FR', 'EUR', 'CREDITCARD', 'RECEIVED', 'onlinesale', '{}', email,
		tid || E'\n' || lower(firstname || ' ' || lastname) || E'\n\n\n' || email || E'\n',
		format('{"_id":"%s","sellerId":"%s","eventId":"%s","realPrice":49.5,"status":"%s","secret":"%s","tid":"%s","coupons":[],"customerId":"%s",'
			'"prename":"%s","lastname":"%s","email":"%s","street":"1 rue de la Paix","city":"Paris","country":"FR","postal":"75002",'
			'"tickets":[{"_id":"%s","ticketTypeId":"%s","name":"Category 0","amount":2,"price":24.75}],"currency":"EUR","regularPrice":49.5,'
			'"createdAt":"%s","updatedAt":"%s"}', t, seller, event, status, md5(tid), tid, id, firstname, lastname, email, t,
			made.id('f', rank, event_no * 10), said, said)::json, at, at
	FROM (SELECT made.id_of_time('3', at, 2 * c + j) AS t, 'TX-' || 2 * c + j AS tid, CASE (2 * c + j) % 20 WHEN 0 THEN 'CANCELED'
			WHEN 1 THEN 'ABORTED' ELSE 'COMPLETE' END AS status, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS said,
			seller, event, id, email, firstname, lastname, rank, event_no, at
		FROM made.customers, generate_series(0, 1) j) t;

-- step: tickets
INSERT INTO tickets (id, seller_id, event_id, ticket_type_id, customer_id, transaction_id, status, type, currency, barcode, email_folded,
		search_folded, excluded_event_ids, document, created_at, updated_at, stored_at)
	SELECT t, seller, event, kind, id, transaction, status, 'SINGLE', 'EUR', barcode, email,
		barcode || E'\n' || lower(firstname || ' ' || lastname) || E'\n\n\n' || email || E'\n', '{}',
		format('{"_id":"%s","sellerId":"%s","eventId":"%s","ticketTypeId":"%s","ticketName":"Category %s","createdAt":"%s","updatedAt":"%s",'
			'"status":"%s","secret":"%s","barcode":"%s","email":"%s","firstname":"%s","lastname":"%s","street":"1 rue de la Paix","city":"Paris",'
			'"postal":"75002","country":"FR","transactionId":"%s","customerId":"%s","currency":"EUR","realPrice":24.75,"type":"SINGLE"}',
			t, seller, event, kind, i, said, said, status, barcode, barcode, email, firstname, lastname, transaction, id)::json, at, at, at
	FROM (SELECT made.id_of_time('1', at, 4 * c + i) AS t, made.id_of_time('3', at, 2 * c + i / 2) AS transaction,
			made.id('f', rank, event_no * 10 + (c + i) % 5) AS kind, (c + i) % 5 AS i, CASE (2 * c + i / 2) % 20 WHEN 0 THEN 'INVALID'
			ELSE 'VALID' END AS status, substr(md5((4 * c + i)::text), 1, 20) AS barcode,
			to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS said, seller, event, id, email, firstname, lastname, at
		FROM made.customers, generate_series(0, 3) i) t;

-- step: invoices
INSERT INTO invoices (id, seller_id, transaction_id, number, kind, search_folded, document, issued_at)
	SELECT invoice, seller, transaction, number, kind, number || E'\n' || tid || E'\n' || lower(firstname || ' ' || lastname) || E'\n' || email,
		format('{"_id":"%s","number":%s,"sellerId":"%s","transactionId":"%s","tid":"%s","kind":"%s",%s"issuedAt":"%s","currency":"EUR",'
			'"seller":{"name":"Seller %s","country":"FR"},"buyer":{"customerId":"%s","prename":"%s","lastname":"%s","email":"%s","country":"FR"},'
			'"items":[{"type":"ticket","name":"Category 0","amount":2,"price":24.75,"total":49.5,"taxRate":10}],'
			'"taxes":[{"rate":10,"net":45,"tax":4.5,"gross":49.5}],"netTotal":45,"taxTotal":4.5,"total":49.5}', invoice, number, seller, transaction,
			tid, kind, CASE kind WHEN 'cancellation' THEN format('"cancels":{"invoiceId":"%s","number":%s},', made.id_of_time('4', at, n * 2),
			number - 1) ELSE '' END, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), rank, id, firstname, lastname, email)::json, at
	FROM (SELECT made.id_of_time('4', at, n * 2 + k) AS invoice, row_number() OVER (PARTITION BY seller ORDER BY n, k) AS number,
			made.id_of_time('3', at, n) AS transaction, 'TX-' || n AS tid, CASE k WHEN 0 THEN 'invoice' ELSE 'cancellation' END AS kind, i.*
		FROM (SELECT 2 * c + j AS n, c.* FROM made.customers c, generate_series(0, 1) j) i,
			generate_series(0, CASE n % 20 WHEN 0 THEN 1 WHEN 1 THEN -1 ELSE 0 END) k) i;
INSERT INTO invoice_counters SELECT seller_id, max(number), max(issued_at) FROM invoices GROUP BY seller_id;

-- step: entries
INSERT INTO access_entries (id, list_id, seller_id, external_code, customer_id, firstname, lastname, email, email_folded, created_at, updated_at)
	SELECT made.id_of_time('6', at, 8 * c + i), made.id('a', rank, (c + i) % 10), seller, 'CARD-' || 8 * c + i,
		CASE i WHEN 0 THEN id ELSE 'unknown-' || 8 * c + i END, firstname, lastname, email, email, at, at
	FROM made.customers, generate_series(0, 7) i;

-- step: who is inside
INSERT INTO scan_places (seller_id, ticket_id, event_id, zone_id, checkins, inside, first_checkin_at, last_at)
	SELECT seller, made.id_of_time('1', at, 4 * c + i), event, '', 1, (4 * c + i) % 2, moment, moment
	FROM (SELECT c.*, date_trunc('day', now()) - days_ago * interval '1 day' + interval '6 hours' AS moment FROM made.customers c) c,
		generate_series(0, 3) i WHERE (4 * c + i) % 5 <> 0;

-- step: audit entries
INSERT INTO audit_entries (id, at, seller_id, organization_id, actor_kind, actor_id, action, object, object_id, before, after, address, request_id)
	SELECT made.id_of_time('0', changed, c), changed, seller, NULL, 'USER', made.id('9', rank, c % made.several(rank)),
		CASE c % 3 WHEN 0 THEN 'updateEvent' WHEN 1 THEN 'updateTicketType' ELSE 'updateAccessUser' END,
		CASE c % 3 WHEN 0 THEN 'event' WHEN 1 THEN 'ticketType' ELSE 'accessUser' END,
		CASE c % 3 WHEN 0 THEN event WHEN 1 THEN made.id('f', rank, event_no * 10) ELSE device END,
		'{"name": "Old name"}', '{"name": "New name"}', '192.0.2.1', made.uuid(changed, c)::text
	FROM (SELECT c.*, at + 400 * (now() - date_trunc('day', now())) / 400 AS changed FROM made.customers c) c;

-- step: scans
DO $$ DECLARE day date; name text; ago int; BEGIN
	-- As many days as the product keeps, with scans in the last 50 of them.
	FOR ago IN REVERSE $days - 1 .. 0 LOOP
		day := (now() AT TIME ZONE 'UTC')::date - ago;
		name := 'scans_' || to_char(day, 'YYYYMMDD');
		IF to_regclass(name) IS NULL THEN
			EXECUTE format('CREATE TABLE %I (LIKE scans INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', name);
			EXECUTE format('ALTER TABLE %I OWNER TO ticketgate_owner', name);
		END IF;
		EXECUTE format('INSERT INTO %I (id, seller_id, ticket_id, event_id, scan_group_id, device_id, device_name, barcode, name, ticket_type_id,
				ticket_name, type, result, reason, time, offline, late, conflict, clock_ahead, created_at, updated_at)
			SELECT made.id_of_time(''5'', moment, 4 * n + j), seller, made.id_of_time(''1'', at, n), event, made.id(''c'', rank, c %% made.several(rank) %% 5),
				device, ''Device '' || c %% made.several(rank), substr(md5(n::text), 1, 20), firstname || '' '' || lastname,
				made.id(''f'', rank, event_no * 10 + (n - 3 * c) %% 5), ''Category '' || (n - 3 * c) %% 5, CASE WHEN j = 1 AND n %% 2 = 0 THEN ''checkout'' ELSE ''checkin'' END,
				CASE WHEN j = 0 OR j = 1 AND n %% 2 = 0 THEN ''approved'' ELSE ''declined'' END,
				CASE WHEN j = 0 OR j = 1 AND n %% 2 = 0 THEN NULL ELSE ''ALREADY_CHECKED_IN'' END, moment, false, false, false, false, moment, moment
			FROM (SELECT c.*, 4 * c + i AS n, j, %L::date AT TIME ZONE ''UTC'' + interval ''6 hours'' + made.fraction(c, 0.3247179572) * interval ''10 hours''
					+ j * interval ''30 minutes'' AS moment
				FROM made.customers c, generate_series(0, 3) i, generate_series(0, (ARRAY[-1, 2, 2, 1, 1])[(4 * c + i) %% 5 + 1]) j WHERE days_ago = %s) s
			ORDER BY moment',
			name, day, ago);
		IF NOT (SELECT relispartition FROM pg_class WHERE oid = name::regclass) THEN
			EXECUTE format('ALTER TABLE scans ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', name,
				lpad(to_hex(extract(epoch FROM day::timestamp AT TIME ZONE 'UTC')::bigint), 8, '0') || '0000000000000000',
				lpad(to_hex(extract(epoch FROM (day + 1)::timestamp AT TIME ZONE 'UTC')::bigint), 8, '0') || '0000000000000000');
		END IF;
	END LOOP;
END $$;

-- step: deliveries
DO $$ DECLARE day date; ago int; first timestamptz := date_trunc('day', now(), 'UTC') - interval '29 days'; part text; suffix text; BEGIN
	FOR ago IN REVERSE 29 .. 0 LOOP
		day := (now() AT TIME ZONE 'UTC')::date - ago;
		suffix := to_char(day, '_YYYYMMDD');
		FOREACH part IN ARRAY ARRAY['events', 'deliveries', 'attempts', 'webhook_figures'] LOOP
			IF to_regclass(part || suffix) IS NULL THEN
				EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', part || suffix, part);
				EXECUTE format('ALTER TABLE %I OWNER TO ticketgate_owner', part || suffix);
			END IF;
		END LOOP;
		CREATE TEMPORARY TABLE made_events ON COMMIT DROP AS
			SELECT *, made.uuid(moment, c) AS event_uuid FROM (SELECT c.*, made.id_of_time('1', at, 4 * c) AS ticket,
				date_trunc('milliseconds', first + c * ((now() - first) / $customers)) AS moment FROM made.customers c) c
			WHERE c >= floor(extract(epoch FROM day::timestamp AT TIME ZONE 'UTC' - first) * $customers / extract(epoch FROM now() - first))::bigint - 1
				AND c <= ceil(extract(epoch FROM (day + 1)::timestamp AT TIME ZONE 'UTC' - first) * $customers / extract(epoch FROM now() - first))::bigint + 1
				AND moment >= day::timestamp AT TIME ZONE 'UTC' AND moment < (day + 1)::timestamp AT TIME ZONE 'UTC';
		CREATE TEMPORARY TABLE made_deliveries ON COMMIT DROP AS
			SELECT made.uuid(moment, 8 * c + i) AS id, event_uuid, made.id('b', rank, i) AS webhook, seller, rank, moment,
				CASE WHEN made.fraction(8 * c + i, 0.5698402909980532) < 0.001 THEN 'failed' ELSE 'delivered' END AS state
			FROM made_events, generate_series(0, 7) i;
		EXECUTE format('INSERT INTO %I (id, seller_id, type, mode, head_version, data, created_at, object_id)
			SELECT event_uuid, seller, ''ticket.updated'', ''dev'', 1, convert_to(format(''{"ticket":{"_id":"%%s","sellerId":"%%s","eventId":"%%s",'
				'"ticketName":"Category 0","status":"VALID","email":"%%s","firstname":"%%s","lastname":"%%s","city":"Paris","country":"FR","customerId":"%%s",'
				'"currency":"EUR","realPrice":24.75,"type":"SINGLE"}}'', ticket, seller, event, email, firstname, lastname, id), ''UTF8''), moment, ticket FROM made_events',
			'events' || suffix);
		EXECUTE format('INSERT INTO %I (id, event_id, webhook_id, seller_id, type, state, attempts, scheduled, delivered_at, created_at, updated_at,
				outcome, failed_at)
			SELECT id, event_uuid, webhook, seller, ''ticket.updated'', state, CASE state WHEN ''failed'' THEN 3 ELSE 1 END, 1,
				CASE state WHEN ''delivered'' THEN moment END, moment, moment, CASE state WHEN ''failed'' THEN 503 ELSE 200 END,
				CASE state WHEN ''failed'' THEN moment + interval ''10 minutes'' END FROM made_deliveries', 'deliveries' || suffix);
		EXECUTE format('INSERT INTO %I (delivery_id, number, webhook_id, by_hand, url, started_at, duration_ms, status, detail, response_body, body_truncated)
			SELECT id, n, webhook, false, ''https://listener.example.com/'', moment + (n - 1) * interval ''5 minutes'', 15,
				CASE state WHEN ''failed'' THEN 503 ELSE 200 END, '''', ''{"ok":true}'', false
			FROM made_deliveries, generate_series(1, CASE state WHEN ''failed'' THEN 3 ELSE 1 END) n', 'attempts' || suffix);
		EXECUTE format('INSERT INTO %I (webhook_id, part, value, at, calls, succeeded, delivered, failed, milliseconds, times)
			SELECT webhook, part, value, slot, count(*), sum((state = ''delivered'')::int), sum((state = ''delivered'')::int), sum((state = ''failed'')::int),
				15 * count(*), CASE part WHEN ''all'' THEN array_fill(0, ARRAY[15]) || count(*)::int ELSE ''{}'' END
			FROM made_deliveries, date_bin(''5 minutes'', moment, ''2000-01-01Z'') slot, (VALUES (''all''), (''type''), (''outcome'')) p (part),
				LATERAL (SELECT CASE part WHEN ''all'' THEN '''' WHEN ''type'' THEN ''ticket.updated'' WHEN ''outcome'' THEN
					CASE state WHEN ''failed'' THEN ''503'' ELSE ''200'' END END AS value) v
			WHERE rank <= 10 GROUP BY webhook, part, value, slot', 'webhook_figures' || suffix);
		DROP TABLE made_events, made_deliveries;
		FOREACH part IN ARRAY ARRAY['events', 'deliveries', 'attempts', 'webhook_figures'] LOOP
			IF NOT (SELECT relispartition FROM pg_class WHERE oid = (part || suffix)::regclass) THEN
				EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', part, part || suffix,
					CASE part WHEN 'webhook_figures' THEN day::timestamp AT TIME ZONE 'UTC' || '' ELSE rpad(lpad(to_hex((extract(epoch FROM
						day::timestamp AT TIME ZONE 'UTC') * 1000)::bigint), 12, '0'), 32, '0') END,
					CASE part WHEN 'webhook_figures' THEN (day + 1)::timestamp AT TIME ZONE 'UTC' || '' ELSE rpad(lpad(to_hex((extract(epoch FROM
						(day + 1)::timestamp AT TIME ZONE 'UTC') * 1000)::bigint), 12, '0'), 32, '0') END);
			END IF;
		END LOOP;
	END LOOP;
END $$;
