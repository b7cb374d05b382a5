package graph

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
	"time"

	"ticketgate/domain/tenant"
)

// sessionCookie is the cookie of a dashboard session. Resolvers get it from the context. REST requests have none, so
// nothing is set.
type sessionCookie struct {
	w      http.ResponseWriter
	name   string
	secure bool
	// used is true if the browser sent its session or received one.
	used bool
	// position is the position of the browser's last change, as it was sent.
	position string
}

type sessionCookieKey struct{}

func newSessionCookie(w http.ResponseWriter, secure bool) *sessionCookie {
	cookie := &sessionCookie{w: w, secure: secure}
	cookie.name = cookie.prefix() + "ticketgate-session"
	return cookie
}

// sent returns the secret of the session that the browser sent, or an empty string.
func (c *sessionCookie) sent(r *http.Request) string {
	if position, err := r.Cookie(c.prefix() + positionName); err == nil {
		c.position = position.Value
	}
	cookie, err := r.Cookie(c.name)
	if err != nil {
		return ""
	}
	c.used = true
	return cookie.Value
}

func (c *sessionCookie) set(value string, maxAge int) {
	http.SetCookie(c.w, &http.Cookie{
		Name: c.name, Value: value, Path: "/", MaxAge: maxAge,
		Secure: c.secure, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
}

// placePrefix starts the names of the cookies that mark a browser as known for accounts that signed in there
// (ACCOUNT-7). Each account has its own cookie, named after the start of its id's digest.
const (
	placePrefix     = "ticketgate-place-"
	placeNameDigits = 8
	// maxPlaces is the maximum number of such cookies that are read.
	maxPlaces = 20
)

// placeTokens returns the tokens of known places that the browser sent.
func (c *sessionCookie) placeTokens(r *http.Request) []string {
	var tokens []string
	for _, cookie := range r.Cookies() {
		if strings.HasPrefix(cookie.Name, c.prefix()+placePrefix) && len(tokens) < maxPlaces {
			tokens = append(tokens, cookie.Value)
		}
	}
	return tokens
}

func (c *sessionCookie) setPlace(userID, token string) {
	digest := sha256.Sum256([]byte(userID))
	http.SetCookie(c.w, &http.Cookie{
		Name: c.prefix() + placePrefix + hex.EncodeToString(digest[:])[:placeNameDigits], Value: token, Path: "/",
		MaxAge: int(tenant.PlaceTokenLifetime / time.Second), Secure: c.secure, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
}

// prefix returns the start of each cookie's name. Browsers accept names with __Host- only from this host and over TLS.
func (c *sessionCookie) prefix() string {
	if c.secure {
		return "__Host-"
	}
	return ""
}

func (c *sessionCookie) clear() { c.set("", -1) }

// signedIn sets the cookies of a new session if the login asked for them.
func signedIn(ctx context.Context, result tenant.LoginResult, err error) (tenant.LoginResult, error) {
	keepSession(ctx, result, err)
	return result, err
}

// keepSession sets the cookies of a new session if the caller asked for them.
func keepSession(ctx context.Context, result tenant.LoginResult, err error) {
	cookie, ok := ctx.Value(sessionCookieKey{}).(*sessionCookie)
	if !ok || err != nil || result.Cookie == "" {
		return
	}
	cookie.set(result.Cookie, 0)
	cookie.used = true
	if result.PlaceToken != "" {
		cookie.setPlace(result.User.ID, result.PlaceToken)
	}
}

// signedOut removes the cookie of a session that has ended.
func signedOut(ctx context.Context, err error) error {
	if cookie, ok := ctx.Value(sessionCookieKey{}).(*sessionCookie); ok && err == nil {
		cookie.clear()
	}
	return err
}
