// Package ids generates record ids and defines types for the ids of tenants.
package ids
