// Package search finds a seller's records across all areas by an id, a barcode, an external code, an invoice number, an
// email address or a name. It returns only records that the caller may list.
package search
