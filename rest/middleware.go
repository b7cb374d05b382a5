package rest

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"ticketgate/domain"
)

// requestTimeout bounds an ordinary request, its wait for a database connection included.
const requestTimeout = 10 * time.Second

// Edge wraps everything the program serves: the request id, the security headers, one log line a request, what the
// observers are told, and what happens after a panic.
func Edge(next http.Handler, log *slog.Logger, secure bool, observers ...Observer) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		started, id := time.Now(), newRequestID()
		setHeaders(w.Header(), id, secure)
		host, _, err := net.SplitHostPort(r.RemoteAddr)
		if err != nil {
			host = r.RemoteAddr
		}
		match := &matched{logged: firstSegment(r.URL.Path)}
		r = r.WithContext(context.WithValue(domain.WithCall(r.Context(), domain.Call{
			RequestID: id, Address: host, Language: r.Header.Get("Accept-Language"), UserAgent: r.UserAgent(),
			CheckoutSecret: r.Header.Get("Checkout-Secret"),
		}), routeKey{}, match))
		recorder := &statusRecorder{ResponseWriter: w}
		r, answered := begin(observers, r)
		defer func() {
			if trouble := recover(); trouble != nil {
				afterPanic(recorder, r, log, trouble)
			}
			match.told.Status, match.told.Duration = recorder.status, time.Since(started)
			answered(match.told)
			// Never the query string: it may hold a secret (decisions 8.4).
			log.LogAttrs(r.Context(), slog.LevelInfo, "request",
				slog.String("request_id", id), slog.String("method", r.Method), slog.String("route", match.logged),
				slog.Int("status", recorder.status), slog.Duration("duration", match.told.Duration),
				slog.String("address", host))
		}()
		next.ServeHTTP(recorder, r)
	})
}

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

// newRequestID is ours alone: an id sent by the client could forge log lines.
func newRequestID() string {
	var raw [8]byte
	_, _ = rand.Read(raw[:]) // never fails: crypto/rand ends the program instead
	return hex.EncodeToString(raw[:])
}

func setHeaders(header http.Header, requestID string, secure bool) {
	header.Set("X-Request-Id", requestID)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Cache-Control", "no-store")
	if secure {
		header.Set("Strict-Transport-Security", "max-age=31536000")
	}
}

// afterPanic answers 500 when nothing was written yet; the process lives on.
func afterPanic(w *statusRecorder, r *http.Request, log *slog.Logger, trouble any) {
	if err, ok := trouble.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		return
	}
	log.ErrorContext(r.Context(), "panic", "request_id", domain.CallOf(r.Context()).RequestID,
		"panic", fmt.Sprint(trouble), "stack", string(debug.Stack()))
	if w.status == 0 {
		WriteError(w, r, log, domain.NewError(domain.CodeInternal, "Internal error"))
	}
}

// statusRecorder remembers the status for the log line.
type statusRecorder struct {
	http.ResponseWriter
	status int
}

// WriteHeader notes the status and passes it on.
func (w *statusRecorder) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write passes the body on; without a status before it, the status is 200.
func (w *statusRecorder) Write(body []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	return w.ResponseWriter.Write(body)
}

// Unwrap lets http.ResponseController reach the connection.
func (w *statusRecorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// withTimeout gives the request's context its deadline.
func withTimeout(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), requestTimeout)
		defer cancel()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}
