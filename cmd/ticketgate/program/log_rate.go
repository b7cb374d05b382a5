package program

import (
	"context"
	"log/slog"
	"net/http"
	"sync"

	"golang.org/x/time/rate"
)

// logRate limits the log lines that callers can cause: those of refused requests by address, and those of failures by
// message (LIMIT-18). Each written line includes the number of lines omitted before it.
type logRate struct {
	slog.Handler
	omitted *omittedLines
}

// omittedLines is the state that a handler shares with the handlers derived from it.
type omittedLines struct {
	buckets *limiter
	mutex   sync.Mutex
	counts  map[string]int
}

// boundLog returns a handler that limits the lines per second, or inner if perSecond is 0.
func boundLog(inner slog.Handler, perSecond int) slog.Handler {
	if perSecond == 0 {
		return inner
	}
	const seconds = 5 // a burst, so that occasional failures are logged completely
	buckets := &limiter{rate: rate.Limit(perSecond), burst: seconds * perSecond, newer: map[string]*rate.Limiter{}}
	return logRate{inner, &omittedLines{buckets: buckets, counts: map[string]int{}}}
}

// Handle writes the record, unless its subject has exceeded the limit.
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

// WithAttrs returns a handler with the same limit.
func (l logRate) WithAttrs(attrs []slog.Attr) slog.Handler {
	return logRate{l.Handler.WithAttrs(attrs), l.omitted}
}

// WithGroup returns a handler with the same limit.
func (l logRate) WithGroup(name string) slog.Handler {
	return logRate{l.Handler.WithGroup(name), l.omitted}
}

// admit reports whether a line may be written, and how many lines of the same subject were omitted since the last one.
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

// subjectOfLine returns the subject of a line: the address of a refused request, or the message of a failure while a
// request was handled. It returns an empty string for other lines, which callers can't cause at will.
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
