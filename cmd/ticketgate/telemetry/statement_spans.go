package telemetry

import (
	"context"
	"regexp"
	"strings"

	"github.com/jackc/pgx/v5"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

// statementSpans opens a span for each statement that is part of something else. What a process does unasked, many times
// a second, such as looking for jobs, would bury everything.
type statementSpans struct {
	tracer trace.Tracer
	pool   string
}

type statementSpanKey struct{}

// TraceQueryStart opens the span.
func (s statementSpans) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	if !trace.SpanFromContext(ctx).IsRecording() {
		return ctx
	}
	operation, table := operationOf(data.SQL), tableOf(data.SQL)
	_, span := s.tracer.Start(ctx, strings.TrimSpace(operation+" "+table), trace.WithSpanKind(trace.SpanKindClient),
		trace.WithAttributes(attribute.String("db.system.name", "postgresql"),
			attribute.String("db.operation.name", operation), attribute.String("db.client.connection.pool.name", s.pool)))
	setUnlessEmpty(span, "db.collection.name", table)
	return context.WithValue(ctx, statementSpanKey{}, span)
}

// TraceQueryEnd closes the span, whose rows have been read.
func (statementSpans) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryEndData) {
	span, ok := ctx.Value(statementSpanKey{}).(trace.Span)
	if !ok {
		return
	}
	if data.Err != nil {
		span.SetAttributes(attribute.String("error.type", errorType(data.Err)))
		span.SetStatus(codes.Error, "")
	}
	span.End()
}

var tableName = regexp.MustCompile(`(?i)\b(?:(?:into|update)\s+"?([a-z_][a-z0-9_]*)|(?:from|join)\s+"?([a-z_][a-z0-9_]*)"?(\()?)`)

// tableOf is the first table that a statement names; empty when it names none. It looks at what stands before the first
// quoted text only: behind it there may be values.
func tableOf(sql string) string {
	sql, _, _ = strings.Cut(sql, "'")
	for _, found := range tableName.FindAllStringSubmatch(sql, -1) {
		switch {
		case found[1] != "":
			return found[1]
		case found[3] == "": // else it is a function
			return found[2]
		}
	}
	return ""
}
