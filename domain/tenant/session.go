package tenant

import (
	"strings"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/secrets"
)

// Session is an active login as its user sees it.
type Session struct {
	ID         string          `json:"_id"`
	CreatedAt  moment.DateTime `json:"createdAt"`
	LastUsedAt moment.DateTime `json:"lastUsedAt"`
	// ExpiresAt is when the session ends even if it is in use.
	ExpiresAt moment.DateTime `json:"expiresAt"`
	Address   string          `json:"address"`
	UserAgent string          `json:"userAgent"`
	// Current is true for the session of the call itself.
	Current bool `json:"current"`
}

// SessionLimits say when a session ends by itself.
type SessionLimits struct {
	// Idle is the longest time between two uses.
	Idle time.Duration
	// Absolute is the longest time since the login.
	Absolute time.Duration
	// Parallel is the maximum number of sessions of a user. Opening one more ends the oldest.
	Parallel int
}

// DefaultSessionLimits are the limits in production.
var DefaultSessionLimits = SessionLimits{Idle: 30 * time.Minute, Absolute: 12 * time.Hour, Parallel: 50}

// LoginInput is the input of login.
type LoginInput struct {
	Email    string `json:"email"`
	Password string `json:"password"`
	// Cookie sets the token as a cookie instead of returning it.
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
	// Token is the session's secret. It is returned once, and only if Cookie was not set.
	Token   string  `json:"token,omitempty"`
	Session Session `json:"session"`
	User    User    `json:"user"`
	// Cookie is the same secret for the API layer to set as a cookie. It is not part of the response.
	Cookie string `json:"-"`
	// PlaceToken is for a cookie that makes the browser known at later logins. It may be empty.
	PlaceToken string `json:"-"`
}

// StoredSession is a session with the fields that only the store needs.
type StoredSession struct {
	Session
	UserID string
	Digest secrets.Digest
}

// maxUserAgent is in characters, and enough to tell browsers apart.
const maxUserAgent = 200

// newSession returns a session for the call and its secret.
func newSession(user User, call domain.Call, limits SessionLimits, now time.Time) (StoredSession, string) {
	secret := secrets.New(secrets.Session)
	return StoredSession{
		Session: Session{
			ID: ids.New(now), CreatedAt: moment.New(now), LastUsedAt: moment.New(now),
			ExpiresAt: moment.New(now.Add(limits.Absolute)), Address: call.Address,
			UserAgent: storable(call.UserAgent, maxUserAgent), Current: true,
		},
		UserID: user.ID, Digest: secrets.DigestOf(secret),
	}, secret
}

// storable returns text without characters that the database refuses, truncated to longest characters.
func storable(text string, longest int) string {
	runes := []rune(strings.ReplaceAll(strings.ToValidUTF8(text, ""), "\x00", ""))
	return string(runes[:min(len(runes), longest)])
}
