package tenant

import (
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
)

// User is a person who signs in to the dashboard. It never carries a password or its hash.
type User struct {
	ID        string          `json:"_id"`
	Email     string          `json:"email"`
	Name      string          `json:"name"`
	CreatedAt moment.DateTime `json:"createdAt"`
}

// Account is a user with the hash of its password: for the store and this package only, never for a caller. Several
// accounts may have one address: nothing proves whose address it is (ACCOUNT-2).
type Account struct {
	User
	PasswordHash string
	// PasswordShared says that an inviter may know the password (ACCOUNT-4).
	PasswordShared bool
	// PasswordSetAt is when the password was set.
	PasswordSetAt time.Time
	// InvitedBy is the organization whose invitation made the account; empty if none did.
	InvitedBy ids.Org
}

// NewHash is a password as it is stored.
type NewHash struct {
	Hash string
	// Shared is as in Account.
	Shared bool
}

// NewUser is the input of Users.Create.
type NewUser struct {
	Email string
	Name  string
	// Password may be empty: then one is made and shown once.
	Password string
}

// NewPassword is the input of Users.SetPassword.
type NewPassword struct {
	Email string
	// UserID is needed if the address has several accounts.
	UserID   string
	Password string
}

// Credentials are what a person needs to sign in.
type Credentials struct {
	User User `json:"user"`
	// Password is set only when it was made here: nobody can see it again.
	Password string `json:"password,omitempty"`
}

// CallerType is the kind of caller in the answer of me.
type CallerType string

// The kinds of caller that me knows.
const (
	CallerUser            CallerType = "USER"
	CallerAPIKey          CallerType = "API_KEY"
	CallerOrganizationKey CallerType = "ORGANIZATION_KEY"
	CallerSystem          CallerType = "SYSTEM"
)

// Me is who is calling, as the caller itself may see it.
type Me struct {
	Type CallerType `json:"type"`
	// ID is the user's or key's; the platform's is "system".
	ID   string `json:"_id"`
	User *User  `json:"user,omitempty"`
	// Memberships are a user's, oldest first.
	Memberships []Membership `json:"memberships,omitempty"`
	// Seller is the one that the call acts on.
	Seller *Seller `json:"seller,omitempty"`
	// Role is the user's at that seller.
	Role *domain.Role `json:"role,omitempty"`
	// Organization is an organization key's.
	Organization *Organization `json:"organization,omitempty"`
	// Mode is the installation's: dev or prod.
	Mode string `json:"mode"`
	// RetentionDays is for how many days the installation keeps events and deliveries; scans are kept a year longer.
	RetentionDays int `json:"retentionDays"`
}
