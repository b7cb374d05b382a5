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

// Watch is everything by which the program is watched, as those who are watched take it. The zero value is nobody, and
// so is either of the two when it is nil.
type Watch struct {
	Metrics *Metrics
	Traces  *Traces
}

// Requests watch HTTP requests.
func (w Watch) Requests() (watching []edge.Observer) {
	if w.Metrics != nil {
		watching = append(watching, w.Metrics)
	}
	if w.Traces != nil {
		watching = append(watching, w.Traces)
	}
	return watching
}

// Documents watch GraphQL.
func (w Watch) Documents() (watching []graphql.HandlerExtension) {
	if w.Metrics != nil {
		watching = append(watching, fieldMetrics{w.Metrics})
	}
	if w.Traces != nil {
		watching = append(watching, fieldSpans{w.Traces.tracer})
	}
	return watching
}

// Statements watch the SQL of a pool. Nil, as pgx wants it, is nobody.
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

// Jobs watch what workers do.
func (w Watch) Jobs() (watching []rivertype.Middleware) {
	if w.Metrics != nil {
		watching = append(watching, &jobMetrics{metrics: w.Metrics})
	}
	if w.Traces != nil {
		watching = append(watching, &jobSpans{tracer: w.Traces.tracer})
	}
	return watching
}

// Calls watch what leaves the server; nil is nobody.
func (w Watch) Calls() func(context.Context, jobs.Request) (context.Context, func(jobs.Result)) {
	if w.Traces == nil {
		return nil
	}
	return w.Traces.Call
}

// Trace names the span of a context, for what is done later because of it; nil when nobody traces.
func (w Watch) Trace() func(context.Context) string {
	if w.Traces == nil {
		return nil
	}
	return currentTrace
}
