package telemetry

import (
	"context"
	"log/slog"
	"strings"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// Traces are the spans of what this process does, on their way to a collector.
//
// A span holds ids, words of the program and what a log line may hold: never a path, a query, a body, a value of a
// statement or a message of an error.
type Traces struct {
	provider *sdk.TracerProvider
	tracer   trace.Tracer
}

// NewTraces sends spans to the collector at an OTLP/HTTP endpoint, in batches and beside the work. The OTEL_ variables of
// the specification say the rest: sampler, headers, resource attributes, sizes of batches. Log gets what can't be sent.
func NewTraces(ctx context.Context, endpoint, version string, log *slog.Logger) (*Traces, error) {
	exporter, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(strings.TrimRight(endpoint, "/")+"/v1/traces"))
	if err != nil {
		return nil, err
	}
	who, err := resource.New(ctx, resource.WithAttributes(
		attribute.String("service.name", "ticketgate"), attribute.String("service.version", version),
	), resource.WithTelemetrySDK(), resource.WithFromEnv())
	if err != nil {
		return nil, err
	}
	always := context.WithoutCancel(ctx)
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) {
		log.WarnContext(always, "spans can't be sent", "error", err)
	}))
	provider := sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithResource(who))
	return &Traces{provider: provider, tracer: provider.Tracer("ticketgate")}, nil
}

// Stop sends what is left, and nothing after it.
func (t *Traces) Stop(ctx context.Context) error { return t.provider.Shutdown(ctx) }

// traceparent is how a span is named outside of its process.
const traceparent = "traceparent"

// currentTrace is the name of the span that a context belongs to; empty when there is none that is kept.
func currentTrace(ctx context.Context) string {
	if !trace.SpanContextFromContext(ctx).IsSampled() {
		return ""
	}
	carrier := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, carrier)
	return carrier[traceparent]
}

// linkTo is the span with a name, if it is one.
func linkTo(name string) (trace.Link, bool) {
	ctx := propagation.TraceContext{}.Extract(context.Background(), propagation.MapCarrier{traceparent: name})
	link := trace.LinkFromContext(ctx)
	return link, link.SpanContext.IsValid()
}
