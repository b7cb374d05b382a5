package apikey

import "strings"

// longestToken is the longest that a token can be, which is the platform's own.
const longestToken = 200

// bearer returns the token of the Authorization headers of a request: of exactly one header, with the scheme in any case
// and one or more spaces after it (EDGE-10).
func bearer(headers []string) (string, bool) {
	if len(headers) != 1 {
		return "", false
	}
	scheme, token, _ := strings.Cut(headers[0], " ")
	token = strings.TrimLeft(token, " ")
	return token, strings.EqualFold(scheme, "Bearer") && printable(token)
}

// printable tells whether a token has only visible ASCII characters, which leaves out any further white space.
func printable(token string) bool {
	if token == "" || len(token) > longestToken {
		return false
	}
	for _, c := range []byte(token) {
		if c <= ' ' || c > '~' {
			return false
		}
	}
	return true
}
