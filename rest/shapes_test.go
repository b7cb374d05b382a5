package rest

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gorilla/mux"
)

// A request reaches the same route, with the same variables, as with mux's own patterns.
func TestRequestsReachTheirRoute(t *testing.T) {
	t.Parallel()
	said := func(of Route) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { _, _ = fmt.Fprint(w, of.Method, of.Path, mux.Vars(r)) }
	}
	unrouted := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, "unrouted") })
	ours, theirs := newShapes(unrouted), mux.NewRouter().UseEncodedPath().SkipClean(true)
	theirs.NotFoundHandler, theirs.MethodNotAllowedHandler = unrouted, unrouted
	paths := map[string]bool{"/": true, "/api": true, "/api/": true, "/other/keys": true, "/api/keysx": true, "/api/keys/%2Fx/y": true}
	for _, route := range Routes() {
		ours.route(route.Path, methodsFor(route.Method)...).Handler(said(route))
		theirs.Path(route.Path).Methods(methodsFor(route.Method)...).Handler(said(route))
		maps.Copy(paths, pathsLike(route.Path))
	}
	served := 0
	for path := range paths {
		for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodOptions} {
			got, want := httptest.NewRecorder(), httptest.NewRecorder()
			ours.ServeHTTP(got, httptest.NewRequest(method, "http://x"+path, http.NoBody))
			theirs.ServeHTTP(want, httptest.NewRequest(method, "http://x"+path, http.NoBody))
			if got.Body.String() != want.Body.String() {
				t.Errorf("%s %s reaches %s, want %s", method, path, got.Body, want.Body)
			}
			if got.Body.String() != "unrouted" {
				served++
			}
		}
	}
	if served < len(Routes()) {
		t.Errorf("only %d requests were served", served)
	}
}

// pathsLike returns paths that match the template, and some that almost do.
func pathsLike(template string) map[string]bool {
	paths := map[string]bool{template + "/": true, template + "/x": true, template + "x": true, "/x" + template: true}
	for _, value := range []string{"x", "entries", "imports", "info", "v2", "tickets", "a%2Fb", "%C3%A9", "a b", "a+b", "a:b", ".", ""} {
		var filled []string
		for part := range strings.SplitSeq(template, "/") {
			if strings.HasPrefix(part, "{") {
				part = value
			}
			filled = append(filled, part)
		}
		paths[strings.ReplaceAll(strings.Join(filled, "/"), " ", "%20")] = true
	}
	return paths
}
