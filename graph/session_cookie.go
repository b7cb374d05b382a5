package graph

import (
	"context"
	"net/http"

	"ticketgate/domain/tenant"
)

// sessionCookie is the dashboard's session between browser and server (decisions 4.3). A resolver reaches it
// through the context; under REST there is none, and nothing is set.
type sessionCookie struct {
	w      http.ResponseWriter
	name   string
	secure bool
}

type sessionCookieKey struct{}

func newSessionCookie(w http.ResponseWriter, secure bool) *sessionCookie {
	name := "ticketgate-session"
	if secure {
		name = "__Host-" + name
	}
	return &sessionCookie{w: w, name: name, secure: secure}
}

// sent returns the session's secret that the browser sent, if any.
func (c *sessionCookie) sent(r *http.Request) string {
	cookie, err := r.Cookie(c.name)
	if err != nil {
		return ""
	}
	return cookie.Value
}

func (c *sessionCookie) set(value string, maxAge int) {
	http.SetCookie(c.w, &http.Cookie{
		Name: c.name, Value: value, Path: "/", MaxAge: maxAge,
		Secure: c.secure, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
}

func (c *sessionCookie) clear() { c.set("", -1) }

// signedIn keeps a new session as the browser's cookie when the login asked for that.
func signedIn(ctx context.Context, result tenant.LoginResult, err error) (*tenant.LoginResult, error) {
	if cookie, ok := ctx.Value(sessionCookieKey{}).(*sessionCookie); ok && err == nil && result.Cookie != "" {
		cookie.set(result.Cookie, 0)
	}
	return one(result, err)
}

// signedOut removes the cookie of a session that has ended.
func signedOut(ctx context.Context, err error) error {
	if cookie, ok := ctx.Value(sessionCookieKey{}).(*sessionCookie); ok && err == nil {
		cookie.clear()
	}
	return err
}
