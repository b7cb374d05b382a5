// Package audit reads the audit log, which records who changed what, when and from where. Other packages append to it
// through domain.Tx. Entries are never changed or removed.
package audit
