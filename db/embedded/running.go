package embedded

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// ErrNotRunning means that no server is running on the data directory.
var ErrNotRunning = errors.New("no private PostgreSQL is running here")

// Running returns the URLs of the server that another process (`ticketgate serve`) runs on the data directory, for
// other commands. If there is none, it returns ErrNotRunning, and the caller may call Start.
func Running(dataDir string) (ownerURL, applicationURL string, err error) {
	c, err := Config{DataDir: dataDir}.complete()
	if err != nil {
		return "", "", err
	}
	at := filesOf(c.DataDir)
	if alive, err := isAlive(at); err != nil || !alive {
		return "", "", errors.Join(err, fmt.Errorf("%w (%s)", ErrNotRunning, at.dataDir))
	}
	cluster, err := filepath.EvalSymlinks(at.cluster)
	if err != nil {
		return "", "", fmt.Errorf("private PostgreSQL of %s is still being created: %w", at.dataDir, err)
	}
	file, err := readPIDFile(cluster)
	if err != nil {
		return "", "", fmt.Errorf("private PostgreSQL of %s is starting, or belongs to another user: %w", at.dataDir, err)
	}
	if !file.ready || file.socket == "" {
		return "", "", fmt.Errorf("private PostgreSQL of %s is starting or stopping; try again", at.dataDir)
	}
	return address(file.socket, OwnerRole, Database), address(file.socket, ApplicationRole, Database), nil
}

// isAlive reports whether a process of the server is alive.
func isAlive(at files) (bool, error) {
	f, err := os.OpenFile(at.alive, os.O_RDWR, 0)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer f.Close() //nolint:errcheck // nothing was written
	// Shared, so that two concurrent checks don't mistake each other for the server.
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return true, nil
	}
	return false, err
}
