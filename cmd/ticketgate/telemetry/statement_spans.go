package telemetry

import (
	"context"
	"regexp"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

// statementSpans records a span for each SQL statement that runs within another span. Statements that the process
// executes on its own, such as polling for jobs many times a second, are not recorded.
type statementSpans struct {
	tracer trace.Tracer
	pool   string
}

type statementSpanKey struct{}

// TraceQueryStart starts the span of a statement.
func (s statementSpans) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	if span := s.open(ctx, data.SQL, time.Now()); span != nil {
		return context.WithValue(ctx, statementSpanKey{}, span)
	}
	return ctx
}

// open starts the span of a statement, if the parent is recorded.
func (s statementSpans) open(ctx context.Context, sql string, started time.Time) trace.Span {
	if !trace.SpanFromContext(ctx).IsRecording() {
		return nil
	}
	operation, table := operationOf(sql), tableOf(sql)
	_, span := s.tracer.Start(ctx, strings.TrimSpace(operation+" "+table), trace.WithSpanKind(trace.SpanKindClient),
		trace.WithTimestamp(started), trace.WithAttributes(attribute.String("db.system.name", "postgresql"),
			attribute.String("db.operation.name", operation), attribute.String("db.client.connection.pool.name", s.pool)))
	setUnlessEmpty(span, "db.collection.name", table)
	return span
}

// TraceQueryEnd ends the span of a statement, after its rows have been read.
func (statementSpans) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryEndData) {
	if span, ok := ctx.Value(statementSpanKey{}).(trace.Span); ok {
		endSpan(span, data.Err)
	}
}

func endSpan(span trace.Span, err error) {
	if err != nil {
		span.SetAttributes(attribute.String("error.type", errorType(err)))
		span.SetStatus(codes.Error, "")
	}
	span.End()
}

// TraceBatchStart records the start of a batch, which is also the start of its first statement.
func (statementSpans) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	last := time.Now()
	return context.WithValue(ctx, statementSpanKey{}, &last)
}

// TraceBatchQuery records the span of a statement, starting at the end of the previous one.
func (s statementSpans) TraceBatchQuery(ctx context.Context, _ *pgx.Conn, data pgx.TraceBatchQueryData) {
	last, ok := ctx.Value(statementSpanKey{}).(*time.Time)
	if !ok {
		return
	}
	if span := s.open(ctx, data.SQL, *last); span != nil {
		endSpan(span, data.Err)
	}
	*last = time.Now()
}

// TraceBatchEnd does nothing, since no span is open.
func (statementSpans) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

var tableName = regexp.MustCompile(`(?i)\b(?:(?:into|update)\s+"?([a-z_][a-z0-9_]*)|(?:from|join)\s+"?([a-z_][a-z0-9_]*)"?(\()?)`)

// tableOf returns the first table that a statement names, or an empty string. It reads only up to the first quoted
// text, which may be followed by values.
func tableOf(sql string) string {
	sql, _, _ = strings.Cut(sql, "'")
	for _, found := range tableName.FindAllStringSubmatch(sql, -1) {
		switch {
		case found[1] != "":
			return found[1]
		case found[3] == "": // otherwise the name is a function
			return found[2]
		}
	}
	return ""
}
