// Package audit reads the audit log: who changed what, when and from where. Areas append to it through domain.Tx.
// Entries are never changed or removed.
package audit
