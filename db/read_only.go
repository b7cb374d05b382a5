package db

import "errors"

// errReadOnly is returned for transactions on a read-only store.
var errReadOnly = errors.New("the store is read-only")

// ReadOnly returns a store that reads as s does, from the same connections, but opens no transaction. An operation on
// it validates its input completely, and ends with an error when it would write (BODY-1).
func (s *Store) ReadOnly() *Store {
	reading := &Store{
		sql: s.sql, bun: s.bun, mode: s.mode, sealer: s.sealer, now: s.now, enqueue: s.enqueue, trace: s.trace,
		requests: s.requests, long: s.long, recording: s.recording, credentials: s.credentials, readOnly: true,
	}
	reading.open()
	return reading
}
