package db

import "database/sql"

// AttemptsPool is the connections that load and record attempts.
func (s *Store) AttemptsPool() *sql.DB { return s.recording.sql }
