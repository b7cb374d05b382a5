package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	// scansPerSecond is the maximum number of tickets that are scanned per second of a measurement.
	scansPerSecond = 4000
	// repeatedScan is the interval of scans that repeat the previous ticket at nearly the same time.
	repeatedScan = 20
	// manySellers is the number of sellers that scan or sell at the same time. The other case is a single seller.
	manySellers = 10
	// manyConnections is the number of devices that scan at the same time.
	manyConnections = 64
	// scanPace is the number of scans per second when their time is measured. scanLimit is the limit of its 99th
	// percentile in milliseconds.
	scanPace  = 1000
	scanLimit = 15
)

// gates is the program with several sellers, each with a device and tickets.
type gates struct {
	*rig
	p       *process
	sellers []seller
	next    int // the number of the next ticket
}

// openGates starts the program and seeds the sellers.
func (r *rig) openGates(ctx context.Context) (*gates, error) {
	p, err := r.serve(ctx, r.environment(), "--no-workers")
	if err != nil {
		return nil, err
	}
	sellers, err := r.seedMany(ctx, manySellers)
	if err != nil {
		return nil, err
	}
	return &gates{rig: r, p: p.settled(sellers[0]), sellers: sellers, next: 1}, nil
}

// seedMany seeds a number of sellers.
func (r *rig) seedMany(ctx context.Context, count int) ([]seller, error) {
	var all []seller
	for len(all) < count {
		if _, err := r.seed(ctx); err != nil {
			return nil, err
		}
		all = append(all, r.sellers...)
	}
	return all[:count], nil
}

// scan measures scans of ten sellers by 64 devices. The baseline is the smallest set of statements that decides and
// records a scan.
func scan(ctx context.Context, r *rig) (subject, error) {
	g, err := r.openGates(ctx)
	if err != nil {
		return subject{}, err
	}
	baseline, err := g.pgbench()
	if err != nil {
		return subject{}, err
	}
	sellers := g.sellers[:1]
	prepared := subject{
		measure: g.scanning(g.sellers, manyConnections), baseline: baseline,
		against: "pgbench -M prepared running the smallest statements that decide and record, 16 clients",
		remark:  "exactly one approval per ticket, event and zone; every 20th scan repeats the one before",
		more: []comparison{
			{"the same at 16 gates", g.scanning(g.sellers, connections)},
			{"one seller, 64 gates", g.scanning(sellers, manyConnections)},
			{"one seller, 16 gates", g.scanning(sellers, connections)},
		},
	}
	_, err = prepared.measure(ctx, warmUp)
	return prepared, err
}

// scanPaced measures the times of scans at a fixed rate, from when each was due.
func scanPaced(ctx context.Context, r *rig) (subject, error) {
	g, err := r.openGates(ctx)
	if err != nil {
		return subject{}, err
	}
	measure := func(ctx context.Context, d time.Duration) (figure, error) {
		return g.scanned(ctx, g.sellers, int(scanPace*d.Seconds()), func(ctx context.Context, requests load) (figure, error) {
			return scheduled(ctx, requests.address, scanPace, manyConnections, d,
				func(_ context.Context, c *client, number int) error { return requests.one(c, number) })
		})
	}
	if _, err := measure(ctx, warmUp); err != nil {
		return subject{}, err
	}
	return subject{
		measure: func(ctx context.Context, d time.Duration) (figure, error) {
			f, err := measure(ctx, d)
			f.value = inMilliseconds(f.p99)
			return f, err
		},
		baseline: atMost(scanLimit), against: "the limit",
	}, nil
}

// scanning returns a measurement of scans of new tickets, by one device per connection.
func (g *gates) scanning(sellers []seller, connections int) measurement {
	return func(ctx context.Context, d time.Duration) (figure, error) {
		count := int(scansPerSecond * d.Seconds())
		return g.scanned(ctx, sellers, count, func(ctx context.Context, requests load) (figure, error) {
			requests.connections = connections
			return requests.run(ctx, d)
		})
	}
}

// scanned makes a number of scans of new tickets and measures them. It is an error if a ticket is not admitted exactly
// once.
func (g *gates) scanned(
	ctx context.Context, sellers []seller, count int, send func(context.Context, load) (figure, error),
) (figure, error) {
	first, err := g.stock(ctx, sellers, count)
	if err != nil {
		return figure{}, err
	}
	var granted atomic.Int64
	requests := load{
		address: api{url: g.p.url}.address(), limit: count, request: g.attempts(sellers, first),
		accept: func(status int, body []byte) error {
			switch {
			case status == http.StatusOK && bytes.Contains(body, []byte(`"access":"GRANTED"`)):
				granted.Add(1)
				return nil
			case status == http.StatusOK && bytes.Contains(body, []byte(`"reason":"ALREADY_CHECKED_IN"`)):
				return nil
			}
			return fmt.Errorf("status %d: %s", status, body)
		},
	}
	f, err := g.costing(g.p, func(ctx context.Context, _ time.Duration) (figure, error) { return send(ctx, requests) })(ctx, 0)
	if err != nil {
		return f, err
	}
	wanted := f.count - f.count/repeatedScan
	if granted.Load() != int64(wanted) {
		return f, fmt.Errorf("%d tickets should be granted, %d were", wanted, granted.Load())
	}
	return f, g.approvedOnce(ctx, first, count, wanted)
}

// attempts returns the scan requests. The first is for the ticket with number first.
func (g *gates) attempts(sellers []seller, first int) func(number int) []byte {
	templates := make([]*numbered, len(sellers))
	for i, s := range sellers {
		templates[i] = newNumbered(g.p.asDevice(s).request(http.MethodPost, "/api/accessusers/tickets/"+numberMark+"/scan", nil))
	}
	return func(number int) []byte {
		ticket := first + number - 1
		if number%repeatedScan == 0 {
			ticket--
		}
		return templates[ticket%len(sellers)].at(int64(ticket))
	}
}

// moreTickets inserts copies of a seller's seeded ticket. Triggers and foreign keys are off, as if the tickets had been
// sold long ago.
const moreTickets = `INSERT INTO tickets (id, seller_id, event_id, root_event_id, ticket_type_id, status, type, origin, currency, barcode,
		search_folded, excluded_event_ids, document, created_at, updated_at)
	SELECT made.id, t.seller_id, t.event_id, t.root_event_id, t.ticket_type_id, t.status, t.type, t.origin, t.currency, made.barcode,
		made.barcode, t.excluded_event_ids, replace(replace(t.document::text, t.id, made.id), t.barcode, made.barcode)::json,
		t.created_at, t.updated_at
	FROM tickets t, (SELECT lpad(to_hex(n), 24, '0') AS id, 'NUMBER-' || lpad(n::text, 8, '0') AS barcode
		FROM generate_series(@first::bigint, @last::bigint, @step::bigint) n) made
	WHERE t.seller_id = @seller AND t.barcode = @barcode`

// stock creates tickets for the sellers in turn, and returns the number of the first ticket.
func (g *gates) stock(ctx context.Context, sellers []seller, count int) (first int, err error) {
	// The number determines the seller of a ticket.
	first = (g.next + len(sellers) - 1) / len(sellers) * len(sellers)
	g.next = first + count
	err = g.cluster.connected(ctx, g.cluster.url("postgres", g.name), func(conn *pgx.Conn) error {
		if _, err := conn.Exec(ctx, "SET session_replication_role = replica"); err != nil {
			return err
		}
		for i, s := range sellers {
			_, err := conn.Exec(ctx, moreTickets, pgx.NamedArgs{
				"first": first + i, "last": g.next - 1, "step": len(sellers), "seller": s.ID, "barcode": s.Barcode,
			})
			if err != nil {
				return err
			}
		}
		_, err := conn.Exec(ctx, "ANALYZE tickets, scans, scan_places")
		return err
	})
	return first, err
}

// approvedOnce returns an error unless the log has approvals for exactly the wanted number of tickets, one for each.
func (g *gates) approvedOnce(ctx context.Context, first, count, wanted int) error {
	own := *g.cluster
	own.superuser = g.cluster.url("postgres", g.name)
	var approvals, tickets int
	query := fmt.Sprintf(`SELECT count(*), count(DISTINCT (seller_id, ticket_id, event_id, coalesce(scan_zone_id, '')))
		FROM scans WHERE result = 'approved' AND barcode BETWEEN 'NUMBER-%08d' AND 'NUMBER-%08d'`, first, first+count-1)
	err := own.row(ctx, query, &approvals, &tickets)
	if err == nil && (approvals != wanted || tickets != wanted) {
		err = fmt.Errorf("%d tickets were admitted, by %d approvals of %d tickets", wanted, approvals, tickets)
	}
	return err
}

// minScan is the smallest statement that decides and records a scan. The row of the ticket's place serves as the
// lock.
const minScan = `WITH place AS (
	INSERT INTO scan_places AS p (seller_id, ticket_id, event_id, zone_id, checkins, inside, first_checkin_at, last_at)
	VALUES (:seller, :ticket, :event, '', 1, 1, now(), now())
	ON CONFLICT (seller_id, ticket_id, event_id, zone_id) DO UPDATE SET checkins = 1, inside = 1, first_checkin_at = now(), last_at = now()
	WHERE p.checkins = 0 RETURNING 1)
INSERT INTO scans (id, seller_id, ticket_id, event_id, barcode, type, result, time, offline, late, conflict, clock_ahead,
	created_at, updated_at)
SELECT lpad(to_hex(extract(epoch FROM now())::bigint), 8, '0') || lpad(to_hex(:n::bigint), 16, '0'), :seller, :ticket, :event,
	'NUMBER-' || lpad(:n::text, 8, '0'), 'checkin', CASE WHEN EXISTS (SELECT FROM place) THEN 'approved' ELSE 'declined' END, now(),
	false, false, false, false, now(), now();
`

// pgbench returns a measurement of the smallest statements for a scan: read the ticket, decide, record.
func (g *gates) pgbench() (measurement, error) {
	p, err := g.newPgbench([]statement{{text: "SELECT 1"}})
	if err != nil {
		return nil, err
	}
	var script strings.Builder
	fmt.Fprintf(&script, "\\set i :i + 1\n\\set n :first + :client_id * :each + :i - 1\n\\set s :n %% %d\n", len(g.sellers))
	word := "if"
	for i, s := range g.sellers {
		fmt.Fprintf(&script, "\\%s :s = %d\nSELECT id AS ticket, seller_id AS seller, event_id AS event, status, document FROM tickets\n"+
			"WHERE seller_id = '%s' AND barcode = 'NUMBER-' || lpad(:n::text, 8, '0') \\gset\n", word, i, s.ID)
		word = "elif"
	}
	script.WriteString("\\endif\n" + minScan)
	if err := os.WriteFile(p.script, []byte(script.String()), 0o600); err != nil {
		return nil, err
	}
	return func(ctx context.Context, d time.Duration) (figure, error) {
		each := int(scansPerSecond*d.Seconds()) / connections
		first, err := g.stock(ctx, g.sellers, each*connections)
		if err != nil {
			return figure{}, err
		}
		p.variables = []string{"i=0", fmt.Sprintf("first=%d", first), fmt.Sprintf("each=%d", each)}
		f, err := g.costing(nil, func(ctx context.Context, _ time.Duration) (figure, error) {
			return p.execute(ctx, "-t", strconv.Itoa(each))
		})(ctx, d)
		return f, errors.Join(err, g.approvedOnce(ctx, first, each*connections, each*connections))
	}, nil
}
