package db

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"ticketgate/domain"
)

func TestRetryable(t *testing.T) {
	serialization := &pgconn.PgError{Code: "40001"}
	for name, test := range map[string]struct {
		err  error
		want bool
	}{
		"a conflict":                      {serialization, true},
		"a conflict that was mapped":      {mapError(fmt.Errorf("insert: %w", serialization)), true},
		"a conflict at the commit":        {&commitError{serialization}, true},
		"a deadlock":                      {&pgconn.PgError{Code: "40P01"}, true},
		"a unique clash":                  {&pgconn.PgError{Code: "23505"}, false},
		"a broken connection before":      {mapError(driver.ErrBadConn), true},
		"a connection lost at the commit": {&commitError{driver.ErrBadConn}, false},
		"a domain error":                  {domain.NotFound("Thing"), false},
		"a connection refused":            {errors.New("connection refused"), false},
	} {
		if got := retryable(test.err); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}
