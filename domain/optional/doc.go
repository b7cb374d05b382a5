// Package optional is fields of requests that may be absent, null or set.
package optional
