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

// Account is a user with its password hash, for the store and this package only. Several accounts may have the same
// address, because addresses are not verified (ACCOUNT-2).
type Account struct {
	User
	PasswordHash string
	// PasswordShared is true if an inviter may know the password (ACCOUNT-4).
	PasswordShared bool
	// PasswordSetAt is when the password was set.
	PasswordSetAt time.Time
	// InvitedBy is the organization whose invitation created the account, or "".
	InvitedBy ids.Org
}

// NewHash is a password hash to store.
type NewHash struct {
	Hash string
	// Shared is as in Account.
	Shared bool
}

// NewUser is the input of Users.Create.
type NewUser struct {
	Email string
	Name  string
	// Password may be empty. A password is then generated and shown once.
	Password string
}

// NewPassword is the input of Users.SetPassword.
type NewPassword struct {
	Email string
	// UserID is required if the address has several accounts.
	UserID   string
	Password string
}

// Credentials are a user with its new password.
type Credentials struct {
	User User `json:"user"`
	// Password is set only if it was generated. It is not shown again.
	Password string `json:"password,omitempty"`
}

// CallerType is the kind of caller in the result of me.
type CallerType string

// The kinds of caller in the result of me.
const (
	CallerUser            CallerType = "USER"
	CallerAPIKey          CallerType = "API_KEY"
	CallerOrganizationKey CallerType = "ORGANIZATION_KEY"
	CallerSystem          CallerType = "SYSTEM"
)

// Me describes the caller to itself.
type Me struct {
	Type CallerType `json:"type"`
	// ID is the id of the user or key, or "system" for the platform.
	ID   string `json:"_id"`
	User *User  `json:"user,omitempty"`
	// Memberships are a user's memberships, oldest first.
	Memberships []Membership `json:"memberships,omitempty"`
	// Seller is the seller that the call acts on.
	Seller *Seller `json:"seller,omitempty"`
	// Role is the user's role at that seller.
	Role *domain.Role `json:"role,omitempty"`
	// Organization is set for an organization key.
	Organization *Organization `json:"organization,omitempty"`
	// Mode is the mode of the installation, dev or prod.
	Mode string `json:"mode"`
	// RetentionDays is how many days the installation keeps events and deliveries. Scans are kept a year longer.
	RetentionDays int `json:"retentionDays"`
}
