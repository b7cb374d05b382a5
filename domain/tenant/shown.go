package tenant

import "ticketgate/domain/texts"

// ShownToken returns the session's secret for GraphQL, or nil if it was set as a cookie.
func (r LoginResult) ShownToken() *string { return texts.Shown(r.Token) }

// ShownLink returns the link for GraphQL, or nil if it is mailed.
func (i IssuedInvitation) ShownLink() *string { return texts.Shown(i.Link) }

// ShownLink returns the link for GraphQL, or nil if it is mailed.
func (i IssuedReset) ShownLink() *string { return texts.Shown(i.Link) }

// ShownSession returns the new session for GraphQL, or nil if the call opened none.
func (a Accepted) ShownSession() *Session {
	if !a.Opened {
		return nil
	}
	return &a.Session
}

// NoMember returns nil: addMember invites, and there is no member until the invitation is accepted.
func (AddedMember) NoMember() *Member { return nil }

// NoPassword returns nil: the invited person chooses the password.
func (AddedMember) NoPassword() *string { return nil }
