package telemetry

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"

	"ticketgate/domain"
	"ticketgate/graph/edge"
)

// The two APIs, as values of a label.
const (
	apiREST    = "rest"
	apiGraphQL = "graphql"
)

// none is the label value for a missing or unknown value.
const none = "none"

// Begin counts a request as active until it ends, and then measures it.
func (m *Metrics) Begin(r *http.Request) (context.Context, func(edge.RequestResult)) {
	m.active.Inc()
	method := knownMethod(r.Method)
	return r.Context(), func(answered edge.RequestResult) {
		m.active.Dec()
		m.requests.WithLabelValues(method, cmp.Or(answered.Route, none), strconv.Itoa(answered.Status)).
			Observe(answered.Duration.Seconds())
		if answered.Operation != "" {
			m.operations.WithLabelValues(apiREST, string(answered.Operation), codeLabel(answered.Code)).Inc()
		}
	}
}

// knownMethod returns the method or, if it is unknown, a replacement, so that callers can't create labels.
func knownMethod(method string) string {
	known := []string{
		http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
		http.MethodConnect, http.MethodOptions, http.MethodTrace,
	}
	if slices.Contains(known, method) {
		return method
	}
	return "_OTHER"
}

// codeLabel returns the label value for an operation's outcome.
func codeLabel(code domain.Code) string { return cmp.Or(string(code), "OK") }
