// Package intake runs the imports of tickets and transactions from the platform's other services. The areas define
// their records, how an import changes a stored one, and how records are stored and published.
//
// # Records with a known _id
//
// A record that is older than the stored one is stale (IMPORT-4), an equal one is unchanged, and one that the caller
// may not change is refused (IMPORT-6). All other records are written, either all or none of them.
package intake
