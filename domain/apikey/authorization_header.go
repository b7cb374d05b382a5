package apikey

import "strings"

// maxToken is the maximum length of a system token, the longest kind of token.
const maxToken = 200

// Bearer returns the token of the Authorization header. There must be exactly one header. The scheme is
// case-insensitive, and one or more spaces may follow it (EDGE-10).
func Bearer(headers []string) (string, bool) {
	if len(headers) != 1 {
		return "", false
	}
	scheme, token, _ := strings.Cut(headers[0], " ")
	token = strings.TrimLeft(token, " ")
	return token, strings.EqualFold(scheme, "Bearer") && printable(token)
}

// printable reports whether a token consists of visible ASCII characters and is not too long.
func printable(token string) bool {
	if token == "" || len(token) > maxToken {
		return false
	}
	for _, c := range []byte(token) {
		if c <= ' ' || c > '~' {
			return false
		}
	}
	return true
}
