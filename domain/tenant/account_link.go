package tenant

import (
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/secrets"
)

// The lifetimes of one-time links.
const (
	invitationDays = 7
	resetLifetime  = 24 * time.Hour
)

// The dashboard pages that links open. The code is in the fragment, which browsers don't send to servers.
const (
	invitationPage = "/invitation#"
	resetPage      = "/reset-password#"
)

// Links says how one-time links are built and delivered.
type Links struct {
	// PublicURL is the URL of the dashboard. If empty, links are paths of the dashboard.
	PublicURL string
	// Mailed sends links by email. The issuer doesn't see them then.
	Mailed bool
}

// URL returns the link for a code.
func (l Links) URL(code string) string {
	if kind, _ := secrets.KindOf(code); kind == secrets.Reset {
		return l.PublicURL + resetPage + code
	}
	return l.PublicURL + invitationPage + code
}

// Link is a one-time link as stored, with the digest of its code only.
type Link struct {
	ID     string
	Digest secrets.Digest
	// One of InvitationID and UserID is set: the target of the link.
	InvitationID string
	UserID       string
	// OrganizationID and SellerID are the place that issued the link. Both are empty if the operator issued it.
	OrganizationID ids.Org
	SellerID       ids.Seller
	// Email is the recipient's address.
	Email string
	// ByPlatform is true if the platform issued the link, not a member of a place.
	ByPlatform bool
	// Shown is true if the issuer saw the link, and so may know the password chosen on its page.
	Shown     bool
	IssuedAt  time.Time
	ExpiresAt time.Time
}

// passwordShared reports whether the issuer may know a password chosen with the link (ACCOUNT-4).
func (l Link) passwordShared() bool { return l.Shown && !l.ByPlatform }

// Outgoing is a link that is to be emailed.
type Outgoing struct {
	LinkID string
	Email  string
	Code   string
	// PlaceName and Role are set for an invitation.
	PlaceName string
	Role      domain.Role
	ExpiresAt time.Time
	// Wait is how long this organization must not send another email to the address (ACCOUNT-6).
	Wait time.Duration
}

// issue completes a link and returns it with its code.
func (l Links) issue(link Link, kind secrets.Kind, now time.Time) (created Link, code string) {
	code = secrets.New(kind)
	link.ID, link.Digest, link.IssuedAt, link.Shown = ids.New(now), secrets.DigestOf(code), now, !l.Mailed
	return link, code
}

// shown returns the link that the issuer may see, or "" if it is mailed.
func (l Links) shown(code string) string {
	if l.Mailed {
		return ""
	}
	return l.URL(code)
}
