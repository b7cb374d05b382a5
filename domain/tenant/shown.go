package tenant

import "ticketgate/domain/texts"

// ShownToken is the session's secret as GraphQL shows it: null when it was set as a cookie.
func (r LoginResult) ShownToken() *string { return texts.Shown(r.Token) }

// ShownLink is the link as GraphQL shows it: null if it is mailed.
func (i IssuedInvitation) ShownLink() *string { return texts.Shown(i.Link) }

// ShownLink is the link as GraphQL shows it: null if it is mailed.
func (i IssuedReset) ShownLink() *string { return texts.Shown(i.Link) }

// ShownSession is the new session as GraphQL shows it: null if the call opened none.
func (a Accepted) ShownSession() *Session {
	if !a.Opened {
		return nil
	}
	return &a.Session
}

// NoMember is the member in the result of addMember: null, since nobody is one yet.
func (AddedMember) NoMember() *Member { return nil }

// NoPassword is the password in the result of addMember: null, since the invitation's person chooses it.
func (AddedMember) NoPassword() *string { return nil }
