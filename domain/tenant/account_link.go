package tenant

import (
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/secrets"
)

// How long one-time links work.
const (
	invitationDays = 7
	resetLifetime  = 24 * time.Hour
)

// The pages of the dashboard that links open. The code is in the fragment, which browsers send to no server.
const (
	invitationPage = "/invitation#"
	resetPage      = "/reset-password#"
)

// Links say how a one-time link reaches the person it is for.
type Links struct {
	// PublicURL is where people reach the dashboard. Without it, links are paths of the dashboard.
	PublicURL string
	// Mailed sends links by email. They are not shown to the person who asked for them then.
	Mailed bool
}

// URL returns the link of a code.
func (l Links) URL(code string) string {
	if kind, _ := secrets.KindOf(code); kind == secrets.Reset {
		return l.PublicURL + resetPage + code
	}
	return l.PublicURL + invitationPage + code
}

// Link is a one-time link as it is stored: of its code only the digest.
type Link struct {
	ID     string
	Digest secrets.Digest
	// InvitationID or UserID is what the link is for.
	InvitationID string
	UserID       string
	// OrganizationID and SellerID are the place that issued it; both are empty if the operator did.
	OrganizationID ids.Org
	SellerID       ids.Seller
	// Email is the address of the person.
	Email string
	// ByPlatform says that no member of a place issued it.
	ByPlatform bool
	// Shown says that the issuer saw the link, and may know what is chosen on its page.
	Shown     bool
	IssuedAt  time.Time
	ExpiresAt time.Time
}

// passwordShared reports whether the issuer may know a password chosen with the link (ACCOUNT-4).
func (l Link) passwordShared() bool { return l.Shown && !l.ByPlatform }

// Outgoing is a link whose email is to be sent.
type Outgoing struct {
	LinkID string
	Email  string
	Code   string
	// PlaceName and Role are those of an invitation.
	PlaceName string
	Role      domain.Role
	ExpiresAt time.Time
	// Wait is how long the address must not get another email of this organization (ACCOUNT-6).
	Wait time.Duration
}

// issue makes a link and its code.
func (l Links) issue(link Link, kind secrets.Kind, now time.Time) (made Link, code string) {
	code = secrets.New(kind)
	link.ID, link.Digest, link.IssuedAt, link.Shown = ids.New(now), secrets.DigestOf(code), now, !l.Mailed
	return link, code
}

// shown returns what the issuer sees of a link: nothing if it is mailed.
func (l Links) shown(code string) string {
	if l.Mailed {
		return ""
	}
	return l.URL(code)
}
