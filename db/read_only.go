package db

import "errors"

// errReadOnly is what a store that only reads answers to a transaction.
var errReadOnly = errors.New("this store only reads")

// ReadOnly returns a store that reads as s does, from the same connections, and opens no transaction. An operation on it
// checks its input with all that it reads for that, and ends with an error at the point where it would act (BODY-1).
func (s *Store) ReadOnly() *Store {
	reading := &Store{
		sql: s.sql, bun: s.bun, mode: s.mode, sealer: s.sealer, now: s.now, enqueue: s.enqueue, trace: s.trace,
		requests: s.requests, long: s.long, recording: s.recording, credentials: s.credentials, readOnly: true,
	}
	reading.open()
	return reading
}
