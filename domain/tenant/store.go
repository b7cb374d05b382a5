package tenant

import (
	"context"
	"time"

	"ticketgate/domain"
)

// Store is what this area reads from a database, and how it opens a transaction. What is not there is NOT_FOUND.
type Store interface {
	// InTx runs f in one transaction, and as a whole again when the database asks for that.
	InTx(ctx context.Context, f func(Tx) error) error

	Organization(ctx context.Context, id domain.OrgID) (Organization, error)
	Organizations(ctx context.Context, sight Sight, page domain.Page) (domain.List[Organization], error)
	Seller(ctx context.Context, id domain.SellerID) (Seller, error)
	Sellers(ctx context.Context, sight Sight, page domain.Page) (domain.List[Seller], error)
	// InvoicingTarget is where the seller's invoices go; an empty URL is nowhere.
	InvoicingTarget(ctx context.Context, id domain.SellerID) (InvoicingTarget, error)
	// OriginIsListed tells whether any seller has the origin among its shops.
	OriginIsListed(ctx context.Context, origin string) (bool, error)
	Members(ctx context.Context, place Place, page domain.Page) (domain.List[Member], error)
	User(ctx context.Context, id string) (User, error)
	// UserExists tells whether anybody has the e-mail, whatever its case.
	UserExists(ctx context.Context, email string) (bool, error)
	// Memberships are the user's, oldest first.
	Memberships(ctx context.Context, userID string) ([]Membership, error)
	// Sessions are those of the user that neither expired before now nor were last used before idleSince.
	Sessions(ctx context.Context, userID string, now, idleSince time.Time) ([]Session, error)
}

// Tx is what this area does in a transaction. What a credential check depends on holds on every process once InTx
// has returned (decisions 4.7).
type Tx interface {
	domain.Tx
	SellerTx
	MemberTx
	AccountTx
	SessionTx
}

// SellerTx writes organizations and sellers.
type SellerTx interface {
	InsertOrganization(ctx context.Context, organization Organization) error
	// LockOrganization makes transactions that count its members wait for each other.
	LockOrganization(ctx context.Context, id domain.OrgID) error
	InsertSeller(ctx context.Context, seller Seller) error
	SellerForUpdate(ctx context.Context, id domain.SellerID) (Seller, error)
	// UpdateSeller stores the key that hand-overs are signed with, too; an empty one is none.
	UpdateSeller(ctx context.Context, seller Seller, invoicingKey string) error
	InvoicingTarget(ctx context.Context, id domain.SellerID) (InvoicingTarget, error)
}

// MemberTx writes memberships.
type MemberTx interface {
	// Member finds a member of this place only.
	Member(ctx context.Context, place Place, id string) (Member, error)
	InsertMember(ctx context.Context, member Member) error
	SetRole(ctx context.Context, id string, role domain.Role) error
	RemoveMember(ctx context.Context, id string) error
	CountAdmins(ctx context.Context, place Place) (int, error)
}

// AccountTx writes users. Those that it returns are locked until the end.
type AccountTx interface {
	InsertAccount(ctx context.Context, account Account) error
	// AccountByEmail finds the e-mail whatever its case.
	AccountByEmail(ctx context.Context, email string) (Account, error)
	SetPasswordHash(ctx context.Context, id, hash string, at time.Time) error
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
	Failures(ctx context.Context, subject domain.Digest) (Failures, error)
	SetFailures(ctx context.Context, subject domain.Digest, failures Failures) error
	ForgetFailures(ctx context.Context, before time.Time) error
}
