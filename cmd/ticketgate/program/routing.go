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

// handler returns the handler of all requests at the API's address.
func (p *Program) handler(to handlers) http.Handler {
	limit, bodies := newLimiter(p.Config), edge.NewBodies(p.Config.Bodies)
	bodies.Heavy, bodies.Held = CollectLess, spareThreads
	route := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.idle.requests.Add(1)
		if p.stopping.Load() { // a connection that is closed while idle could lose the next request
			w.Header().Set("Connection", "close")
		}
		switch first, other := edge.Segments(r.URL.Path); {
		case !other && p.probe(first) != nil:
			edge.SetRoute(r, "/"+first)
			p.probe(first)(w, r)
		case first == "graphql" && !other:
			edge.SetRoute(r, "/graphql")
			to.graph.ServeHTTP(w, r)
		case r.URL.Path == graph.SchemaPath:
			edge.SetRoute(r, graph.SchemaPath)
			to.graph.ServeHTTP(w, r)
		case first != "api" && reads(r) && (to.dashboard.Has(r.URL.Path) || wantsPage(r, to.dashboard.HasPage(r.URL.EscapedPath()))):
			edge.SetRoute(r, "(dashboard)")
			to.dashboard.ServeHTTP(w, r)
		default: // also responds to unknown paths
			to.rest.ServeHTTP(w, r)
		}
	})
	return edge.Wrap(route, edge.Options{
		Log: p.Log, Prod: p.Config.Prod, Proxies: p.Config.TrustedProxies, Bodies: bodies, Admit: limit.admit,
		Reads:     edge.NewReads(p.Config.LargeReads, p.Config.LargeReadsPerSeller),
		Observers: append(p.instrumentation.Requests(), keyUsage{p.store.Credentials().NoteKeyCall}),
	})
}

// NewHandler returns the handler of all requests on a store of the caller's, for example one with read-only sessions.
func NewHandler(config *Config, store *db.Store, log *slog.Logger, instrumentation telemetry.Instrumentation) http.Handler {
	p := &Program{Config: config, Log: log, store: store, instrumentation: instrumentation}
	return p.handler(newHandlers(config, store, log, func() []netip.AddrPort { return nil }, instrumentation))
}

func reads(r *http.Request) bool { return r.Method == http.MethodGet || r.Method == http.MethodHead }

// wantsPage reports whether a request is for the dashboard. At the root and at the paths of its pages, that is any
// request that does not prefer JSON; at all other paths, only one that names HTML (EDGE-8).
func wantsPage(r *http.Request, known bool) bool {
	page := edge.Accepts(r.Header, "text/html")
	if !known && strings.Trim(r.URL.Path, "/") != "" {
		return page.Named && page.Quality > 0
	}
	plain := edge.Accepts(r.Header, "application/json")
	return page.Quality > 0 && page.Quality >= plain.Quality && (page.Named || !plain.Named)
}
