package tenant

import (
	"strings"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/secrets"
)

// Session is a login that has not ended, as its user sees it.
type Session struct {
	ID         string          `json:"_id"`
	CreatedAt  moment.DateTime `json:"createdAt"`
	LastUsedAt moment.DateTime `json:"lastUsedAt"`
	// ExpiresAt is when it ends even if it is in use.
	ExpiresAt moment.DateTime `json:"expiresAt"`
	Address   string          `json:"address"`
	UserAgent string          `json:"userAgent"`
	// Current marks the session of the call itself.
	Current bool `json:"current"`
}

// SessionLimits say when a session ends by itself.
type SessionLimits struct {
	// Idle is the longest time between two uses.
	Idle time.Duration
	// Absolute is the longest time since the login.
	Absolute time.Duration
	// Parallel is how many sessions a user has at most; one more ends the oldest.
	Parallel int
}

// DefaultSessionLimits are those of hardening H17.
var DefaultSessionLimits = SessionLimits{Idle: 30 * time.Minute, Absolute: 12 * time.Hour, Parallel: 50}

// LoginInput is the input of login.
type LoginInput struct {
	Email    string `json:"email"`
	Password string `json:"password"`
	// Cookie asks for the token in a cookie instead of in the answer (decisions 4.3).
	Cookie bool `json:"cookie"`
}

// PasswordChange is the input of changePassword.
type PasswordChange struct {
	CurrentPassword string `json:"currentPassword"`
	NewPassword     string `json:"newPassword"`
	// Cookie is as in LoginInput, for the token of the new session.
	Cookie bool `json:"cookie"`
}

// LoginResult is the result of login and of changePassword.
type LoginResult struct {
	// Token is the session's secret, shown once and only when no cookie was asked for.
	Token   string  `json:"token,omitempty"`
	Session Session `json:"session"`
	User    User    `json:"user"`
	// Cookie is the same secret for the edge to put into the cookie that was asked for; it is no part of the answer.
	Cookie string `json:"-"`
	// PlaceToken is for a cookie of the browser by which it is known at later logins; empty without one.
	PlaceToken string `json:"-"`
}

// StoredSession is a session with what only the store needs.
type StoredSession struct {
	Session
	UserID string
	Digest secrets.Digest
}

// longestUserAgent is enough to tell browsers apart, in characters.
const longestUserAgent = 200

// newSession makes a session and its secret for the call.
func newSession(user User, call domain.Call, limits SessionLimits, now time.Time) (StoredSession, string) {
	secret := secrets.New(secrets.Session)
	return StoredSession{
		Session: Session{
			ID: ids.New(now), CreatedAt: moment.New(now), LastUsedAt: moment.New(now),
			ExpiresAt: moment.New(now.Add(limits.Absolute)), Address: call.Address,
			UserAgent: storable(call.UserAgent, longestUserAgent), Current: true,
		},
		UserID: user.ID, Digest: secrets.DigestOf(secret),
	}, secret
}

// storable is text that a client sent unasked, cut to length and without what a database refuses.
func storable(text string, longest int) string {
	runes := []rune(strings.ReplaceAll(strings.ToValidUTF8(text, ""), "\x00", ""))
	return string(runes[:min(len(runes), longest)])
}
