package rest

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/gorilla/mux"

	"ticketgate/domain"
)

// plainPath serves `//api/keys` and `/api/keys/` as `/api/keys`, without a redirect (decisions 1.8). It works on
// the path as it was sent: an external code may hold an encoded slash.
func plainPath(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent := r.URL.EscapedPath()
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

// unreserved finds escapes of what RFC 3986 leaves to be written either way: letters, digits and - . _ ~.
var unreserved = regexp.MustCompile(`%(?:2[DEde]|3[0-9]|4[1-9A-Fa-f]|5[0-9AFaf]|6[1-9A-Fa-f]|7[0-9AEae])`)

func decodeUnreserved(escape string) string {
	decoded, err := url.PathUnescape(escape)
	if err != nil {
		return escape
	}
	return decoded
}

// pathValue returns a segment of the path, decoded exactly once (decisions 5.4).
func pathValue(r *http.Request, name string) (string, error) {
	value, err := url.PathUnescape(mux.Vars(r)[name])
	if err != nil || isNoText(value) {
		return "", domain.Invalid(name, "must be valid UTF-8 without the NUL character")
	}
	return value, nil
}
