// Package texts trims, compares, truncates and escapes text that people enter, and validates email addresses.
package texts
