package tenant

import "ticketgate/domain"

// ShownToken is the session's secret as GraphQL shows it: null when it was set as a cookie.
func (r LoginResult) ShownToken() *string { return domain.Shown(r.Token) }

// ShownPassword is the generated password as GraphQL shows it: null when none was made.
func (m AddedMember) ShownPassword() *string { return domain.Shown(m.Password) }
