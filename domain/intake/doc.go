// Package intake runs the imports of records that the platform's other services hand in: tickets and transactions. The areas
// say what a record is, what a known one becomes, and how it is stored and published.
//
// # What stands under a known _id
//
// A record that is older than the stored one is stale (IMPORT-4), one that is the same is unchanged, and one that the caller
// may not change is refused (IMPORT-6). Every other record is written, with the others or not at all.
package intake
