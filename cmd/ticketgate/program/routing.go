package program

import (
	"log/slog"
	"net/http"
	"net/netip"
	"strings"

	"ticketgate/cmd/ticketgate/telemetry"
	"ticketgate/db"
	"ticketgate/graph"
	"ticketgate/graph/edge"
)

// handler is everything that the API's address serves.
func (p *Program) handler(doors doors) http.Handler {
	limit, bodies := newLimiter(p.Config), edge.NewBodies(p.Config.Bodies)
	bodies.Heavy, bodies.Held = CollectLess, spareThreads
	route := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.idle.requests.Add(1)
		if len(r.TransferEncoding) > 0 {
			// Should a proxy before us have read the length differently, what it takes for the rest of this body
			// would be a second request to us (hardening P4): a chunked request is the connection's last.
			w.Header().Set("Connection", "close")
		}
		switch first, further := segments(r.URL.Path); {
		case !further && p.probe(first) != nil:
			edge.SetRoute(r, "/"+first)
			p.probe(first)(w, r)
		case first == "graphql" && !further:
			edge.SetRoute(r, "/graphql")
			doors.graph.ServeHTTP(w, r)
		case r.URL.Path == graph.SchemaPath:
			edge.SetRoute(r, graph.SchemaPath)
			doors.graph.ServeHTTP(w, r)
		case first != "api" && reads(r) && (doors.dashboard.Has(r.URL.Path) || wantsPage(r, doors.dashboard.HasPage(r.URL.EscapedPath()))):
			edge.SetRoute(r, "(dashboard)")
			doors.dashboard.ServeHTTP(w, r)
		default: // also answers what is at no path
			doors.rest.ServeHTTP(w, r)
		}
	})
	return edge.Wrap(route, edge.Options{
		Log: p.Log, Prod: p.Config.Prod, Proxies: p.Config.TrustedProxies, Bodies: bodies, Admit: limit.admit,
		Reads:     edge.NewReads(p.Config.LargeReads, p.Config.LargeReadsPerSeller),
		Observers: append(p.watch.Requests(), keyUsage{p.store.Credentials().NoteKeyCall}),
	})
}

// segments returns the first segment of a path and whether more follow; empty ones do not count (decisions 1.8).
func segments(path string) (first string, further bool) {
	first, rest, _ := strings.Cut(strings.TrimLeft(path, "/"), "/")
	return first, strings.Trim(rest, "/") != ""
}

// NewHandler returns what is served, on a store of the caller's: one whose sessions are read-only, for instance.
func NewHandler(config *Config, store *db.Store, log *slog.Logger, watch telemetry.Watch) http.Handler {
	p := &Program{Config: config, Log: log, store: store, watch: watch}
	return p.handler(newDoors(config, store, log, func() []netip.AddrPort { return nil }, watch))
}

func reads(r *http.Request) bool { return r.Method == http.MethodGet || r.Method == http.MethodHead }

// wantsPage reports whether a request is for the dashboard: at the root and at the paths of its pages unless JSON is asked
// for, at any other path only if HTML is (EDGE-8).
func wantsPage(r *http.Request, known bool) bool {
	page := edge.Accepts(r.Header, "text/html")
	if !known && strings.Trim(r.URL.Path, "/") != "" {
		return page.Named && page.Quality > 0
	}
	plain := edge.Accepts(r.Header, "application/json")
	return page.Quality > 0 && page.Quality >= plain.Quality && (page.Named || !plain.Named)
}
