package rest

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"ticketgate/domain"
	"ticketgate/domain/webhook"
)

func TestEveryCodeHasAStatus(t *testing.T) {
	for _, code := range domain.Codes() {
		if statusOf[code] == 0 {
			t.Errorf("%s has no status", code)
		}
	}
	if len(statusOf) != len(domain.Codes()) {
		t.Errorf("%d statuses for %d codes", len(statusOf), len(domain.Codes()))
	}
}

func TestPlainPath(t *testing.T) {
	for sent, want := range map[string]string{
		"/api/keys":                  "/api/keys",
		"//api/keys":                 "/api/keys",
		"/api/keys/":                 "/api/keys",
		"/api//keys///info/":         "/api/keys/info",
		"/":                          "/",
		"/api/entries/A%2FB/ticket":  "/api/entries/A%2FB/ticket",
		"/api/entries/%252F/ticket/": "/api/entries/%252F/ticket",
		"/api/entries/../ticket":     "/api/entries/../ticket",
		"/api/entries/%2F%2F/ticket": "/api/entries/%2F%2F/ticket",
	} {
		var got string
		handler := plainPath(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r.URL.EscapedPath() }))
		handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodPut, sent, nil))
		if got != want {
			t.Errorf("%s is served as %s, want %s", sent, got, want)
		}
	}
}

func TestListQuery(t *testing.T) {
	for query, want := range map[string]string{
		"":                         "",
		"top=1&skip=0":             "",
		"top=1000":                 "",
		"name=":                    "",
		"top=0":                    "top must be an integer from 1 to 1000",
		"top=1001":                 "top must be an integer from 1 to 1000",
		"top=1e3":                  "top must be an integer",
		"top=%2B5":                 "top must be an integer",
		"top=%D9%A5":               "top must be an integer",
		"top=00010":                "top must be an integer",
		"top=":                     "top must be an integer",
		"skip=-1":                  "skip must be an integer of at least 0",
		"skip=9223372036854775808": "skip must be an integer",
		"top=1&top=2":              "top must not be repeated",
		"limit=5":                  "limit is not known; the parameters are name, top, skip",
		"name[]=a":                 "name[] is not known; the parameters are name, top, skip",
		"name=%00":                 "name must be valid UTF-8 without the NUL character",
		"name=%E9":                 "name must be valid UTF-8 without the NUL character",
		"top=0&skip=-1":            "top must be an integer from 1 to 1000; skip must be an integer of at least 0",
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/?"+query, nil)
		q := readListQuery(r, "name", "top", "skip")
		_, err := q.page(nil)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("?%s: %q, want %q", query, got, want)
		}
	}
	for query, fields := range map[string]int{"%zz": 0, "top=1;skip=2": 0, "top=0&%zz": 1} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/?"+query, nil)
		_, err := readListQuery(r, "name", "top", "skip").page(nil)
		refused := domain.AsError(err)
		malformed := strings.Contains(refused.Message, "The query string is not valid")
		if StatusOf(refused.Code) != http.StatusBadRequest || !malformed || len(refused.Fields) != fields {
			t.Errorf("?%s: %s %s %+v", query, refused.Code, refused.Message, refused.Fields)
		}
	}
}

// A parameter that was refused is not judged once more by the rules of the filter.
func TestOneFaultOfAFilterIsOneSentence(t *testing.T) {
	for query, want := range map[string]string{
		"objectId=%00":              "objectId must be valid UTF-8 without the NUL character",
		"objectId=%E9":              "objectId must be valid UTF-8 without the NUL character",
		"objectId=%00&objectId=%00": "objectId must not be repeated",
		"state=a&state=b":           "state must not be repeated",
		"state=a&objectId=%00":      "objectId must be valid UTF-8 without the NUL character; state must be one of pending, delivered, failed, canceled",
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/?"+query, nil)
		q := readListQuery(r, "objectId", "state")
		_, err := q.page(webhook.DeliveryFilter{ObjectID: q.text("objectId"), State: webhook.State(q.text("state"))})
		if err == nil || err.Error() != want {
			t.Errorf("?%s: %v, want %q", query, err, want)
		}
	}
}

func TestEdge(t *testing.T) {
	var lines strings.Builder
	log := slog.New(slog.NewJSONHandler(&lines, nil))
	handler := Edge(named("/api/things/{id}", http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		panic("the secret of the panic")
	})), log, true)
	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/things/code-1?secret=canary", nil))

	t.Run("answers a panic as an internal error with the request's id", func(t *testing.T) {
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
				t.Errorf("%s stands in the log", secret)
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

// watcher notes what it is told.
type watcher struct {
	begun []string
	ended []Answered
}

type watcherKey struct{}

// Begin leaves something in the context for the handler to find.
func (w *watcher) Begin(r *http.Request) (context.Context, func(Answered)) {
	w.begun = append(w.begun, r.Method)
	return context.WithValue(r.Context(), watcherKey{}, "seen"), func(answered Answered) { w.ended = append(w.ended, answered) }
}

func TestObserversAreToldOfEachRequest(t *testing.T) {
	first, second := &watcher{}, &watcher{}
	log := slog.New(slog.DiscardHandler)
	handler := Edge(named("/api/things/{id}", doing("thing", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Context().Value(watcherKey{}) != "seen" {
			t.Error("the request does not run in the observer's context")
		}
		WriteError(w, r, log, domain.NotFound("Thing"))
	}))), log, false, first, second)
	handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodPut, "/api/things/1", nil))
	for _, w := range []*watcher{first, second} {
		if len(w.begun) != 1 || w.begun[0] != http.MethodPut || len(w.ended) != 1 {
			t.Fatalf("told %v and %v", w.begun, w.ended)
		}
		got := w.ended[0]
		if got.Duration <= 0 {
			t.Error("it took no time")
		}
		got.Duration = 0
		if want := (Answered{Route: "/api/things/{id}", Operation: "thing", Code: domain.CodeNotFound, Status: 404}); got != want {
			t.Errorf("told %+v, want %+v", got, want)
		}
	}
}

func TestObserversAreToldOfAPanic(t *testing.T) {
	w := &watcher{}
	handler := Edge(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("x") }), slog.New(slog.DiscardHandler), false, w)
	handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/secret", nil))
	if len(w.ended) != 1 || w.ended[0].Status != http.StatusInternalServerError || w.ended[0].Route != "" {
		t.Errorf("told %+v", w.ended)
	}
}

func TestNobodyWhoWatchesCostsNothing(t *testing.T) {
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
	allocated := testing.AllocsPerRun(100, func() {
		same, answered := begin(nil, r)
		if same != r {
			t.Error("the request is another one")
		}
		answered(Answered{})
	})
	if allocated != 0 {
		t.Errorf("%v allocations a request", allocated)
	}
}
