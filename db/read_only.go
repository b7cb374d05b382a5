package db

import "errors"

// errReadOnly is returned for transactions on a read-only store.
var errReadOnly = errors.New("the store is read-only")

// ReadOnly returns a store that reads from the same connections as s, but opens no transaction. On such a store, an
// operation validates its input completely, and fails when it would write (BODY-1).
func (s *Store) ReadOnly() *Store {
	reading := &Store{
		sql: s.sql, bun: s.bun, mode: s.mode, sealer: s.sealer, now: s.now, enqueue: s.enqueue, trace: s.trace,
		requests: s.requests, long: s.long, recording: s.recording, credentials: s.credentials, readOnly: true,
	}
	reading.open()
	return reading
}
