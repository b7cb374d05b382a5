package telemetry

import (
	"cmp"
	"context"
	"net/http"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"ticketgate/domain"
	"ticketgate/graph/edge"
)

// Begin starts the span of a request. If the caller sent a trace, the span links to it instead of continuing it,
// because callers must not decide whether the request is sampled.
func (t *Traces) Begin(r *http.Request) (context.Context, func(edge.RequestResult)) {
	method := knownMethod(r.Method)
	options := []trace.SpanStartOption{
		trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(attribute.String("http.request.method", method)),
	}
	if link, ok := linkTo(r.Header.Get(traceparent)); ok {
		options = append(options, trace.WithLinks(link))
	}
	ctx, span := t.tracer.Start(r.Context(), method, options...)
	return ctx, func(answered edge.RequestResult) {
		span.SetName(method + " " + cmp.Or(answered.Route, none))
		span.SetAttributes(attribute.Int("http.response.status_code", answered.Status),
			attribute.String("ticketgate.request_id", domain.CallOf(ctx).RequestID))
		setUnlessEmpty(span, "http.route", answered.Route)
		setUnlessEmpty(span, "ticketgate.operation", string(answered.Operation))
		setUnlessEmpty(span, "error.type", string(answered.Code))
		if answered.Status >= http.StatusInternalServerError {
			span.SetStatus(codes.Error, "")
		}
		span.End()
	}
}

func setUnlessEmpty(span trace.Span, key, value string) {
	if value != "" {
		span.SetAttributes(attribute.String(key, value))
	}
}
