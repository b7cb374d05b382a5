package telemetry

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/multitracer"
	"github.com/riverqueue/river/rivertype"

	"ticketgate/graph/edge"
	"ticketgate/jobs"
)

// Watch bundles metrics and traces in the forms that instrumented packages need. Nil fields are disabled, and so is the
// zero value.
type Watch struct {
	Metrics *Metrics
	Traces  *Traces
}

// Requests returns the observers of HTTP requests.
func (w Watch) Requests() (watching []edge.Observer) {
	if w.Metrics != nil {
		watching = append(watching, w.Metrics)
	}
	if w.Traces != nil {
		watching = append(watching, w.Traces)
	}
	return watching
}

// Documents returns the extensions that observe GraphQL.
func (w Watch) Documents() (watching []graphql.HandlerExtension) {
	if w.Metrics != nil {
		watching = append(watching, fieldMetrics{w.Metrics})
	}
	if w.Traces != nil {
		watching = append(watching, fieldSpans{w.Traces.tracer})
	}
	return watching
}

// Statements returns the tracer of a pool's SQL, or nil if disabled.
func (w Watch) Statements(pool string) pgx.QueryTracer {
	switch {
	case w.Metrics != nil && w.Traces != nil:
		return multitracer.New(statementMetrics{w.Metrics, pool}, statementSpans{w.Traces.tracer, pool})
	case w.Metrics != nil:
		return statementMetrics{w.Metrics, pool}
	case w.Traces != nil:
		return statementSpans{w.Traces.tracer, pool}
	}
	return nil
}

// Jobs returns the middleware of jobs.
func (w Watch) Jobs() (watching []rivertype.Middleware) {
	if w.Metrics != nil {
		watching = append(watching, &jobMetrics{metrics: w.Metrics})
	}
	if w.Traces != nil {
		watching = append(watching, &jobSpans{tracer: w.Traces.tracer})
	}
	return watching
}

// Calls returns the observer of outgoing calls, or nil if disabled.
func (w Watch) Calls() func(context.Context, jobs.Request) (context.Context, func(jobs.Result)) {
	if w.Traces == nil {
		return nil
	}
	return w.Traces.Call
}

// Trace returns a function that returns the traceparent of a context, for later work that it causes; nil if disabled.
func (w Watch) Trace() func(context.Context) string {
	if w.Traces == nil {
		return nil
	}
	return currentTrace
}
