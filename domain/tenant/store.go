package tenant

import (
	"context"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/secrets"
)

// Store is what this area reads from a database, and how it opens a transaction. What is not there is NOT_FOUND.
type Store interface {
	presence
	linkReader
	EdgeStore

	// InTx runs f in one transaction, and as a whole again when the database asks for that.
	InTx(ctx context.Context, f func(Tx) error) error

	Organization(ctx context.Context, id ids.Org) (Organization, error)
	Organizations(ctx context.Context, sight Sight, page domain.Page) (domain.List[Organization], error)
	Seller(ctx context.Context, id ids.Seller) (Seller, error)
	Sellers(ctx context.Context, sight Sight, page domain.Page) (domain.List[Seller], error)
	// InvoicingTarget is where the seller's invoices go; an empty URL is nowhere.
	InvoicingTarget(ctx context.Context, id ids.Seller) (InvoicingTarget, error)
	// OriginIsListed tells whether any seller has the origin among its shops.
	OriginIsListed(ctx context.Context, origin string) (bool, error)
	Members(ctx context.Context, place Place, page domain.Page) (domain.List[Member], error)
	User(ctx context.Context, id string) (User, error)
	// Memberships are the user's, oldest first.
	Memberships(ctx context.Context, userID string) ([]Membership, error)
	// Sessions are those of the user that neither expired before now nor were last used before idleSince.
	Sessions(ctx context.Context, userID string, now, idleSince time.Time) ([]Session, error)
}

// linkReader reads what one-time links are for.
type linkReader interface {
	// Invitations are those of exactly this place.
	Invitations(ctx context.Context, place Place, page domain.Page) (domain.List[Invitation], error)
	// Offer returns what the code of an open invitation offers.
	Offer(ctx context.Context, code secrets.Digest, now time.Time) (Offer, error)
	// ResetIsOpen returns NOT_FOUND unless the code can be used to reset a password.
	ResetIsOpen(ctx context.Context, code secrets.Digest, now time.Time) error
}

// EdgeStore reads what organizations and sellers lead to, for all of them in one query (GRAPH-1).
type EdgeStore interface {
	// OrganizationsByID are those in sight.
	OrganizationsByID(ctx context.Context, sight Sight, ids []string) (map[string]Organization, error)
	// SellersOfOrganizations are those in sight.
	SellersOfOrganizations(
		ctx context.Context, sight Sight, organizations []string, page domain.Page,
	) (map[string]domain.List[Seller], error)
	// MembersOfPlaces are those of exactly these places, which are all sellers or all organizations.
	MembersOfPlaces(ctx context.Context, places []Place, page domain.Page) (map[Place]domain.List[Member], error)
	// UsersByID are those within reach.
	UsersByID(ctx context.Context, reach MemberReach, ids []string) (map[string]User, error)
}

// presence finds out whether something exists, and locks nothing (BODY-1).
type presence interface {
	// HasMember reports whether a membership exists and is at exactly this place.
	HasMember(ctx context.Context, place Place, id string) (bool, error)
	// HasMemberBelow reports whether a membership exists and is at the organization or one of its sellers.
	HasMemberBelow(ctx context.Context, organization ids.Org, id string) (bool, error)
	// HasInvitation reports whether an invitation exists and is of exactly this place.
	HasInvitation(ctx context.Context, place Place, id string) (bool, error)
}

// Tx is what this area does in a transaction. What a credential check depends on holds on every process once InTx
// has returned (decisions 4.7).
type Tx interface {
	domain.Tx
	SellerTx
	MemberTx
	InvitationTx
	AccountTx
	SessionTx
}

// SellerTx writes organizations and sellers.
type SellerTx interface {
	InsertOrganization(ctx context.Context, organization Organization) error
	// LockOrganization makes transactions that count its members wait for each other.
	LockOrganization(ctx context.Context, id ids.Org) error
	InsertSeller(ctx context.Context, seller Seller) error
	SellerForUpdate(ctx context.Context, id ids.Seller) (Seller, error)
	// UpdateSeller stores the key that hand-overs are signed with, too; an empty one is none.
	UpdateSeller(ctx context.Context, seller Seller, invoicingKey string) error
	InvoicingTarget(ctx context.Context, id ids.Seller) (InvoicingTarget, error)
}

// MemberTx writes memberships.
type MemberTx interface {
	// Member finds a member of this place only.
	Member(ctx context.Context, place Place, id string) (Member, error)
	InsertMember(ctx context.Context, member Member) error
	SetRole(ctx context.Context, id string, role domain.Role) error
	RemoveMember(ctx context.Context, id string) error
	CountAdmins(ctx context.Context, place Place) (int, error)
	CountMemberships(ctx context.Context, userID string) (int, error)
	// MemberExists reports whether a member of exactly this place has the address.
	MemberExists(ctx context.Context, place Place, email string) (bool, error)
}

// IssuedLinks counts the links that a place and its organization issued in a time.
type IssuedLinks struct {
	Place        int
	Organization int
	// Oldest is when the first of them was issued.
	Oldest time.Time
}

// InvitationTx writes invitations and one-time links.
type InvitationTx interface {
	// PutInvitation stores an invitation instead of the one that the place has for the address, whose links end.
	PutInvitation(ctx context.Context, invitation Invitation, now time.Time) error
	CountInvitations(ctx context.Context, place Place) (int, error)
	// Invitation finds one of exactly this place and locks it.
	Invitation(ctx context.Context, place Place, id string) (Invitation, error)
	// ExtendInvitation stores the expiry and ends the links.
	ExtendInvitation(ctx context.Context, invitation Invitation, now time.Time) error
	// DeleteInvitation deletes an invitation. Its links end.
	DeleteInvitation(ctx context.Context, id string, now time.Time) error
	// UseInvitation deletes the open invitation of a code, whose link ends, and returns both. Of two callers with one code,
	// the second finds none.
	UseInvitation(ctx context.Context, code secrets.Digest, now time.Time) (Link, Invitation, error)
	// ForgetInvitations deletes invitations and links that ended before a time.
	ForgetInvitations(ctx context.Context, before time.Time) error

	// InsertLink stores a link. If it is not shown, its code is kept encrypted until it has been mailed by the job that is
	// inserted, too.
	InsertLink(ctx context.Context, link Link, code string) error
	// IssuedLinks counts the links issued since a time.
	IssuedLinks(ctx context.Context, organization ids.Org, place Place, since time.Time) (IssuedLinks, error)
	// UseReset ends the open link of a code and returns it.
	UseReset(ctx context.Context, code secrets.Digest, now time.Time) (Link, error)
	// EndResets ends all open links for a new password of the user.
	EndResets(ctx context.Context, userID string, now time.Time) error
}

// AccountTx writes users. Those that it returns are locked until the end.
type AccountTx interface {
	InsertAccount(ctx context.Context, account Account) error
	// AccountIDs are those of the address, whatever its case, oldest first. They are not locked.
	AccountIDs(ctx context.Context, email string) ([]string, error)
	// Inviter is the organization whose invitation made an account; "" if none did, or there is no such account.
	Inviter(ctx context.Context, id string) (ids.Org, error)
	// Accounts are those with the ids that exist, oldest first.
	Accounts(ctx context.Context, ids []string) ([]Account, error)
	// AccountOfMember is the account of a member of the organization or of one of its sellers.
	AccountOfMember(ctx context.Context, organization ids.Org, memberID string) (Account, error)
	// BelongsOnlyTo reports whether an invitation of the organization made the account, and all of its memberships are at
	// the organization or its sellers.
	BelongsOnlyTo(ctx context.Context, account Account, organization ids.Org) (bool, error)
	SetPassword(ctx context.Context, id string, hash NewHash, at time.Time) error
	// MergeAccount moves the memberships of another account to an account and deletes the other.
	MergeAccount(ctx context.Context, id, otherID string) error
}

// SessionTx writes sessions and what is remembered of failed logins.
type SessionTx interface {
	InsertSession(ctx context.Context, session StoredSession) error
	EndSession(ctx context.Context, id string) error
	// EndSessions ends all but the newest of a user and tells how many it ended.
	EndSessions(ctx context.Context, userID string, keep int) (int, error)
	// ForgetSessions removes those of everybody that expired before now or were last used before idleSince.
	ForgetSessions(ctx context.Context, now, idleSince time.Time) error

	// Failures locks what is remembered of a subject until the end; the zero value is nothing.
	Failures(ctx context.Context, subject secrets.Digest) (Failures, error)
	SetFailures(ctx context.Context, subject secrets.Digest, failures Failures) error
	ForgetFailures(ctx context.Context, before time.Time) error

	// KnownPlaces reports which of the places are known.
	KnownPlaces(ctx context.Context, places []secrets.Digest) (map[secrets.Digest]bool, error)
	KnowPlace(ctx context.Context, place secrets.Digest, now time.Time) error
	ForgetPlaces(ctx context.Context, before time.Time) error
}
