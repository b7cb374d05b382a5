package embedded

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"
)

// temporaryStartBound is generous, because tests of many packages may start at once.
const temporaryStartBound = 60 * time.Second

// StartTemporary starts a server for tests, without fsync and in a directory of its own. Stop removes the directory; if
// this process is killed, the supervisor does.
func StartTemporary(ctx context.Context) (*Server, error) {
	dir, err := os.MkdirTemp(scratchDir(), "ticketgate-test-")
	if err != nil {
		return nil, fmt.Errorf("temporary PostgreSQL: %w", err)
	}
	if os.Geteuid() == 0 {
		// The server's user must be able to pass through.
		if err := os.Chmod(dir, 0o711); err != nil { //nolint:gosec // nothing in it is readable by others
			return nil, errors.Join(err, os.Remove(dir))
		}
	}
	ctx, cancel := context.WithTimeout(ctx, temporaryStartBound)
	defer cancel()
	s, err := Start(ctx, Config{
		DataDir: dir, BinDir: os.Getenv("TICKETGATE_POSTGRES_BIN"), temporary: true,
		// Each test has its own database and pool.
		Parameters: map[string]string{"max_connections": "300"},
	})
	if err != nil {
		// The supervisor, if it was started, has ended, and no other process uses the directory.
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return s, nil
}
