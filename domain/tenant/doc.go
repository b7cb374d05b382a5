// Package tenant is who uses the platform: organizations, their sellers, the dashboard's users, what these are
// members of, and their sessions.
//
// # Words
//
//   - organization: owns sellers. seller: sells tickets; nearly everything else belongs to one.
//   - user: a person with an e-mail and a password. member: a user with one role at a place.
//   - place: a seller or an organization; a role at an organization counts at each of its sellers.
//   - session: a login that has not ended. It ends at logout, after 30 idle minutes, after 12 hours, when the
//     password or a role of the user changes, and when the user opens more than five.
//
// # What a guesser meets
//
// Passwords are kept as argon2id hashes. An e-mail that nobody has costs the same work and gets the same text as a
// wrong password. Five failures close an e-mail for a minute, each further one for twice as long, up to a quarter of an
// hour, except for browsers and networks that are known; a network, which many people may share, has a hundred. The
// counts live in the database and are locked while a password is checked, so that neither several processes nor
// parallel guesses get past them.
package tenant
