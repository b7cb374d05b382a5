package tenant

import "ticketgate/domain"

// Place is where a role holds: exactly one of the two is set. In inputs both may be absent: then it is the seller
// that the call acts on.
type Place struct {
	SellerID       domain.SellerID `json:"sellerId,omitempty"`
	OrganizationID domain.OrgID    `json:"organizationId,omitempty"`
}

// Member is a user with its one role at a place (decisions 4.3).
type Member struct {
	Place
	ID        string          `json:"_id"`
	User      User            `json:"user"`
	Role      domain.Role     `json:"role"`
	CreatedAt domain.DateTime `json:"createdAt"`
}

// Membership is the same seen by the user: with the seller or the organization.
type Membership struct {
	ID           string          `json:"_id"`
	Seller       *Seller         `json:"seller,omitempty"`
	Organization *Organization   `json:"organization,omitempty"`
	Role         domain.Role     `json:"role"`
	CreatedAt    domain.DateTime `json:"createdAt"`
}

// NewMember is the input of addMember. Name and Password are for a user whom nobody added before.
type NewMember struct {
	Place
	Email string `json:"email"`
	// Name is the e-mail's when empty.
	Name string      `json:"name"`
	Role domain.Role `json:"role"`
	// Password is made, and shown once, when empty.
	Password string `json:"password"`
}

// AddedMember is the result of addMember.
type AddedMember struct {
	Member Member `json:"member"`
	// Password is set only when it was made here: nobody can see it again.
	Password string `json:"password,omitempty"`
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

// validate returns the input as it will be stored, or everything that is wrong with it.
func (n NewMember) validate() (NewMember, error) {
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
