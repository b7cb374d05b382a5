// Package optional defines request fields that may be omitted, null or set.
package optional
