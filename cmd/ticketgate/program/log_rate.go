package program

import (
	"context"
	"log/slog"
	"net/http"
	"sync"

	"golang.org/x/time/rate"
)

// logRate bounds the lines that callers can make: those of refused requests by address, and those of failures by their text
// (LIMIT-18). A line that is let through says how many were left out before it.
type logRate struct {
	slog.Handler
	omitted *omittedLines
}

// omittedLines is shared by the handlers that loggers derive.
type omittedLines struct {
	buckets *limiter
	mutex   sync.Mutex
	counts  map[string]int
}

// boundLog returns the handler, or another one that bounds its lines a second.
func boundLog(inner slog.Handler, perSecond int) slog.Handler {
	if perSecond == 0 {
		return inner
	}
	const seconds = 5 // so that what goes wrong once in a while is all there
	buckets := &limiter{rate: rate.Limit(perSecond), burst: seconds * perSecond, newer: map[string]*rate.Limiter{}}
	return logRate{inner, &omittedLines{buckets: buckets, counts: map[string]int{}}}
}

// Handle writes the record, unless its caller has made too many.
func (l logRate) Handle(ctx context.Context, record slog.Record) error {
	subject := subjectOfLine(record)
	if subject == "" {
		return l.Handler.Handle(ctx, record)
	}
	before, ok := l.omitted.admit(subject, record)
	if !ok {
		return nil
	}
	if before > 0 {
		record = record.Clone()
		record.AddAttrs(slog.Int("omitted_before", before))
	}
	return l.Handler.Handle(ctx, record)
}

// WithAttrs keeps the bound.
func (l logRate) WithAttrs(attrs []slog.Attr) slog.Handler {
	return logRate{l.Handler.WithAttrs(attrs), l.omitted}
}

// WithGroup keeps the bound.
func (l logRate) WithGroup(name string) slog.Handler {
	return logRate{l.Handler.WithGroup(name), l.omitted}
}

// admit reports whether a line is written, and how many of the same subject were not since the last one that was.
func (o *omittedLines) admit(subject string, record slog.Record) (before int, ok bool) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if o.buckets.take(subject, record.Time) != nil {
		if len(o.counts) >= limiterBound {
			o.counts = map[string]int{}
		}
		o.counts[subject]++
		return 0, false
	}
	before = o.counts[subject]
	delete(o.counts, subject)
	return before, true
}

// subjectOfLine returns whose line it is: that of the address for a refused request, that of the text for a failure while one
// was answered, and nobody's for everything else, which no caller can make at will.
func subjectOfLine(record slog.Record) string {
	switch record.Message {
	case "request failed", "graphql error", "panic":
		return record.Message
	case "request":
	default:
		return ""
	}
	refused, address := false, ""
	record.Attrs(func(attr slog.Attr) bool {
		switch attr.Key {
		case "status":
			refused = attr.Value.Kind() == slog.KindInt64 && attr.Value.Int64() >= http.StatusBadRequest
		case "address":
			address = attr.Value.String()
		}
		return true
	})
	if !refused {
		return ""
	}
	return "request of " + address
}
