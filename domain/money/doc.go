// Package money has the currencies that tickets are sold in.
package money
