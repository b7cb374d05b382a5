package main

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
)

// watched measures the cost of metrics and, if traces is set, of sending a span for every request and statement. It
// reads an entry, in turns with a server that does neither.
func watched(traces bool) func(context.Context, *rig) (subject, error) {
	return func(ctx context.Context, r *rig) (subject, error) {
		quiet, s, err := r.installation(ctx, "--no-workers")
		if err != nil {
			return subject{}, err
		}
		settings := []string{"TICKETGATE_ADMIN_LISTEN=127.0.0.1:0"}
		if traces {
			settings = append(settings, "TICKETGATE_OTLP_ENDPOINT="+r.newCollector())
		}
		p, err := r.serve(ctx, r.environment(settings...), "--no-workers")
		if err != nil {
			return subject{}, err
		}
		e, err := createEntry(ctx, quiet.asSeller(s))
		if err != nil {
			return subject{}, err
		}
		baseline, err := r.readings(ctx, quiet, s, e)
		if err != nil {
			return subject{}, err
		}
		measure, err := r.readings(ctx, p, s, e)
		return subject{measure: measure, baseline: baseline, against: "the same without metrics and traces"}, err
	}
}

// readings returns a warmed-up measurement of reading an entry.
func (r *rig) readings(ctx context.Context, p *process, s seller, e entry) (measurement, error) {
	as := p.asSeller(s)
	requests, err := as.load(ctx, as.request(http.MethodGet, "/api/access-lists/"+e.list+"/entries/"+e.id, nil))
	if err != nil {
		return nil, err
	}
	_, err = requests.run(ctx, warmUp)
	return r.costing(p, requests.run), err
}

// newCollector starts a collector that discards all spans. It is stopped when the rig ends.
func (r *rig) newCollector() (url string) {
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
	}))
	r.onEnd(server.Close)
	return server.URL
}
