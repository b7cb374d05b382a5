// Package listenerurl decides which URLs the server may call on behalf of a
// seller: webhooks, remote access lists and invoice hand-over all ask the same
// table (decisions 7.8).
//
// A URL is judged twice. Parse reads the text when it is configured, and again
// before each call; Policy.CheckAddress judges every address that a name leads
// to, at the moment it is dialled. Neither does I/O.
//
// The rule denies by default. Text is mapped the way an HTTP client maps it
// before anything is looked at, so that a host can't be approved in one
// spelling and dialled in another; a host that ends in a number has to be a
// plain dotted IPv4 address; of IPv6 only allocated global unicast space
// passes, minus its special blocks.
//
// Files: url.go (text, scheme, parts), host.go (the host in its one canonical
// spelling), names.go, addresses.go and ports.go (the tables).
package listenerurl
