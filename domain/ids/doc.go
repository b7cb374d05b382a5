// Package ids makes the identifiers of records, and has a type of its own for each of the two that a tenant is known by.
package ids
