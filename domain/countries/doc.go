// Package countries is the countries of ISO 3166-1.
package countries
