package telemetry

import (
	"github.com/99designs/gqlgen/graphql"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river/rivertype"

	"ticketgate/rest"
)

// Watch is everything by which the program is watched, as those who are watched take it. The zero value is nobody.
type Watch struct{ Metrics *Metrics }

// Requests watch HTTP requests.
func (w Watch) Requests() []rest.Observer {
	if w.Metrics == nil {
		return nil
	}
	return []rest.Observer{w.Metrics}
}

// Documents watch GraphQL.
func (w Watch) Documents() []graphql.HandlerExtension {
	if w.Metrics == nil {
		return nil
	}
	return []graphql.HandlerExtension{fieldMetrics{w.Metrics}}
}

// Statements watch the SQL of a pool. Nil, as pgx wants it, is nobody.
func (w Watch) Statements(pool string) pgx.QueryTracer {
	if w.Metrics == nil {
		return nil
	}
	return statementMetrics{w.Metrics, pool}
}

// Jobs watch what workers do.
func (w Watch) Jobs() []rivertype.Middleware {
	if w.Metrics == nil {
		return nil
	}
	return []rivertype.Middleware{&jobMetrics{metrics: w.Metrics}}
}
