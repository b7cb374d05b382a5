package embedded

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// ErrInUse means that another process owns the data directory's server. The error that wraps it names both.
var ErrInUse = errors.New("private PostgreSQL is in use")

// errLocked means that another process holds the lock.
var errLocked = errors.New("locked")

// tryLock locks an open file. The kernel releases the lock when the last process that inherited the file has ended,
// however it ended. Stale locks can't exist, and no process id needs to be checked.
func tryLock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return errLocked
	}
	return err
}

// claim makes this process the owner of the data directory's server. Closing the file releases it.
func claim(at files) (*os.File, error) {
	f, err := openBeside(at.lock, 0)
	if err != nil {
		return nil, fmt.Errorf("private PostgreSQL: %w", err)
	}
	if err := tryLock(f); err != nil {
		defer f.Close() //nolint:errcheck // nothing was written
		if errors.Is(err, errLocked) {
			return nil, fmt.Errorf("%w: another ticketgate (%s) runs on %s; stop it, or set another TICKETGATE_DATA_DIR",
				ErrInUse, holder(f), at.dataDir)
		}
		return nil, fmt.Errorf("private PostgreSQL: lock %s: %w", at.lock, err)
	}
	// The content is only for the message above.
	_ = f.Truncate(0)
	_, _ = f.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
	return f, nil
}

func holder(f *os.File) string {
	text := make([]byte, 16)
	n, _ := f.ReadAt(text, 0)
	if pid := strings.TrimSpace(string(text[:n])); pid != "" {
		return "process " + pid
	}
	return "just starting"
}

// awaitLock waits for the lock while the previous owner's server is stopping, until the bound or until canceled.
func awaitLock(f *os.File, bound time.Duration, canceled <-chan struct{}) error {
	deadline := time.NewTimer(bound)
	defer deadline.Stop()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		if err := tryLock(f); !errors.Is(err, errLocked) {
			return err
		}
		select {
		case <-tick.C:
		case <-canceled:
			return errOrphaned
		case <-deadline.C:
			return fmt.Errorf("processes of an earlier server are still alive after %s (they hold %s)", bound, f.Name())
		}
	}
}
