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
	// Prod adds Strict-Transport-Security, and ends throttles by address for requests whose caller's address is not known
	// (EDGE-5).
	Prod bool
	// Proxies are believed about the caller's address.
	Proxies Proxies
	// Bodies bounds the bodies that are held at a time; nil bounds none.
	Bodies *Bodies
	// Reads bounds the large reads that are answered at a time; nil bounds none.
	Reads *Reads
	// Admit takes a token from the caller's bucket for an operation that needs no credential; nil has no buckets.
	Admit     func(*domain.Actor, domain.Call) error
	Observers []Observer
}

// Wrap adds what every request gets: an id, the security headers, one log line, the observers, and 500 after a panic.
// Handlers find what is known of the request in domain.CallOf.
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
		answer := &recorder{ResponseWriter: w}
		found := &match{logged: firstSegment(r.URL.Path), writer: answer, bodies: options.Bodies}
		if options.Reads != nil {
			call.Read.Wait = func(ctx context.Context) error { return options.Reads.wait(ctx, found) }
		}
		r = r.WithContext(context.WithValue(domain.WithCall(r.Context(), call), matchKey{}, found))
		r, answered := begin(options.Observers, r)
		defer func() {
			if trouble := recover(); trouble != nil {
				afterPanic(answer, r, options.Log, trouble)
			}
			for _, end := range found.ends {
				end()
			}
			found.answered.Status, found.answered.Duration = answer.status, time.Since(started)
			answered(found.answered)
			// Never the query string: it may hold a secret (EDGE-2).
			options.Log.LogAttrs(r.Context(), slog.LevelInfo, "request",
				slog.String("request_id", id), slog.String("method", r.Method), slog.String("route", found.logged),
				slog.Int("status", answer.status), slog.Duration("duration", found.answered.Duration),
				slog.String("address", call.Address))
		}()
		next.ServeHTTP(answer, r)
	})
}

// unnamedCallers is logged once: it is a fault of the installation, not of a request.
const unnamedCallers = "a request came from an internal address that did not name its client: throttles by address are off " +
	"for such requests; set TICKETGATE_TRUSTED_PROXIES to the proxy's network, and have the proxy send X-Forwarded-For"

// firstSegment is what the log shows of a path that matched no route.
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

// newRequestID never takes an id from the client, which could forge log lines.
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

// sameForAll are the fields that are the same in all responses. A handler that sets another value replaces the list.
var sameForAll = http.Header{
	"X-Content-Type-Options":  {"nosniff"},
	"Content-Security-Policy": {"default-src 'none'; frame-ancestors 'none'"},
	"Referrer-Policy":         {"no-referrer"},
	"Cache-Control":           {"no-store"},
}

// afterPanic responds with 500 if nothing was written yet; the process goes on.
func afterPanic(w *recorder, r *http.Request, log *slog.Logger, trouble any) {
	if err, ok := trouble.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		return
	}
	log.ErrorContext(r.Context(), "panic", "request_id", domain.CallOf(r.Context()).RequestID,
		"panic", fmt.Sprint(trouble), "stack", string(debug.Stack()))
	if w.status == 0 {
		WriteError(w, r, log, domain.NewError(domain.CodeInternal, "Internal error"))
	}
}
