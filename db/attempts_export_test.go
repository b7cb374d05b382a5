package db

import "database/sql"

// AttemptsPool returns the connections that load and record attempts.
func (s *Store) AttemptsPool() *sql.DB { return s.recording.sql }

// RequestsPool returns the connections for requests.
func (s *Store) RequestsPool() *sql.DB { return s.sql }
