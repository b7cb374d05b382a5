// Package apikey is everything about API keys: the keys of sellers and organizations, what may be done with
// them, and the check that turns the credentials of a request into the actor that is calling.
//
// A key is the record; its secret is the plaintext, shown when it is made. A rotation gives a key a new secret
// and may let the old one live on for a while. The default key of a seller is the one whose secret can be shown
// again.
//
// Keys never manage keys: that is for dashboard users and the platform (decisions 4.4). The 100 keys of an owner
// are counted under a lock of the owner's row, so that racing creations end with exactly 100.
package apikey
