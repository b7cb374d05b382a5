package tenant

import (
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
)

// Invitation offers a role at a place to the person at an email address, who becomes a member by accepting it
// (ACCOUNT-1).
type Invitation struct {
	Place
	ID        string          `json:"_id"`
	Email     string          `json:"email"`
	Role      domain.Role     `json:"role"`
	InvitedBy domain.Creator  `json:"invitedBy"`
	CreatedAt moment.DateTime `json:"createdAt"`
	ExpiresAt moment.DateTime `json:"expiresAt"`
}

// IssuedInvitation is an invitation with its new link.
type IssuedInvitation struct {
	Invitation
	// Link is shown once, and only if it is not mailed.
	Link string `json:"link,omitempty"`
}

// Offer is an invitation as the holder of its code sees it.
type Offer struct {
	// PlaceName is the name of the seller or organization.
	PlaceName string          `json:"placeName"`
	Email     string          `json:"email"`
	Role      domain.Role     `json:"role"`
	ExpiresAt moment.DateTime `json:"expiresAt"`
}

// InvitationRef identifies an invitation of a place.
type InvitationRef struct {
	Place
	InvitationID string `json:"invitationId"`
}

// Acceptance is the input of acceptInvitation.
type Acceptance struct {
	Code string `json:"code"`
	// Name and Password create a new account. A session with the invitation's address accepts without them.
	Name     string `json:"name"`
	Password string `json:"password"`
	// Cookie is as in LoginInput, for the session of the new account.
	Cookie bool `json:"cookie"`
}

// Accepted is the result of acceptInvitation.
type Accepted struct {
	// LoginResult holds the new session if Opened is true.
	LoginResult

	Member Member `json:"member"`
	// Opened is true if the call opened a session.
	Opened bool `json:"-"`
}

// InvitationLimits bound the invitations of a place and of its organization (ACCOUNT-6).
type InvitationLimits struct {
	// Pending is the maximum number of pending invitations of a place.
	Pending int
	// Place and Organization are the maximum numbers of links issued per hour.
	Place        int
	Organization int
}

// DefaultInvitationLimits are the limits in production.
var DefaultInvitationLimits = InvitationLimits{Pending: 100, Place: 60, Organization: 300}

// invite returns a new invitation of a place.
func invite(at position, input NewMember, by domain.Creator, now time.Time) Invitation {
	return Invitation{
		Place: at.Place, ID: ids.New(now), Email: input.Email, Role: input.Role, InvitedBy: by,
		CreatedAt: moment.New(now), ExpiresAt: moment.New(now.AddDate(0, 0, invitationDays)),
	}
}

// validate returns the input as it will be stored, or all of its faults.
func (a Acceptance) validate() (Acceptance, error) {
	var errs domain.FieldErrors
	if a.Password != "" {
		password(&errs, "password", a.Password)
	}
	if a.Name != "" {
		a.Name = errs.Name("name", a.Name)
	}
	return a, errs.Err()
}
