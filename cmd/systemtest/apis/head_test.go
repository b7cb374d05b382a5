package apis

import (
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/rest"
)

// answerOf returns the response and its body.
func answerOf(t *testing.T, h *apitest.Server, who apitest.Caller, method, path, accept string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, h.URL+path, nil)
	systemtest.Must(t, err)
	for name, value := range who {
		r.Header.Set(name, value)
	}
	if accept != "" {
		r.Header.Set("Accept", accept)
	}
	response, err := http.DefaultClient.Do(r)
	systemtest.Must(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	systemtest.Must(t, err)
	return response, string(text)
}

func TestHEADIsServedWhereverGETIs(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t)
	key := apitest.Bearer(h.Demo.Sellers[0].APIKey)
	type target struct{ path, accept string }
	targets := []target{
		{"/", ""},
		{"/", "*/*"},
		{"/", "application/json"},
		{"/login", "text/html"},
		{"/login", "*/*"},
		{"/docs", ""},
		{"/nothing", ""},
		{"/livez", ""},
		{"/readyz", ""},
		{"/api/openapi.json", ""},
		{"/api/nothing", ""},
		{"//api/keys/", ""},
		{"/api/access-lists?top=0", ""},
		{"/graphql", ""},
	}
	for _, route := range rest.Routes() {
		if route.Method == http.MethodGet {
			targets = append(targets, target{apitest.InBraces.ReplaceAllString(route.Path, "0123456789abcdef01234567"), ""})
		}
	}
	for _, to := range targets {
		got, text := answerOf(t, h, key, http.MethodHead, to.path, to.accept) //nolint:bodyclose // answerOf has closed it
		want, body := answerOf(t, h, key, http.MethodGet, to.path, to.accept) //nolint:bodyclose // answerOf has closed it
		if got.StatusCode != want.StatusCode || got.Header.Get("Content-Type") != want.Header.Get("Content-Type") || text != "" {
			t.Errorf("HEAD %s: %d %s %q, want %d %s", to.path, got.StatusCode, got.Header.Get("Content-Type"), text,
				want.StatusCode, want.Header.Get("Content-Type"))
		}
		if body == "" {
			t.Errorf("GET %s has no body", to.path)
		}
	}
}

// A path without GET has no HEAD: both are refused in the same way, and Allow lists the methods.
func TestHEADIsRefusedWhereGETIs(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t)
	key, methods := apitest.Bearer(h.Demo.Sellers[0].APIKey), map[string][]string{}
	for _, route := range rest.Routes() {
		methods[route.Path] = append(methods[route.Path], route.Method)
	}
	tried := 0
	for path, of := range methods {
		path = apitest.InBraces.ReplaceAllString(path, "0123456789abcdef01234567")
		if servesGET(path) {
			continue
		}
		got, text := answerOf(t, h, key, http.MethodHead, path, "") //nolint:bodyclose // answerOf has closed it
		want, body := answerOf(t, h, key, http.MethodGet, path, "") //nolint:bodyclose // answerOf has closed it
		if got.StatusCode != http.StatusMethodNotAllowed || text != "" || got.Header.Get("Content-Type") != want.Header.Get("Content-Type") ||
			got.Header.Get("Allow") != want.Header.Get("Allow") {
			t.Errorf("HEAD %s: %d %v %q", path, got.StatusCode, got.Header, text)
		}
		if want.StatusCode != http.StatusMethodNotAllowed || !strings.Contains(body, "METHOD_NOT_ALLOWED") {
			t.Errorf("GET %s: %d %s", path, want.StatusCode, body)
		}
		for _, method := range of {
			if allow := got.Header.Get("Allow"); !strings.Contains(allow, method) || strings.Contains(allow, http.MethodHead) {
				t.Errorf("HEAD %s allows %q", path, allow)
			}
		}
		tried++
	}
	if tried < 10 {
		t.Errorf("only %d paths were tried", tried)
	}
}

// servesGET reports whether a route serves GET on the path, for example the route of an entry on a path whose last segment is
// something else.
func servesGET(path string) bool {
	return slices.ContainsFunc(rest.Routes(), func(route rest.Route) bool {
		pattern := regexp.MustCompile("^" + apitest.InBraces.ReplaceAllString(route.Path, "[^/]+") + "$")
		return route.Method == http.MethodGet && pattern.MatchString(path)
	})
}

func TestTheRootServesTheDashboard(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t)
	for accept, want := range map[string]string{
		"": "text/html; charset=utf-8", "*/*": "text/html; charset=utf-8", "application/json": "application/json; charset=utf-8",
	} {
		response, text := answerOf(t, h, nil, http.MethodGet, "/", accept) //nolint:bodyclose // answerOf has closed it
		status := map[bool]int{true: http.StatusNotFound, false: http.StatusOK}[accept == "application/json"]
		if response.StatusCode != status || response.Header.Get("Content-Type") != want {
			t.Errorf("%q: %d %s %.200s", accept, response.StatusCode, response.Header.Get("Content-Type"), text)
		}
	}
}

func TestSchemeBearerInBothAPIs(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t)
	secret := h.Demo.Sellers[0].APIKey
	for value, want := range map[string]int{
		"Bearer " + secret: http.StatusOK, "bearer " + secret: http.StatusOK, "BEARER  " + secret: http.StatusOK,
		"bEARER      " + secret: http.StatusOK, "Bearer\t" + secret: http.StatusUnauthorized,
		"Bearer" + secret: http.StatusUnauthorized, "Basic " + secret: http.StatusUnauthorized, secret: http.StatusUnauthorized,
	} {
		for _, to := range []struct{ method, path, body string }{
			{http.MethodGet, "/api/keys/info", ""},
			{http.MethodPost, "/graphql", `{"query":"{apiKeyInfo{_id}}"}`},
		} {
			status, text := systemtest.Request(t, to.method, h.URL+to.path, to.body, "Authorization: "+value)
			if status != want {
				t.Errorf("%s with %.12q: %d %s, want %d", to.path, value, status, text, want)
			}
		}
	}
}
