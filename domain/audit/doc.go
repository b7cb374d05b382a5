// Package audit reads the audit log: who changed what, when and from where. Areas append to it through
// domain.Tx; nobody changes or removes an entry.
package audit
