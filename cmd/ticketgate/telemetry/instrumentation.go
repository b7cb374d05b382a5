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

// Instrumentation bundles metrics and traces in the forms that instrumented packages need. Nil fields are disabled, and so is the
// zero value.
type Instrumentation struct {
	Metrics *Metrics
	Traces  *Traces
}

// Requests returns the observers of HTTP requests.
func (i Instrumentation) Requests() (observers []edge.Observer) {
	if i.Metrics != nil {
		observers = append(observers, i.Metrics)
	}
	if i.Traces != nil {
		observers = append(observers, i.Traces)
	}
	return observers
}

// Documents returns the extensions that observe GraphQL.
func (i Instrumentation) Documents() (observers []graphql.HandlerExtension) {
	if i.Metrics != nil {
		observers = append(observers, fieldMetrics{i.Metrics})
	}
	if i.Traces != nil {
		observers = append(observers, fieldSpans{i.Traces.tracer})
	}
	return observers
}

// Statements returns the tracer of a pool's SQL, or nil if disabled.
func (i Instrumentation) Statements(pool string) pgx.QueryTracer {
	switch {
	case i.Metrics != nil && i.Traces != nil:
		return multitracer.New(statementMetrics{i.Metrics, pool}, statementSpans{i.Traces.tracer, pool})
	case i.Metrics != nil:
		return statementMetrics{i.Metrics, pool}
	case i.Traces != nil:
		return statementSpans{i.Traces.tracer, pool}
	}
	return nil
}

// Jobs returns the middleware of jobs.
func (i Instrumentation) Jobs() (observers []rivertype.Middleware) {
	if i.Metrics != nil {
		observers = append(observers, &jobMetrics{metrics: i.Metrics})
	}
	if i.Traces != nil {
		observers = append(observers, &jobSpans{tracer: i.Traces.tracer})
	}
	return observers
}

// Calls returns the observer of outgoing calls, or nil if disabled.
func (i Instrumentation) Calls() func(context.Context, jobs.Request) (context.Context, func(jobs.Result)) {
	if i.Traces == nil {
		return nil
	}
	return i.Traces.Call
}

// Trace returns a function that returns the traceparent of a context, for later work that it causes, or nil if
// disabled.
func (i Instrumentation) Trace() func(context.Context) string {
	if i.Traces == nil {
		return nil
	}
	return currentTrace
}
