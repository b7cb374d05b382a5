// Package countries has the countries of ISO 3166-1.
package countries
