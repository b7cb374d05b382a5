package tenant

import (
	"context"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/secrets"
)

// Store reads from the database and opens transactions for this area. A missing record is NOT_FOUND.
type Store interface {
	presence
	linkReader
	EdgeStore

	// InTx runs f in a transaction. If the database asks for a retry, f runs again from the start.
	InTx(ctx context.Context, f func(Tx) error) error

	Organization(ctx context.Context, id ids.Org) (Organization, error)
	Organizations(ctx context.Context, sight Sight, page domain.Page) (domain.List[Organization], error)
	Seller(ctx context.Context, id ids.Seller) (Seller, error)
	Sellers(ctx context.Context, sight Sight, page domain.Page) (domain.List[Seller], error)
	// InvoicingTarget returns where the seller's invoices are sent. An empty URL means that they are not sent.
	InvoicingTarget(ctx context.Context, id ids.Seller) (InvoicingTarget, error)
	// OriginIsListed reports whether any seller lists the origin.
	OriginIsListed(ctx context.Context, origin string) (bool, error)
	Members(ctx context.Context, place Place, page domain.Page) (domain.List[Member], error)
	User(ctx context.Context, id string) (User, error)
	// Memberships returns the user's memberships, oldest first.
	Memberships(ctx context.Context, userID string) ([]Membership, error)
	// Sessions returns the user's sessions that neither expired before now nor were last used before idleSince.
	Sessions(ctx context.Context, userID string, now, idleSince time.Time) ([]Session, error)
}

// linkReader reads the targets of one-time links.
type linkReader interface {
	// Invitations returns the invitations of exactly this place.
	Invitations(ctx context.Context, place Place, page domain.Page) (domain.List[Invitation], error)
	// Offer returns the offer of an open invitation's code.
	Offer(ctx context.Context, code secrets.Digest, now time.Time) (Offer, error)
	// ResetIsOpen returns NOT_FOUND unless the code can be used to reset a password.
	ResetIsOpen(ctx context.Context, code secrets.Digest, now time.Time) error
}

// EdgeStore reads the edges of organizations and sellers, for all of them in one query (GRAPH-1).
type EdgeStore interface {
	// OrganizationsByID returns the visible ones of the organizations.
	OrganizationsByID(ctx context.Context, sight Sight, ids []string) (map[string]Organization, error)
	// SellersOfOrganizations returns the visible sellers.
	SellersOfOrganizations(
		ctx context.Context, sight Sight, organizations []string, page domain.Page,
	) (map[string]domain.List[Seller], error)
	// MembersOfPlaces returns the members of exactly these places, which are all sellers or all organizations.
	MembersOfPlaces(ctx context.Context, places []Place, page domain.Page) (map[Place]domain.List[Member], error)
	// UsersByID returns the users within reach.
	UsersByID(ctx context.Context, reach MemberReach, ids []string) (map[string]User, error)
}

// presence checks whether records exist, without locking (BODY-1).
type presence interface {
	// HasMember reports whether the membership exists at exactly this place.
	HasMember(ctx context.Context, place Place, id string) (bool, error)
	// HasMemberBelow reports whether the membership exists at the organization or one of its sellers.
	HasMemberBelow(ctx context.Context, organization ids.Org, id string) (bool, error)
	// HasInvitation reports whether the invitation exists at exactly this place.
	HasInvitation(ctx context.Context, place Place, id string) (bool, error)
}

// Tx writes within a transaction. Once InTx has returned, every process applies changes that affect credentials
// (AUTH-5).
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
	// LockOrganization serializes transactions that count its members.
	LockOrganization(ctx context.Context, id ids.Org) error
	InsertSeller(ctx context.Context, seller Seller) error
	SellerForUpdate(ctx context.Context, id ids.Seller) (Seller, error)
	// UpdateSeller also stores the key that signs invoices. An empty key removes it.
	UpdateSeller(ctx context.Context, seller Seller, invoicingKey string) error
	InvoicingTarget(ctx context.Context, id ids.Seller) (InvoicingTarget, error)
}

// MemberTx writes memberships.
type MemberTx interface {
	// Member returns a member of exactly this place.
	Member(ctx context.Context, place Place, id string) (Member, error)
	InsertMember(ctx context.Context, member Member) error
	SetRole(ctx context.Context, id string, role domain.Role) error
	RemoveMember(ctx context.Context, id string) error
	CountAdmins(ctx context.Context, place Place) (int, error)
	CountMemberships(ctx context.Context, userID string) (int, error)
	// MemberExists reports whether exactly this place has a member with the address.
	MemberExists(ctx context.Context, place Place, email string) (bool, error)
}

// IssuedLinks counts the links that a place and its organization issued within a period.
type IssuedLinks struct {
	Place        int
	Organization int
	// Oldest is when the first of them was issued.
	Oldest time.Time
}

// InvitationTx writes invitations and one-time links.
type InvitationTx interface {
	// PutInvitation stores an invitation. It replaces the place's invitation for the address, whose links end.
	PutInvitation(ctx context.Context, invitation Invitation, now time.Time) error
	CountInvitations(ctx context.Context, place Place) (int, error)
	// Invitation returns an invitation of exactly this place and locks it.
	Invitation(ctx context.Context, place Place, id string) (Invitation, error)
	// ExtendInvitation stores the new expiry and ends the links.
	ExtendInvitation(ctx context.Context, invitation Invitation, now time.Time) error
	// DeleteInvitation deletes an invitation and ends its links.
	DeleteInvitation(ctx context.Context, id string, now time.Time) error
	// UseInvitation deletes the open invitation of a code, ends its link and returns both. If two callers use one code,
	// the second gets NOT_FOUND.
	UseInvitation(ctx context.Context, code secrets.Digest, now time.Time) (Link, Invitation, error)
	// PurgeInvitations deletes invitations and links that ended before a time.
	PurgeInvitations(ctx context.Context, before time.Time) error

	// InsertLink stores a link. If the link is not shown, its code is stored encrypted until the email is sent by a
	// job, which is inserted too.
	InsertLink(ctx context.Context, link Link, code string) error
	// IssuedLinks counts the links issued since a time.
	IssuedLinks(ctx context.Context, organization ids.Org, place Place, since time.Time) (IssuedLinks, error)
	// UseReset ends the open link of a code and returns it.
	UseReset(ctx context.Context, code secrets.Digest, now time.Time) (Link, error)
	// EndResets ends all open password links of the user.
	EndResets(ctx context.Context, userID string, now time.Time) error
}

// AccountTx writes users. Accounts that it returns are locked until the end of the transaction.
type AccountTx interface {
	InsertAccount(ctx context.Context, account Account) error
	// AccountIDs returns the ids of the address's accounts, ignoring case, oldest first. It locks nothing.
	AccountIDs(ctx context.Context, email string) ([]string, error)
	// Inviter returns the organization whose invitation created the account, or "".
	Inviter(ctx context.Context, id string) (ids.Org, error)
	// Accounts returns the accounts with the ids, oldest first. Missing ones are left out.
	Accounts(ctx context.Context, ids []string) ([]Account, error)
	// AccountOfMember returns the account of a member of the organization or of one of its sellers.
	AccountOfMember(ctx context.Context, organization ids.Org, memberID string) (Account, error)
	// BelongsOnlyTo reports whether an invitation of the organization created the account and all of its memberships
	// are at the organization or its sellers.
	BelongsOnlyTo(ctx context.Context, account Account, organization ids.Org) (bool, error)
	SetPassword(ctx context.Context, id string, hash NewHash, at time.Time) error
	// MergeAccount moves the memberships of another account to an account and deletes the other.
	MergeAccount(ctx context.Context, id, otherID string) error
}

// SessionTx writes sessions and failed logins.
type SessionTx interface {
	InsertSession(ctx context.Context, session StoredSession) error
	EndSession(ctx context.Context, id string) error
	// EndSessions ends all but the newest keep sessions of a user and returns the number of ended ones.
	EndSessions(ctx context.Context, userID string, keep int) (int, error)
	// PurgeSessions deletes all sessions that expired before now or were last used before idleSince.
	PurgeSessions(ctx context.Context, now, idleSince time.Time) error

	// Failures returns the failures of a subject and locks them until the end of the transaction.
	Failures(ctx context.Context, subject secrets.Digest) (Failures, error)
	SetFailures(ctx context.Context, subject secrets.Digest, failures Failures) error
	ClearFailures(ctx context.Context, before time.Time) error

	// KnownPlaces reports which of the places are known.
	KnownPlaces(ctx context.Context, places []secrets.Digest) (map[secrets.Digest]bool, error)
	KnowPlace(ctx context.Context, place secrets.Digest, now time.Time) error
	PurgePlaces(ctx context.Context, before time.Time) error
}
