package edge

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"ticketgate/domain"
)

func TestWrap(t *testing.T) {
	var lines strings.Builder
	log := slog.New(slog.NewJSONHandler(&lines, nil))
	handler := Wrap(WithRoute("/api/things/{id}", http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		panic("the secret of the panic")
	})), Options{Log: log, Prod: true})
	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/things/code-1?secret=canary", nil))

	t.Run("responds to a panic with an internal error and the request's id", func(t *testing.T) {
		if answer.Code != http.StatusInternalServerError {
			t.Errorf("status %d", answer.Code)
		}
		id := answer.Header().Get("X-Request-Id")
		want := `{"statusCode":500,"error":"Internal Server Error","message":"Internal error","code":"INTERNAL","requestId":"` + id + "\"}\n"
		if got := answer.Body.String(); got != want || id == "" {
			t.Errorf("body %s, want %s", got, want)
		}
	})
	t.Run("logs the route, never the path's values or the query", func(t *testing.T) {
		if !strings.Contains(lines.String(), `"route":"/api/things/{id}"`) {
			t.Errorf("no route in %s", lines.String())
		}
		for _, secret := range []string{"code-1", "canary"} {
			if strings.Contains(lines.String(), secret) {
				t.Errorf("the log contains %s", secret)
			}
		}
	})
	t.Run("sets the security headers", func(t *testing.T) {
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store",
			"Strict-Transport-Security": "max-age=31536000",
		} {
			if got := answer.Header().Get(name); got != want {
				t.Errorf("%s: %q, want %q", name, got, want)
			}
		}
	})
}

func TestRequestIsLoggedAtDebug(t *testing.T) {
	var lines strings.Builder
	handler := Wrap(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/poll" {
			LogAtDebug(r)
		}
	}), Options{Log: slog.New(slog.NewTextHandler(&lines, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	for _, path := range []string{"/poll", "/other"} {
		handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
	}
	poll, other, _ := strings.Cut(lines.String(), "\n")
	if !strings.Contains(poll, "level=DEBUG") || !strings.Contains(other, "level=INFO") {
		t.Errorf("the log is %s", lines.String())
	}
}

// watcher records the calls of an observer.
type watcher struct {
	begun []string
	ended []RequestResult
}

type watcherKey struct{}

// Begin adds a value to the context for the handler to find.
func (w *watcher) Begin(r *http.Request) (context.Context, func(RequestResult)) {
	w.begun = append(w.begun, r.Method)
	return context.WithValue(r.Context(), watcherKey{}, "seen"), func(result RequestResult) { w.ended = append(w.ended, result) }
}

func TestObserversSeeEachRequest(t *testing.T) {
	first, second := &watcher{}, &watcher{}
	log := slog.New(slog.DiscardHandler)
	handler := Wrap(WithRoute("/api/things/{id}", WithOperation("thing", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Context().Value(watcherKey{}) != "seen" {
			t.Error("the request does not run in the observer's context")
		}
		WriteError(w, r, log, domain.NotFound("Thing"))
	}))), Options{Log: log, Observers: []Observer{first, second}})
	handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodPut, "/api/things/1", nil))
	for _, w := range []*watcher{first, second} {
		if len(w.begun) != 1 || w.begun[0] != http.MethodPut || len(w.ended) != 1 {
			t.Fatalf("observed %v and %v", w.begun, w.ended)
		}
		got := w.ended[0]
		if got.Duration <= 0 {
			t.Error("the duration is 0")
		}
		got.Duration = 0
		if want := (RequestResult{Route: "/api/things/{id}", Operation: "thing", Code: domain.CodeNotFound, Status: 404}); got != want {
			t.Errorf("observed %+v, want %+v", got, want)
		}
	}
}

func TestObserversSeeAPanic(t *testing.T) {
	w := &watcher{}
	panics := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("x") })
	handler := Wrap(panics, Options{Log: slog.New(slog.DiscardHandler), Observers: []Observer{w}})
	handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/secret", nil))
	if len(w.ended) != 1 || w.ended[0].Status != http.StatusInternalServerError || w.ended[0].Route != "" {
		t.Errorf("observed %+v", w.ended)
	}
}

func TestNoAllocationWithoutObservers(t *testing.T) {
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
	allocated := testing.AllocsPerRun(100, func() {
		same, result := begin(nil, r)
		if same != r {
			t.Error("the handler got a different request")
		}
		result(RequestResult{})
	})
	if allocated != 0 {
		t.Errorf("%v allocations a request", allocated)
	}
}
