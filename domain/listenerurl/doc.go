// Package listenerurl decides which URLs the server may call on behalf of a seller: webhooks, remote access lists and
// invoicing all use the same table.
//
// A URL is checked twice. Parse reads the text when it is configured and again before each call; Policy.CheckAddress
// checks every address that a name resolves to when it is dialed. Neither does I/O.
//
// The rule denies by default. Text is mapped the way an HTTP client maps it before anything is checked, so that a host
// can't be approved in one spelling and dialed in another. A host that ends in a number must be a plain dotted IPv4
// address. Of IPv6 only allocated global unicast space passes, minus its special blocks.
//
// Files: url.go (text, scheme, parts), host.go (the host in its canonical spelling), names.go, addresses.go and
// ports.go (the tables).
package listenerurl
