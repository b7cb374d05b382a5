package tenant

import (
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
)

// Place is where a role applies. Exactly one of the two ids is set. In inputs both may be omitted. The place is then
// the seller that the call acts on.
type Place struct {
	SellerID       ids.Seller `json:"sellerId,omitempty"`
	OrganizationID ids.Org    `json:"organizationId,omitempty"`
}

// Member is a user with its role at a place.
type Member struct {
	Place
	ID        string          `json:"_id"`
	User      User            `json:"user"`
	Role      domain.Role     `json:"role"`
	CreatedAt moment.DateTime `json:"createdAt"`
}

// Cursor returns the member's position in a list.
func (m Member) Cursor() domain.Cursor { return domain.Cursor{ID: m.ID} }

// Membership is a member as the user itself sees it, with the seller or the organization.
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
	// Name and Password are ignored for an invitation, because the invited person chooses them. Settle uses the address
	// for an empty name and generates a password if it is empty.
	Name     string `json:"name"`
	Password string `json:"password"`
}

// AddedMember is the result of addMember. There is no member until the invitation is accepted.
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

// validate returns the input of an invitation as it will be stored, or all of its faults.
func (n NewMember) validate() (NewMember, error) {
	var errs domain.FieldErrors
	n.Email = email(&errs, n.Email)
	role(&errs, n.Role)
	return n, errs.Err()
}

// validateAccount is validate for an account that is created at once.
func (n NewMember) validateAccount() (NewMember, error) {
	var errs domain.FieldErrors
	n.Email = email(&errs, n.Email)
	if n.Name == "" {
		n.Name = n.Email
	}
	n.Name = errs.Name("name", n.Name)
	role(&errs, n.Role)
	if n.Password != "" {
		password(&errs, "password", n.Password)
	}
	return n, errs.Err()
}

// validate does not check the member's id: an id without a member is NOT_FOUND, whatever its form.
func (c MemberChange) validate() error {
	var errs domain.FieldErrors
	role(&errs, c.Role)
	return errs.Err()
}

// role adds a fault for a role that can't be decoded from a name, such as a missing one.
func role(errs *domain.FieldErrors, r domain.Role) {
	if r < domain.Viewer || r > domain.Admin {
		errs.Add("role", "must be one of VIEWER, MANAGER, DEVELOPER, ADMIN")
	}
}
