package rest

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"ticketgate/domain"
	"ticketgate/domain/webhook"
	"ticketgate/graph/edge"
)

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
		"skip=-1":                  "skip must not be negative",
		"skip=9223372036854775808": "skip must be an integer",
		"top=1&top=2":              "top must not be repeated",
		"limit=5":                  "limit is not a known parameter",
		"name[]=a":                 "name[] is not a known parameter",
		"name=%00":                 "name must be valid UTF-8 without the NUL character",
		"name=%E9":                 "name must be valid UTF-8 without the NUL character",
		"top=0&skip=-1":            "top must be an integer from 1 to 1000; skip must not be negative",
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
	for query, want := range map[string]string{"limit=5": "The parameters are name, top, skip", "top=0": ""} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/?"+query, nil)
		_, err := readListQuery(r, "name", "top", "skip").page(nil)
		if hint := domain.AsError(err).Fields[0].Hint; hint != want {
			t.Errorf("?%s: got hint %q, want %q", query, hint, want)
		}
	}
	for query, fields := range map[string]int{"%zz": 0, "top=1;skip=2": 0, "top=0&%zz": 1} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/?"+query, nil)
		_, err := readListQuery(r, "name", "top", "skip").page(nil)
		refused := domain.AsError(err)
		malformed := strings.Contains(refused.Message, "The query string is not valid")
		if edge.StatusOf(refused.Code) != http.StatusBadRequest || !malformed || len(refused.Fields) != fields {
			t.Errorf("?%s: %s %s %+v", query, refused.Code, refused.Message, refused.Fields)
		}
	}
}

// An unencoded plus sign arrives as a space (TEXT-3).
func TestSpaceInsteadOfPlusGetsHint(t *testing.T) {
	for query, want := range map[string]string{
		"email=a%2Bb@x.example":            "",
		"email=a.b@x.example":              "",
		"email=":                           "",
		"email=a+b@x.example":              "email must be an email address such as name@example.com; write + as %2B",
		"email=a%20b@x.example":            "email must be an email address such as name@example.com; write + as %2B",
		"email=a%C2%A0b@x.example":         "email must be an email address such as name@example.com; write + as %2B",
		"from=2026-11-29T09:27:00%2B01:00": "",
		"from=2026-11-29T09:27:00+01:00":   "from must be an RFC 3339 date-time such as 2026-11-27T20:37:00.120Z; write + as %2B",
		"from=2026-11-29":                  "from must be an RFC 3339 date-time such as 2026-11-27T20:37:00.120Z",
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/?"+query, nil)
		q := readListQuery(r, "email", "from")
		q.email("email")
		q.instant("from")
		got := ""
		if err := q.errs.Err(); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("?%s: %q, want %q", query, got, want)
		}
	}
}

// A refused parameter is not checked again by the filter.
func TestFilterErrorIsOneSentence(t *testing.T) {
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
