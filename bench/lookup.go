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

// The sizes at which lookups are measured: a lookup must cost the same at each of them.
const (
	smallLookup = 10_000
	usualLookup = 100_000
	fullLookup  = 10_000_000
)

// fullLookupDatabase outlives the run on a server that does, so that what was loaded need not be loaded again.
const fullLookupDatabase = "bench_lookup_full"

// lookup measures the exchange of codes for tickets, codes of all sellers at random, beside pgbench of the same statement.
func lookup(entries int) func(context.Context, *rig) (subject, error) {
	return func(ctx context.Context, r *rig) (subject, error) {
		r, err := r.forLookups(ctx, entries)
		if err != nil {
			return subject{}, err
		}
		// The program brings the schema; it is loaded before anything is read, so that no plan was made without rows.
		p, err := r.serve(ctx, r.environment(), "--no-workers")
		if err != nil {
			return subject{}, err
		}
		tokens, err := r.loadLookups(ctx, entries)
		if err != nil {
			return subject{}, err
		}
		return r.lookingUp(ctx, p, tokens, entries/lookupSellers)
	}
}

// forLookups is the rig itself, or for the full size one whose database is kept.
func (r *rig) forLookups(ctx context.Context, entries int) (*rig, error) {
	if entries < fullLookup {
		return r, nil
	}
	kept := &rig{ground: r.ground, name: fullLookupDatabase}
	r.onEnd(kept.end)
	var exists bool
	err := r.cluster.row(ctx, "SELECT EXISTS (SELECT FROM pg_database WHERE datname = '"+fullLookupDatabase+"')", &exists)
	if err == nil && !exists {
		err = r.cluster.create(ctx, fullLookupDatabase)
	}
	return kept, err
}

// lookingUp prepares the measurement on a loaded database.
func (r *rig) lookingUp(ctx context.Context, p *process, tokens []string, codes int) (subject, error) {
	baseline, err := r.lookupBaseline(ctx, tokens, codes)
	if err != nil {
		return subject{}, err
	}
	requests := load{
		address: api{url: p.url}.address(), connections: connections,
		request: func(int) []byte { return lookupRequest(p.url, tokens, rand.IntN(len(tokens)), 2*rand.IntN(codes/2)) },
		accept:  ticketsAlone,
	}
	if _, err := requests.run(ctx, warmUp); err != nil {
		return subject{}, err
	}
	return subject{
		measure:  p.costing(requests.run),
		baseline: baseline.run, against: "pgbench -M prepared of the same SQL with codes at random",
		remark: fmt.Sprintf("1 SQL statement each; %d sellers, %d entries, %d tickets",
			len(tokens), len(tokens)*codes, len(tokens)*codes/2),
	}, nil
}

// lookupRequest asks for one code of one seller.
func lookupRequest(url string, tokens []string, seller, code int) []byte {
	gate := api{url, http.Header{"Token": {tokens[seller]}}}
	return gate.request(http.MethodGet, fmt.Sprintf("/api/access-lists/entries/%d/ticket?eventId=%d",
		firstLookupCode+code, firstLookupEvent+code%eventsPerSeller), nil)
}

// ticketsAlone refuses everything that is no ticket.
func ticketsAlone(status int, body []byte) error {
	if status != http.StatusOK || !bytes.Contains(body, []byte(`"codeDisplay":"QR"`)) {
		return fmt.Errorf("answered %d %s", status, body)
	}
	return nil
}

// lookupBaseline is pgbench of what one lookup was seen to execute; more than one statement is an error.
func (r *rig) lookupBaseline(ctx context.Context, tokens []string, codes int) (*pgbench, error) {
	statements, err := r.observe(ctx, seller{}, func(as api) []byte { return lookupRequest(as.url, tokens, 0, 0) })
	if err != nil {
		return nil, err
	}
	if len(statements) != 1 || len(statements[0].arguments) != 3 {
		return nil, fmt.Errorf("a lookup executes %d statements and not one: %v", len(statements), statements)
	}
	p, err := r.newPgbench(statements)
	if err != nil {
		return nil, err
	}
	// The same codes as the load asks for, instead of the one that was seen.
	text := fmt.Sprintf("\\set seller %d + random(0, %d)\n\\set n 2 * random(0, %d)\n\\set code %d + :n\n\\set event %d + :n %% %d\n",
		firstLookupSeller, len(tokens)-1, codes/2-1, firstLookupCode, firstLookupEvent, eventsPerSeller)
	text += strings.NewReplacer("$1", ":seller", "$2", ":code", "$3", ":event").Replace(statements[0].text) + ";\n"
	p.variables = nil
	return p, os.WriteFile(p.script, []byte(text), 0o600)
}
