// Package move moves a seller from one cluster to another, and lets a cluster follow the accounts of the home
// cluster.
//
//   - move.go has the steps of a move in order; each can be repeated after an interruption.
//   - tables.go defines for each table how its rows move.
//   - replicate.go creates the publication, the subscription and the guard of a seller's rows.
//   - copies.go copies rows without seller_id, switch.go fences the seller and switches, remove.go cleans up.
//   - join.go replicates accounts.
//
// docs/splitting.md explains why nothing is lost. Statements run as a superuser of both databases.
package move
