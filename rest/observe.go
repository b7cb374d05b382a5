package rest

import (
	"context"
	"net/http"
	"time"

	"ticketgate/domain"
)

// Observer is told of every request, for those who watch the program from outside.
type Observer interface {
	// Begin is called before a request is worked on, which then runs in the context that it returns. What it returns
	// besides is called when the request has been answered.
	Begin(r *http.Request) (context.Context, func(Answered))
}

// Answered is how a request ended. It holds nothing that the caller chose.
type Answered struct {
	// Route is the template of the path; empty when nothing is served there.
	Route string
	// Operation is what a documented path does, and Code how it failed; either may be empty.
	Operation domain.Operation
	Code      domain.Code
	Status    int
	Duration  time.Duration
}

// begin tells the observers, if there are any. What it returns tells them again when the request has been answered.
func begin(observers []Observer, r *http.Request) (*http.Request, func(Answered)) {
	if len(observers) == 0 {
		return r, func(Answered) {}
	}
	ends := make([]func(Answered), len(observers))
	for i, observer := range observers {
		ctx, end := observer.Begin(r)
		r, ends[i] = r.WithContext(ctx), end
	}
	return r, func(answered Answered) {
		for _, end := range ends {
			end(answered)
		}
	}
}

type routeKey struct{}

// matched is where a request's way leaves what the log line and the observers are told: the template of the path, since
// a path itself may hold a code that opens a gate.
type matched struct {
	// logged is the template, or the beginning of a path that matched none.
	logged string
	told   Answered
}

// matchOf is where the request leaves it; what is left of one that did not come through Edge is lost.
func matchOf(ctx context.Context) *matched {
	if match, ok := ctx.Value(routeKey{}).(*matched); ok {
		return match
	}
	return &matched{}
}

// named says which template a handler is at.
func named(template string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		match := matchOf(r.Context())
		match.logged, match.told.Route = template, template
		next.ServeHTTP(w, r)
	})
}

// doing says which operation a handler does.
func doing(operation domain.Operation, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		matchOf(r.Context()).told.Operation = operation
		next.ServeHTTP(w, r)
	})
}

// SetRoute names what serves a request beside the documented paths, for the observers.
func SetRoute(r *http.Request, route string) { matchOf(r.Context()).told.Route = route }
