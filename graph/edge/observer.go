package edge

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"ticketgate/domain"
)

// Observer is notified of every request, for metrics, traces and usage.
type Observer interface {
	// Begin is called before a request is handled, which then runs in the returned context. The returned function is
	// called after the response.
	Begin(r *http.Request) (context.Context, func(RequestResult))
}

// RequestResult is the result of a request. It contains no data chosen by the caller.
type RequestResult struct {
	// Route is the template of the path. It is empty if nothing is served there.
	Route string
	// Operation is the operation of a documented path, and Code its error code. Either can be empty.
	Operation domain.Operation
	Code      domain.Code
	Status    int
	Duration  time.Duration
}

// begin calls the observers. The returned function calls them again after the response.
func begin(observers []Observer, r *http.Request) (*http.Request, func(RequestResult)) {
	if len(observers) == 0 {
		return r, func(RequestResult) {}
	}
	ends := make([]func(RequestResult), len(observers))
	for i, observer := range observers {
		ctx, end := observer.Begin(r)
		if ends[i] = end; ctx != r.Context() {
			r = r.WithContext(ctx) //nolint:contextcheck // the observer derived it from the request's
		}
	}
	return r, func(result RequestResult) {
		for _, end := range ends {
			end(result)
		}
	}
}

type matchKey struct{}

// match collects data for the log line and the observers, and holds the parts of Wrap that handlers need.
type match struct {
	// logged is the template of the path, or the first segment of a path without a route. The full path may contain a
	// code that opens a gate (EDGE-2).
	logged string
	// level is the level of the log line.
	level  slog.Level
	result RequestResult
	writer http.ResponseWriter
	bodies *Bodies
	// ends are called after the response has been written.
	ends []func()
}

// matchOf returns the request's match. Outside Wrap, it returns one that is discarded.
func matchOf(ctx context.Context) *match {
	if found, ok := ctx.Value(matchKey{}).(*match); ok {
		return found
	}
	return &match{}
}

// ResponseHeader returns the header of the response to a request, or nil outside Wrap.
func ResponseHeader(ctx context.Context) http.Header {
	if found := matchOf(ctx); found.writer != nil {
		return found.writer.Header()
	}
	return nil
}

// WithRoute sets the template of the path that the handler serves, for the log line and the observers.
func WithRoute(template string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		found := matchOf(r.Context())
		found.logged, found.result.Route = template, template
		next.ServeHTTP(w, r)
	})
}

// WithOperation sets the operation that the handler performs, for the observers.
func WithOperation(operation domain.Operation, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		matchOf(r.Context()).result.Operation = operation
		next.ServeHTTP(w, r)
	})
}

// SetRoute sets the route that observers see, for undocumented paths.
func SetRoute(r *http.Request, route string) { matchOf(r.Context()).result.Route = route }

// LogAtDebug lowers the request's log line to level debug. Use it for frequent successful requests of our own programs.
func LogAtDebug(r *http.Request) { matchOf(r.Context()).level = slog.LevelDebug }
