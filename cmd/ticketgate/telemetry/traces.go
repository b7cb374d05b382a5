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

// Traces exports the spans of this process to a collector.
//
// A span contains ids, words of the program, and data that log lines may also contain. It never contains a path, a
// query, a body, a value of a statement or an error message.
type Traces struct {
	provider *sdk.TracerProvider
	tracer   trace.Tracer
}

// NewTraces returns traces that are exported to an OTLP/HTTP endpoint, in batches and in the background. The standard
// OTEL_ variables configure the sampler, headers, resource attributes and batch sizes. Errors of the export are logged
// to log.
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
		log.WarnContext(always, "failed to send spans", "error", err)
	}))
	provider := sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithResource(who))
	return &Traces{provider: provider, tracer: provider.Tracer("ticketgate")}, nil
}

// Stop sends the remaining spans. Spans that end later are dropped.
func (t *Traces) Stop(ctx context.Context) error { return t.provider.Shutdown(ctx) }

// traceparent is the name of the header that identifies a span in another process.
const traceparent = "traceparent"

// currentTrace returns the traceparent of the span in ctx, or an empty string if the span is not sampled.
func currentTrace(ctx context.Context) string {
	if !trace.SpanContextFromContext(ctx).IsSampled() {
		return ""
	}
	carrier := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, carrier)
	return carrier[traceparent]
}

// linkTo returns a link to the span with the given traceparent, if it is valid.
func linkTo(name string) (trace.Link, bool) {
	ctx := propagation.TraceContext{}.Extract(context.Background(), propagation.MapCarrier{traceparent: name})
	link := trace.LinkFromContext(ctx)
	return link, link.SpanContext.IsValid()
}
