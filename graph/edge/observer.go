package edge

import (
	"context"
	"net/http"
	"time"

	"ticketgate/domain"
)

// Observer sees every request, for metrics, traces and usage.
type Observer interface {
	// Begin is called before a request is handled, which then runs in the returned context. The returned function is
	// called once the request has been answered.
	Begin(r *http.Request) (context.Context, func(Answered))
}

// Answered is how a request ended. It holds nothing that the caller chose.
type Answered struct {
	// Route is the template of the path; empty if nothing is served there.
	Route string
	// Operation is what a documented path does, and Code how it failed; either may be empty.
	Operation domain.Operation
	Code      domain.Code
	Status    int
	Duration  time.Duration
}

// begin calls the observers. The returned function calls them again when the request has been answered.
func begin(observers []Observer, r *http.Request) (*http.Request, func(Answered)) {
	if len(observers) == 0 {
		return r, func(Answered) {}
	}
	ends := make([]func(Answered), len(observers))
	for i, observer := range observers {
		ctx, end := observer.Begin(r)
		if ends[i] = end; ctx != r.Context() {
			r = r.WithContext(ctx) //nolint:contextcheck // the observer derived it from the request's
		}
	}
	return r, func(answered Answered) {
		for _, end := range ends {
			end(answered)
		}
	}
}

type matchKey struct{}

// match is what the handlers leave for the log line and the observers, and what they need of Wrap.
type match struct {
	// logged is the template of the path, or the first segment of a path that matched none: a path may hold a code that
	// opens a gate (EDGE-2).
	logged   string
	answered Answered
	writer   http.ResponseWriter
	bodies   *Bodies
	// ends are called when the response has been written.
	ends []func()
}

// matchOf returns the request's match. Outside Wrap it is discarded.
func matchOf(ctx context.Context) *match {
	if found, ok := ctx.Value(matchKey{}).(*match); ok {
		return found
	}
	return &match{}
}

// ResponseHeader returns the header of the response to a request; nil outside Wrap.
func ResponseHeader(ctx context.Context) http.Header {
	if found := matchOf(ctx); found.writer != nil {
		return found.writer.Header()
	}
	return nil
}

// Named sets the template of the path that the handler serves, for the log line and the observers.
func Named(template string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		found := matchOf(r.Context())
		found.logged, found.answered.Route = template, template
		next.ServeHTTP(w, r)
	})
}

// Doing sets the operation that the handler performs, for the observers.
func Doing(operation domain.Operation, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		matchOf(r.Context()).answered.Operation = operation
		next.ServeHTTP(w, r)
	})
}

// SetRoute sets the route that the observers see, for paths that are not documented ones.
func SetRoute(r *http.Request, route string) { matchOf(r.Context()).answered.Route = route }
