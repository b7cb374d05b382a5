package dashboard

import (
	"bytes"
	"compress/gzip"
	"errors"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
)

func get(t *testing.T, site *Site, path string, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	answer := httptest.NewRecorder()
	site.ServeHTTP(answer, r)
	return answer
}

func TestLandingPageIsServedWithoutBuild(t *testing.T) {
	t.Parallel()
	site := newSite(fstest.MapFS{".gitkeep": {}})
	answer := get(t, site, "/anything")
	if got := answer.Header().Get("Content-Type"); got != "text/html; charset=utf-8" || site.Built() {
		t.Errorf("content type %q, built %v", got, site.Built())
	}
	for _, wanted := range []string{"/graphql", "/api/openapi.json", "docs/first-webhook.md", "was not built"} {
		if !strings.Contains(answer.Body.String(), wanted) {
			t.Errorf("the landing page does not contain %s", wanted)
		}
	}
}

func TestPageReferencesFilesByAddress(t *testing.T) {
	t.Parallel()
	site := newSite(fstest.MapFS{
		"index.html": {Data: []byte(`<head><link href="/assets/all.css" nonce="{{nonce}}"></head><body></body>`)},
		"pages.json": {Data: []byte(`[{"path":"/lists/new","files":["assets/new.js"]},
			{"path":"/lists/*","files":["assets/list.js","assets/list.css"]}]`)},
	})
	nonce := regexp.MustCompile(`nonce="[A-Z2-7]{26}"`)
	for path, want := range map[string]string{
		"/lists/new": `<link rel="modulepreload" crossorigin href="/assets/new.js" NONCE>` + "\n",
		"/lists/1": `<link rel="modulepreload" crossorigin href="/assets/list.js" NONCE>` + "\n" +
			`<link rel="stylesheet" crossorigin href="/assets/list.css" NONCE>` + "\n",
		"/lists": "",
		"/lists/a%2Fb/": `<link rel="modulepreload" crossorigin href="/assets/list.js" NONCE>` + "\n" +
			`<link rel="stylesheet" crossorigin href="/assets/list.css" NONCE>` + "\n",
		"/lists/1/2": "",
		"/":          "",
	} {
		got := nonce.ReplaceAllString(get(t, site, path).Body.String(), "NONCE")
		if want := `<head><link href="/assets/all.css" NONCE>` + want + `</head><body></body>`; got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
}

func TestPathsOfPages(t *testing.T) {
	t.Parallel()
	listed := newSite(fstest.MapFS{"pages.json": {Data: []byte(`[{"path":"/"},{"path":"/login"},{"path":"/events/new"},
		{"path":"/events/*"},{"path":"/docs/guides/*"}]`)}})
	for path, want := range map[string]bool{
		"/": true, "": true, "/login": true, "/login/": true, "/Login": true, "/events/new": true, "/events/1": true,
		"/events/a%2Fb": true, "/events/%2e%2e": true, "/events/a%252Fb//": true, "/events/%5B": true, "/docs/guides/webhooks": true,
		"/logins": false, "/login/x": false, "//login": false, "/events": false, "/events/1/2": false, "/docs": false,
		"/docs/guides": false, "/*": false, "/nothing": false, "/assets/app.js": false, "/pages.json": false,
	} {
		if listed.HasPage(path) != want {
			t.Errorf("%q: want %v", path, want)
		}
	}
	if newSite(fstest.MapFS{}).HasPage("/login") {
		t.Error("HasPage returns true without a build")
	}
}

// TestBuildListsItsPages checks pages.json of the build, if there is one.
func TestBuildListsItsPages(t *testing.T) {
	t.Parallel()
	site := New()
	if !site.Built() {
		t.Skip("the dashboard is not built")
	}
	for _, path := range []string{
		"/", "/login", "/invitation", "/reset-password", "/docs", "/docs/api", "/docs/api/createWebhook", "/docs/guides/webhooks",
		"/events", "/events/new", "/events/1", "/transactions/1", "/deliveries/1", "/settings", "/account", "/sellers/new",
	} {
		if !site.HasPage(path) {
			t.Errorf("%s is not listed", path)
		}
	}
	for _, path := range []string{"/api", "/graphql", "/api/keys", "/metrics", "/robots.txt", "/nothing", "/events/1/2"} {
		if site.HasPage(path) {
			t.Errorf("%s is listed", path)
		}
	}
}

func gzipped(t *testing.T, text string) []byte {
	t.Helper()
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, err := w.Write([]byte(text))
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}

func TestBuiltPage(t *testing.T) {
	t.Parallel()
	packed := gzipped(t, "plain")
	site := newSite(fstest.MapFS{
		"index.html":          {Data: []byte(`<meta property="csp-nonce" nonce="{{nonce}}"><link nonce="{{nonce}}">`)},
		"assets/app-1.js.gz":  {Data: packed},
		"assets/font-2.woff2": {Data: []byte("font")},
	})

	t.Run("is served at every address with a new nonce, which the policy allows only for styles", func(t *testing.T) {
		t.Parallel()
		seen := map[string]bool{}
		for _, path := range []string{"/", "/keys/1", "/assets/old.js", "/assets/", "/index.html"} {
			answer := get(t, site, path)
			found := regexp.MustCompile(`nonce="([A-Z2-7]{26})"`).FindAllStringSubmatch(answer.Body.String(), -1)
			if len(found) != 2 || found[0][1] != found[1][1] || seen[found[0][1]] {
				t.Fatalf("%s: got %s", path, answer.Body)
			}
			nonce := found[0][1]
			seen[nonce] = true
			policy := answer.Header().Get("Content-Security-Policy")
			if !strings.Contains(policy, "script-src 'self';") || !strings.Contains(policy, "style-src 'self' 'nonce-"+nonce+"';") ||
				strings.Contains(policy, "unsafe") || !strings.Contains(policy, "frame-ancestors 'none'") {
				t.Errorf("%s: policy %q", path, policy)
			}
		}
	})
	t.Run("serves files with a cache lifetime of a year, compressed if the client accepts it", func(t *testing.T) {
		t.Parallel()
		for _, row := range []struct{ path, accepts, body, encoding, kind string }{
			{"/assets/app-1.js", "gzip, br", string(packed), "gzip", "text/javascript; charset=utf-8"},
			{"/assets/app-1.js", "identity", "plain", "", "text/javascript; charset=utf-8"},
			{"/assets/font-2.woff2", "gzip", "font", "", "font/woff2"},
		} {
			answer := get(t, site, row.path, "Accept-Encoding", row.accepts)
			header := answer.Header()
			if answer.Body.String() != row.body || header.Get("Content-Encoding") != row.encoding ||
				header.Get("Content-Type") != row.kind || header.Get("Cache-Control") != "public, max-age=31536000, immutable" {
				t.Errorf("%+v: got %s, %v", row, answer.Body, header)
			}
		}
	})
	t.Run("distinguishes files from addresses", func(t *testing.T) {
		t.Parallel()
		for path, want := range map[string]bool{
			"/assets/app-1.js": true, "/assets": false, "/assets/": false, "/assets/none.js": false, "/index.html": false,
			"/assets/../index.html": false, "/": false,
		} {
			if site.Has(path) != want {
				t.Errorf("%s: want %v", path, want)
			}
		}
	})
}
