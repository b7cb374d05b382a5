package db

import "database/sql"

// AttemptsPool is the connections that load and record attempts.
func (s *Store) AttemptsPool() *sql.DB { return s.recording.sql }

// RequestsPool is the connections for requests.
func (s *Store) RequestsPool() *sql.DB { return s.sql }
