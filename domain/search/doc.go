// Package search finds what a text names, across all areas of a seller: an id, a barcode, an external code, an invoice's
// number, an e-mail or a name. It finds only what its caller may list.
package search
