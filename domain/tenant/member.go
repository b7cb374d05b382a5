package tenant

import (
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
)

// Place is where a role holds: exactly one of the two is set. In inputs both may be absent: then it is the seller
// that the call acts on.
type Place struct {
	SellerID       ids.Seller `json:"sellerId,omitempty"`
	OrganizationID ids.Org    `json:"organizationId,omitempty"`
}

// Member is a user with its one role at a place (decisions 4.3).
type Member struct {
	Place
	ID        string          `json:"_id"`
	User      User            `json:"user"`
	Role      domain.Role     `json:"role"`
	CreatedAt moment.DateTime `json:"createdAt"`
}

// Cursor is the member's position in a list.
func (m Member) Cursor() domain.Cursor { return domain.Cursor{ID: m.ID} }

// Membership is the same seen by the user: with the seller or the organization.
type Membership struct {
	ID           string          `json:"_id"`
	Seller       *Seller         `json:"seller,omitempty"`
	Organization *Organization   `json:"organization,omitempty"`
	Role         domain.Role     `json:"role"`
	CreatedAt    moment.DateTime `json:"createdAt"`
}

// NewMember is the input of addMember and of Settle.
type NewMember struct {
	Place
	Email string      `json:"email"`
	Role  domain.Role `json:"role"`
	// Name and Password have no effect on an invitation: its person chooses them. Settle takes the address for an empty name
	// and generates an empty password.
	Name     string `json:"name"`
	Password string `json:"password"`
}

// AddedMember is the result of addMember. There is no member before the invitation is accepted.
type AddedMember struct {
	Invitation IssuedInvitation `json:"invitation"`
}

// Settled is the result of Settle.
type Settled struct {
	Member Member
	// Password is set only if it was generated.
	Password string
}

// Departure is the input of leaveMembership.
type Departure struct {
	MembershipID string `json:"membershipId"`
}

// MemberChange is the input of updateMember.
type MemberChange struct {
	Place
	MemberID string      `json:"memberId"`
	Role     domain.Role `json:"role"`
}

// MemberRemoval is the input of removeMember.
type MemberRemoval struct {
	Place
	MemberID string `json:"memberId"`
}

// newMember returns a new member of a place.
func newMember(at Place, user User, role domain.Role, now time.Time) Member {
	return Member{ID: ids.New(now), Place: at, User: user, Role: role, CreatedAt: moment.New(now)}
}

// validate returns the input of an invitation as it will be stored, or all of its errors.
func (n NewMember) validate() (NewMember, error) {
	var problems domain.Problems
	n.Email = email(&problems, n.Email)
	role(&problems, n.Role)
	return n, problems.Err()
}

// validateAccount is validate for an account that is made at once.
func (n NewMember) validateAccount() (NewMember, error) {
	var problems domain.Problems
	n.Email = email(&problems, n.Email)
	if n.Name == "" {
		n.Name = n.Email
	}
	n.Name = problems.Name("name", n.Name)
	role(&problems, n.Role)
	if n.Password != "" {
		password(&problems, "password", n.Password)
	}
	return n, problems.Err()
}

// validate leaves the member to be looked for: one that is not there is NOT_FOUND, whatever its id looks like.
func (c MemberChange) validate() error {
	var problems domain.Problems
	role(&problems, c.Role)
	return problems.Err()
}

// role notes what no door can have read as a role, such as an absent one.
func role(problems *domain.Problems, r domain.Role) {
	if r < domain.Viewer || r > domain.Admin {
		problems.Add("role", "must be one of VIEWER, MANAGER, DEVELOPER, ADMIN")
	}
}
