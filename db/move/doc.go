// Package move moves a seller from one cluster to another, and joins a cluster to the accounts of the home cluster.
//
//   - move.go has the steps of a move in their order; each can be repeated after an interruption.
//   - tables.go says for each table how its rows move.
//   - replicate.go makes the publication, the subscription and the guard of a seller's rows.
//   - copies.go copies what has no seller_id, switch.go fences the seller and switches, remove.go cleans up.
//   - join.go replicates accounts.
//
// docs/splitting.md says why nothing is lost. Statements here are those of an operator, who is a superuser of both databases.
package move
