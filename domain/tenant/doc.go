// Package tenant holds organizations, their sellers, the dashboard's users, their memberships and their sessions.
//
// # Words
//
//   - organization: owns sellers. seller: sells tickets and owns nearly all other records.
//   - user: a person with an email address and a password. member: a user with a role at a place.
//   - place: a seller or an organization. A role at an organization applies at each of its sellers.
//   - session: an active login. It ends at logout, after 30 idle minutes, after 12 hours, when the password of
//     the user changes, when its last membership ends, and when the user opens more than fifty.
//
// # Protection against guessing
//
// Passwords are stored as argon2id hashes. A login with an unknown email address takes the same time and gets the same
// error as one with a wrong password. Five failures lock an email address for a minute, each later one for twice as
// long, up to 15 minutes. Known browsers and networks are exempt from that lock. A network, which many people may
// share, is locked after a hundred failures. The counts are in the database and are locked while a password is checked,
// so neither several processes nor parallel guesses can bypass them.
package tenant
