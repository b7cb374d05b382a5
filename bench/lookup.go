package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"strings"
)

// The numbers of entries with which lookups are measured. A lookup must cost the same with each of them.
const (
	smallLookup = 10_000
	usualLookup = 100_000
	fullLookup  = 10_000_000
)

// lookups is the program on a database with a given number of entries.
type lookups struct {
	*rig
	p       *process
	entries int
	size    string // the size of the tables
}

// lookup measures looking up tickets by random codes of all sellers. The baseline is pgbench with the same statement.
func lookup(entries int) func(context.Context, *rig) (subject, error) {
	return func(ctx context.Context, r *rig) (subject, error) {
		l, err := r.lookups(ctx, entries)
		if err != nil {
			return subject{}, err
		}
		return l.besidePgbench(ctx)
	}
}

// flatLookup measures lookups among many and among few entries in turns, to show whether their number affects the cost.
func flatLookup(entries int) func(context.Context, *rig) (subject, error) {
	return func(ctx context.Context, r *rig) (subject, error) {
		few, err := r.lookups(ctx, smallLookup)
		if err != nil {
			return subject{}, err
		}
		many, err := r.lookups(ctx, entries)
		if err != nil {
			return subject{}, err
		}
		baseline, err := few.requests(ctx, few.p)
		if err != nil {
			return subject{}, err
		}
		measure, err := many.requests(ctx, many.p)
		return subject{
			measure: measure, baseline: baseline, against: fmt.Sprintf("the same among %d entries", smallLookup),
			remark: "flat means a ratio of at least 1 / 1.3 = 0.77",
		}, err
	}
}

// lookups starts the program on a database with that number of entries, next to the rig's. It loads the database unless
// it exists.
func (r *rig) lookups(ctx context.Context, entries int) (*lookups, error) {
	r, err := r.sibling(ctx, fmt.Sprintf("_%d", entries))
	if err != nil {
		return nil, err
	}
	// The program creates the schema. The data is loaded before anything is read, so that no plan is made for empty
	// tables.
	p, err := r.serve(ctx, r.environment(), "--no-workers")
	if err != nil {
		return nil, err
	}
	size, err := r.loadLookups(ctx, entries)
	return &lookups{r, p, entries, size}, err
}

// codes returns the number of codes per seller.
func (l *lookups) codes() int { return l.entries / lookupSellers }

// besidePgbench prepares the measurement. Its baseline is the statement of a lookup, as observed.
func (l *lookups) besidePgbench(ctx context.Context) (subject, error) {
	seen, err := l.observe(ctx, seller{}, func(as api) []byte { return lookupRequest(as.url, 0, 0) })
	if err != nil {
		return subject{}, err
	}
	if len(seen) != 1 || len(seen[0].arguments) != 3 {
		return subject{}, fmt.Errorf("a lookup executes %d statements, want 1: %v", len(seen), seen)
	}
	plan, err := l.planned(ctx, seen[0])
	if err != nil {
		return subject{}, err
	}
	baseline, err := l.pgbench(seen)
	if err != nil {
		return subject{}, err
	}
	measure, err := l.requests(ctx, l.p)
	if err != nil {
		return subject{}, err
	}
	bare, err := l.bare(ctx)
	return subject{
		measure: measure, baseline: bare, against: ofBare + " with the smallest statement",
		more: []comparison{{"pgbench -M prepared running the same SQL with random codes", l.costingPgbench(baseline)}},
		remark: fmt.Sprintf("1 SQL statement each, %s; %d sellers, %d lists, %d entries, %d tickets: %s in the system's cache",
			plan, lookupSellers, lookupSellers*listsPerSeller, l.entries, l.entries/2, l.size),
	}, err
}

// bare returns the measurement of the bare server, after checking that its response is the same.
func (l *lookups) bare(ctx context.Context) (measurement, error) {
	server, err := l.bareServer(ctx)
	if err != nil {
		return nil, err
	}
	var answers [2][]byte
	for i, url := range []string{l.p.url, server.url} {
		if answers[i], err = (api{url: url}).call(ctx, http.StatusOK, lookupRequest(url, 1, 2)); err != nil {
			return nil, err
		}
	}
	if err := sameFields(answers[0], answers[1]); err != nil {
		return nil, err
	}
	return l.requests(ctx, server)
}

// requests returns a warmed-up measurement of lookups by a server.
func (l *lookups) requests(ctx context.Context, p *process) (measurement, error) {
	requests := load{
		address: api{url: p.url}.address(), connections: connections, accept: ticketsAlone,
		request: func(int) []byte {
			return lookupRequest(p.url, rand.IntN(lookupSellers), 2*rand.IntN(l.codes()/2))
		},
	}
	_, err := requests.run(ctx, warmUp)
	return l.costing(p, requests.run), err
}

// lookupRequest returns a request that looks up a code of a seller.
func lookupRequest(url string, seller, code int) []byte {
	gate := api{url, http.Header{"Token": {deviceToken(firstLookupSeller + seller)}}}
	return gate.request(http.MethodGet, fmt.Sprintf("/api/access-lists/entries/%d/ticket?eventId=%d",
		firstLookupCode+code, firstLookupEvent+code%eventsPerSeller), nil)
}

// ticketsAlone returns an error for responses without a ticket.
func ticketsAlone(status int, body []byte) error {
	if status != http.StatusOK || !bytes.Contains(body, []byte(`"codeDisplay":"QR"`)) {
		return fmt.Errorf("status %d: %s", status, body)
	}
	return nil
}

// pgbench returns a pgbench that repeats the observed statement with random codes, like the load.
func (l *lookups) pgbench(seen []statement) (*pgbench, error) {
	p, err := l.newPgbench(seen)
	if err != nil {
		return nil, err
	}
	text := fmt.Sprintf("\\set seller %d + random(0, %d)\n\\set n 2 * random(0, %d)\n\\set code %d + :n\n\\set event %d + :n %% %d\n",
		firstLookupSeller, lookupSellers-1, l.codes()/2-1, firstLookupCode, firstLookupEvent, eventsPerSeller)
	text += strings.NewReplacer("$1", ":seller", "$2", ":code", "$3", ":event").Replace(seen[0].text) + ";\n"
	p.variables = nil
	return p, os.WriteFile(p.script, []byte(text), 0o600)
}
