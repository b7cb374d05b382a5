// Package secrets generates, recognizes and digests bearer secrets such as API keys and session tokens.
package secrets
