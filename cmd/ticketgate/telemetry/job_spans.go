package telemetry

import (
	"context"
	"encoding/json"
	"net/url"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"ticketgate/jobs"
)

// jobSpans records a span for each job. It is linked to the spans of the changes that inserted the job, which may be
// long ago: the trace of a request does not include its deliveries.
type jobSpans struct {
	river.MiddlewareDefaults

	tracer trace.Tracer
}

var _ rivertype.WorkerMiddleware = &jobSpans{}

// Work runs a job and records its span.
func (j *jobSpans) Work(ctx context.Context, job *rivertype.JobRow, next func(context.Context) error) error {
	ctx, span := j.tracer.Start(ctx, "job "+job.Kind, trace.WithSpanKind(trace.SpanKindConsumer),
		trace.WithNewRoot(), trace.WithLinks(linksOf(job)...), trace.WithAttributes( //nolint:contextcheck // the job links to other spans
			attribute.String("messaging.system", "river"), attribute.String("messaging.destination.name", job.Queue),
			attribute.String("ticketgate.job.kind", job.Kind), attribute.Int64("ticketgate.job.id", job.ID)))
	return ending(ctx, next, func(outcome string) {
		span.SetAttributes(attribute.String("ticketgate.job.outcome", outcome))
		if outcome != "done" && outcome != "snoozed" {
			span.SetStatus(codes.Error, "")
		}
		span.End()
	})
}

// linksOf returns links to the spans in which a job was inserted.
func linksOf(job *rivertype.JobRow) []trace.Link {
	var args struct {
		Traces []string `json:"traces"`
	}
	if json.Unmarshal(job.EncodedArgs, &args) != nil {
		return nil
	}
	var links []trace.Link
	for _, name := range args.Traces {
		if link, ok := linkTo(name); ok {
			links = append(links, link)
		}
	}
	return links
}

// Call starts the span of an outgoing call. The call has no trace headers, because listeners get only documented
// headers.
func (t *Traces) Call(ctx context.Context, request jobs.Request) (context.Context, func(jobs.Result)) {
	ctx, span := t.tracer.Start(ctx, "POST", trace.WithSpanKind(trace.SpanKindClient),
		trace.WithAttributes(attribute.String("http.request.method", "POST")))
	setUnlessEmpty(span, "ticketgate.delivery.id", request.DeliveryID)
	if target, err := url.Parse(request.URL); err == nil {
		setUnlessEmpty(span, "server.address", target.Hostname())
	}
	return ctx, func(result jobs.Result) {
		if result.Status != 0 {
			span.SetAttributes(attribute.Int("http.response.status_code", result.Status))
		}
		setUnlessEmpty(span, "error.type", string(result.Failure))
		if !result.Delivered() {
			span.SetStatus(codes.Error, "")
		}
		span.End()
	}
}
