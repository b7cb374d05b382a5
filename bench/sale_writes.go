package main

import (
	"context"
	"fmt"
	"os"
	"time"
)

// saleTemplates create a table with a completed checkout of each seller. saleScript writes its rows again with other
// ids.
var saleTemplates = []string{
	"DROP TABLE IF EXISTS bench_sales",
	`CREATE TABLE bench_sales AS SELECT row_number() OVER (ORDER BY s.seller_id) - 1 AS n, s.seller_id, s.event_id, t.ticket_type_id,
			s.history_types, s.search_folded AS sale_search, s.document AS sale, t.search_folded AS ticket_search, t.document AS ticket,
			i.search_folded AS invoice_search, i.document AS invoice, sold.data AS sold, made.data AS made
		FROM (SELECT DISTINCT ON (seller_id) * FROM transactions ORDER BY seller_id) s
		JOIN LATERAL (SELECT * FROM tickets WHERE seller_id = s.seller_id AND transaction_id = s.id LIMIT 1) t ON true
		JOIN invoices i ON i.seller_id = s.seller_id AND i.transaction_id = s.id
		JOIN LATERAL (SELECT data FROM events WHERE seller_id = s.seller_id AND object_id = s.id LIMIT 1) sold ON true
		JOIN LATERAL (SELECT data FROM events WHERE seller_id = s.seller_id AND object_id = t.id LIMIT 1) made ON true`,
	"ALTER TABLE bench_sales ADD PRIMARY KEY (n)",
	"GRANT SELECT ON bench_sales TO PUBLIC",
	"ANALYZE",
}

// saleScript writes the rows of one sale: the transaction, its tickets, their events, the two events of the
// transaction, the invoice and its number. The number comes last, so that other sales of the seller wait only for the
// commit.
const saleScript = `\set i :i + 1
\set n (:run * 100 + :client_id) * 1000000 + :i
\set s :i %% %[1]d
BEGIN;
INSERT INTO transactions (id, seller_id, event_id, status, tid, currency, origin, history_types, search_folded, document,
	created_at, updated_at)
SELECT lpad(to_hex(:n::bigint * 8), 24, '0'), seller_id, event_id, 'COMPLETE', 'T-' || :n::bigint, 'EUR', 'yourticket', history_types,
	sale_search, sale, now(), now() FROM bench_sales WHERE n = :s;
INSERT INTO tickets (id, seller_id, event_id, ticket_type_id, transaction_id, status, type, origin, currency, barcode, search_folded,
	excluded_event_ids, document, created_at, updated_at)
SELECT lpad(to_hex(:n::bigint * 8 + k), 24, '0'), seller_id, event_id, ticket_type_id, lpad(to_hex(:n::bigint * 8), 24, '0'), 'VALID',
	'SINGLE', 'yourticket', 'EUR', 'BENCH-' || :n::bigint * 8 + k, ticket_search, '{}', ticket, now(), now()
FROM bench_sales, generate_series(1, %[2]d) k WHERE n = :s;
INSERT INTO events (id, seller_id, type, mode, head_version, data, object_id, created_at)
SELECT (lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint), 12, '0') || '70008' || lpad(to_hex(:n::bigint * 8 + k), 15, '0'))::uuid,
	seller_id, CASE WHEN k > %[2]d THEN 'transaction.complete' ELSE 'ticket.created' END, 'dev', 1,
	CASE WHEN k > %[2]d THEN sold ELSE made END, lpad(to_hex(:n::bigint * 8 + k), 24, '0'), now()
FROM bench_sales, generate_series(1, %[2]d + 2) k WHERE n = :s;
WITH counter AS (UPDATE invoice_counters SET last = last + 1, issued_at = now()
	WHERE seller_id = (SELECT seller_id FROM bench_sales WHERE n = :s) RETURNING last)
INSERT INTO invoices (id, seller_id, transaction_id, number, kind, search_folded, document, issued_at)
SELECT lpad(to_hex(:n::bigint * 8), 24, '0'), seller_id, lpad(to_hex(:n::bigint * 8), 24, '0'), counter.last, 'invoice', invoice_search,
	invoice, now() FROM counter, bench_sales WHERE n = :s;
COMMIT;
`

// saleWrites returns a measurement of pgbench writing sales of sellers with a completed checkout each.
func (r *rig) saleWrites(ctx context.Context, sellers int) (measurement, error) {
	for _, statement := range saleTemplates {
		if err := r.cluster.execute(ctx, r.name, statement); err != nil {
			return nil, fmt.Errorf("%.60s: %w", statement, err)
		}
	}
	p, err := r.newPgbench([]statement{{text: "SELECT 1"}})
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(p.script, fmt.Appendf(nil, saleScript, sellers, ticketsPerCheckout), 0o600); err != nil {
		return nil, err
	}
	run := 0
	return func(ctx context.Context, d time.Duration) (figure, error) {
		run++
		p.variables = []string{fmt.Sprintf("run=%d", run), "i=0"}
		return r.costingPgbench(p)(ctx, d)
	}, nil
}
