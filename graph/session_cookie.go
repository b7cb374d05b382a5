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

// sessionCookie is the dashboard's session between browser and server (decisions 4.3). A resolver reaches it
// through the context; under REST there is none, and nothing is set.
type sessionCookie struct {
	w      http.ResponseWriter
	name   string
	secure bool
	// used is true if the browser sent its session, or got one.
	used bool
	// position is what the browser sent of its last change.
	position string
}

type sessionCookieKey struct{}

func newSessionCookie(w http.ResponseWriter, secure bool) *sessionCookie {
	cookie := &sessionCookie{w: w, secure: secure}
	cookie.name = cookie.prefix() + "ticketgate-session"
	return cookie
}

// sent returns the session's secret that the browser sent, if any.
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

// placePrefix begins the names of the cookies by which a browser is known where accounts signed in (ACCOUNT-7). Each account
// has its own, named by the start of the digest of its id.
const (
	placePrefix     = "ticketgate-place-"
	placeNameDigits = 8
	// mostPlaces bounds the cookies that are looked at.
	mostPlaces = 20
)

// placeTokens returns the tokens of known places that the browser sent.
func (c *sessionCookie) placeTokens(r *http.Request) []string {
	var tokens []string
	for _, cookie := range r.Cookies() {
		if strings.HasPrefix(cookie.Name, c.prefix()+placePrefix) && len(tokens) < mostPlaces {
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

// prefix begins the name of each cookie: browsers take one that begins with __Host- only from this host, over TLS.
func (c *sessionCookie) prefix() string {
	if c.secure {
		return "__Host-"
	}
	return ""
}

func (c *sessionCookie) clear() { c.set("", -1) }

// signedIn keeps a new session as the browser's cookie when the login asked for that.
func signedIn(ctx context.Context, result tenant.LoginResult, err error) (tenant.LoginResult, error) {
	keepSession(ctx, result, err)
	return result, err
}

// keepSession sets the cookies of a new session, if it asked for them.
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
