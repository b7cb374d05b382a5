package rest

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/gorilla/mux"

	"ticketgate/domain"
)

// plainPath serves `//api/keys` and `/api/keys/` as `/api/keys`, without a redirect (PATH-1). It works on the path as
// sent, because an external code may contain an encoded slash.
func plainPath(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent := sentPath(r)
		if isPlain(sent) {
			next.ServeHTTP(w, r)
			return
		}
		segments := strings.FieldsFunc(sent, func(c rune) bool { return c == '/' })
		plain := "/" + unreserved.ReplaceAllStringFunc(strings.Join(segments, "/"), decodeUnreserved)
		if plain != sent {
			changed := *r.URL
			changed.RawPath = plain
			changed.Path, _ = url.PathUnescape(plain) // it was valid before
			r = r.Clone(r.Context())
			r.URL = &changed
		}
		next.ServeHTTP(w, r)
	})
}

// sentPath returns the path as it was sent.
func sentPath(r *http.Request) string {
	if r.URL.RawPath == "" && isSafe(r.URL.Path) {
		return r.URL.Path // it needs no escapes, which EscapedPath would search for again
	}
	return r.URL.EscapedPath()
}

// isSafe reports whether a path consists of slashes and characters that are never escaped.
func isSafe(path string) bool {
	for _, c := range []byte(path) {
		switch {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9', 'A' <= c && c <= 'Z', c == '/', c == '-', c == '_', c == '.', c == '~':
		default:
			return false
		}
	}
	return true
}

// isPlain reports whether a path has neither empty segments nor escapes.
func isPlain(path string) bool {
	return len(path) > 1 && path[0] == '/' && path[len(path)-1] != '/' && !strings.Contains(path, "//") && !strings.Contains(path, "%")
}

// unreserved matches escapes of RFC 3986's unreserved characters: letters, digits and - . _ ~.
var unreserved = regexp.MustCompile(`%(?:2[DEde]|3[0-9]|4[1-9A-Fa-f]|5[0-9AFaf]|6[1-9A-Fa-f]|7[0-9AEae])`)

func decodeUnreserved(escape string) string {
	decoded, err := url.PathUnescape(escape)
	if err != nil {
		return escape
	}
	return decoded
}

// pathValue returns a variable of the path, decoded exactly once (PATH-1).
func pathValue(r *http.Request, name string) (string, error) {
	value, err := url.PathUnescape(mux.Vars(r)[name])
	if err != nil || isNoText(value) {
		return "", domain.Invalid(name, "must be valid UTF-8 without the NUL character")
	}
	return value, nil
}
