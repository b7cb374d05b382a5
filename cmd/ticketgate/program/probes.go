package program

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"time"

	"ticketgate/domain"
	"ticketgate/graph/edge"
)

// readyBound is the time within which the database must respond to a probe.
const readyBound = 2 * time.Second

// probe is the response body of /livez and /readyz.
type probe struct {
	Status string `json:"status"`
	// Reasons has one word for each reason why the process is not ready.
	Reasons []string `json:"reasons,omitempty"`
}

// probe returns the handler of a probe's path, or nil for any other path.
func (p *Program) probe(path string) http.HandlerFunc {
	switch path {
	case "livez":
		return p.live
	case "readyz":
		return p.ready
	case "routez":
		return p.route
	}
	return nil
}

// live responds as long as the process can respond at all. It checks nothing.
func (p *Program) live(w http.ResponseWriter, r *http.Request) {
	writeProbe(w, r, http.StatusOK, probe{Status: "alive"})
}

// ready reports whether this process should get requests. It should not while it is stopping, if its database does not
// respond or has an older schema, or if its workers don't run.
func (p *Program) ready(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), readyBound)
	defer cancel()
	if reasons := p.missing(ctx); len(reasons) > 0 {
		writeProbe(w, r, http.StatusServiceUnavailable, probe{Status: "not ready", Reasons: reasons})
		return
	}
	writeProbe(w, r, http.StatusOK, probe{Status: "ready"})
}

// missing returns the reasons why this process is not ready to serve requests, or nil if it is ready.
func (p *Program) missing(ctx context.Context) []string {
	if p.stopping.Load() {
		return []string{"stopping"}
	}
	migrated, err := p.store.Migrated(ctx)
	switch {
	case err != nil:
		return []string{"database"}
	case !migrated:
		return []string{"migrations"}
	case p.Delivers && p.delivery.pool.Ping(ctx) != nil:
		return []string{"workers"}
	}
	return nil
}

// writeProbe writes the response of a probe. A process that is unavailable asks the client to retry after a second.
func writeProbe(w http.ResponseWriter, r *http.Request, status int, answer probe) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		edge.WriteError(w, r, slog.Default(), domain.NewError(domain.CodeMethodNotAllowed, "This path accepts only GET, HEAD"))
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	if status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "1")
	}
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(answer) //nolint:errchkjson // fails only if the client has gone
}
