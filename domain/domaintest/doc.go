// Package domaintest holds fixtures and assertions for the tests of several areas. Only tests may import it.
package domaintest
