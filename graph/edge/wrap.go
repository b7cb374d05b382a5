package edge

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"ticketgate/domain"
)

// Options configures Wrap.
type Options struct {
	Log *slog.Logger
	// Prod adds Strict-Transport-Security, and disables throttles by address for requests whose caller's address is
	// unknown (EDGE-5).
	Prod bool
	// Proxies are trusted to name the caller's address.
	Proxies Proxies
	// Bodies bounds the bodies in memory. Nil means unbounded.
	Bodies *Bodies
	// Reads bounds the concurrent large reads. Nil means unbounded.
	Reads *Reads
	// Admit takes a token from the caller's bucket for an operation without a credential. Nil means no limit.
	Admit     func(*domain.Actor, domain.Call) error
	Observers []Observer
}

// Wrap adds an id, the security headers, one log line and the observers to every request, and responds with 500 after a
// panic. Handlers find the data of the request in domain.CallOf.
func Wrap(next http.Handler, options Options) http.Handler {
	var unnamed sync.Once
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		started, id := time.Now(), newRequestID()
		setHeaders(w.Header(), id, options.Prod)
		caller := options.Proxies.CallerOf(r)
		call := domain.Call{
			RequestID: id, Address: caller.String(), SharedAddress: options.Prod && caller.Unnamed,
			Language: r.Header.Get("Accept-Language"), UserAgent: r.UserAgent(), CheckoutSecret: r.Header.Get("Checkout-Secret"),
			Key: &domain.KeyCall{}, Read: &domain.Reading{},
		}
		if options.Admit != nil {
			call.Admit = func(actor *domain.Actor) error { return options.Admit(actor, call) }
		}
		if call.SharedAddress {
			unnamed.Do(func() { options.Log.WarnContext(r.Context(), unnamedCallers, "address", call.Address) })
		}
		answer := &statusRecorder{ResponseWriter: w}
		found := &match{logged: firstSegment(r.URL.Path), writer: answer, bodies: options.Bodies}
		if options.Reads != nil {
			call.Read.Wait = func(ctx context.Context) error { return options.Reads.wait(ctx, found) }
		}
		r = r.WithContext(context.WithValue(domain.WithCall(r.Context(), call), matchKey{}, found))
		r, result := begin(options.Observers, r)
		defer func() {
			if reason := recover(); reason != nil {
				afterPanic(answer, r, options.Log, reason)
			}
			for _, end := range found.ends {
				end()
			}
			found.result.Status, found.result.Duration = answer.status, time.Since(started)
			result(found.result)
			// Never log the query string: it may contain a secret (EDGE-2).
			logRequest(r.Context(), options.Log, found.level, started.Add(found.result.Duration),
				slog.String("request_id", id), slog.String("method", r.Method), slog.String("route", found.logged),
				slog.Int("status", answer.status), slog.Duration("duration", found.result.Duration),
				slog.String("address", call.Address))
		}()
		next.ServeHTTP(answer, r)
	})
}

// logRequest logs one line per request. It calls the handler directly, because a logger would determine the source line,
// which no handler prints.
func logRequest(ctx context.Context, log *slog.Logger, level slog.Level, at time.Time, attrs ...slog.Attr) {
	if !log.Enabled(ctx, level) {
		return
	}
	record := slog.NewRecord(at, level, "request", 0)
	record.AddAttrs(attrs...)
	_ = log.Handler().Handle(ctx, record) // as a logger does
}

// unnamedCallers is logged once, because it is a problem of the installation and not of a request.
const unnamedCallers = "a request came from an internal address that did not name its client: throttles by address are off " +
	"for such requests; set TICKETGATE_TRUSTED_PROXIES to the proxy's network, and have the proxy send X-Forwarded-For"

// firstSegment returns the part of a path without a route that the log shows.
func firstSegment(path string) string {
	segment, rest, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	const longest = 20
	if len(segment) > longest {
		segment = segment[:longest]
	}
	if rest != "" {
		return "/" + segment + "/…"
	}
	return "/" + segment
}

// Segments returns the first segment of a path and whether more follow. Empty segments don't count.
func Segments(path string) (first string, other bool) {
	first, rest, _ := strings.Cut(strings.TrimLeft(path, "/"), "/")
	return first, strings.Trim(rest, "/") != ""
}

// newRequestID returns a new id. It never uses an id from the client, which could forge log lines.
func newRequestID() string {
	var raw [8]byte
	_, _ = rand.Read(raw[:]) // never fails: crypto/rand ends the program instead
	return hex.EncodeToString(raw[:])
}

func setHeaders(header http.Header, requestID string, secure bool) {
	maps.Copy(header, sameForAll)
	header["X-Request-Id"] = []string{requestID}
	if secure {
		header.Set("Strict-Transport-Security", "max-age=31536000")
	}
}

// sameForAll holds the header fields that all responses share. A handler can replace a value, but must not change it in
// place.
var sameForAll = http.Header{
	"X-Content-Type-Options":  {"nosniff"},
	"Content-Security-Policy": {"default-src 'none'; frame-ancestors 'none'"},
	"Referrer-Policy":         {"no-referrer"},
	"Cache-Control":           {"no-store"},
}

// afterPanic responds with 500 if nothing was written yet. The process continues.
func afterPanic(w *statusRecorder, r *http.Request, log *slog.Logger, reason any) {
	if err, ok := reason.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		return
	}
	log.ErrorContext(r.Context(), "panic", "request_id", domain.CallOf(r.Context()).RequestID,
		"panic", fmt.Sprint(reason), "stack", string(debug.Stack()))
	if w.status == 0 {
		WriteError(w, r, log, domain.NewError(domain.CodeInternal, "Internal error"))
	}
}
