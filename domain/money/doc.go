// Package money is the currencies that tickets are sold in.
package money
