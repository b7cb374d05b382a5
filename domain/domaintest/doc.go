// Package domaintest builds what tests of several areas need. Only tests may import it.
package domaintest
