package telemetry

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
)

// fieldSpans is a gqlgen extension that records a span for each root field of a document, as a child of the request's
// span.
type fieldSpans struct{ tracer trace.Tracer }

var _ interface {
	graphql.HandlerExtension
	graphql.RootFieldInterceptor
	graphql.ResponseInterceptor
} = fieldSpans{}

// ExtensionName returns the name of the gqlgen extension.
func (fieldSpans) ExtensionName() string { return "Traces" }

// Validate returns nil: the extension works with any schema.
func (fieldSpans) Validate(graphql.ExecutableSchema) error { return nil }

// InterceptRootField records a span for a root field and everything below it.
func (f fieldSpans) InterceptRootField(ctx context.Context, next graphql.RootResolver) graphql.Marshaler {
	field := graphql.GetRootFieldContext(ctx).Field.Name
	ctx, span := f.tracer.Start(ctx, "graphql "+field, trace.WithAttributes(attribute.String("graphql.field.name", field)))
	defer span.End()
	return next(ctx)
}

// InterceptResponse adds the codes of failed fields to the request's span.
func (fieldSpans) InterceptResponse(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
	response := next(ctx)
	span := trace.SpanFromContext(ctx)
	if response == nil || len(response.Errors) == 0 || !span.IsRecording() {
		return response
	}
	failed := make([]string, len(response.Errors))
	for i, err := range response.Errors {
		failed[i] = string(codeOf(err))
	}
	span.SetAttributes(attribute.StringSlice("ticketgate.graphql.errors", failed))
	return response
}
