package apikey

import "strings"

// longestToken is the longest any token can be: the platform's own (decisions 4.2).
const longestToken = 200

// bearer returns the token of the Authorization headers of a request. Only the specified form counts: one
// header, the scheme spelled exactly so, one space (spec 5.1, hardening K15).
func bearer(headers []string) (string, bool) {
	if len(headers) != 1 {
		return "", false
	}
	token, ok := strings.CutPrefix(headers[0], "Bearer ")
	return token, ok && printable(token)
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
