package embedded

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

const pidFileName = "postmaster.pid"

// pidFile is the content of PostgreSQL's postmaster.pid.
type pidFile struct {
	pid    int
	socket string // folder of the Unix socket
	ready  bool   // connections are accepted
}

// readPIDFile reads the lines for the process (1), the socket folder (5) and the state (8). A file that is still
// being written has fewer lines.
func readPIDFile(cluster string) (pidFile, error) {
	text, err := os.ReadFile(filepath.Join(cluster, pidFileName)) //nolint:gosec // the operator's data directory
	if err != nil {
		return pidFile{}, err
	}
	lines := strings.Split(string(text), "\n")
	line := func(n int) string {
		if n > len(lines) {
			return ""
		}
		return strings.TrimSpace(lines[n-1])
	}
	pid, _ := strconv.Atoi(line(1))
	return pidFile{pid: pid, socket: line(5), ready: line(8) == "ready"}, nil
}

// clearStalePID removes the file of a dead server whose process id now belongs to an unrelated process. PostgreSQL
// would mistake that process for a server and refuse to start. In all other cases PostgreSQL decides correctly. Since
// the caller holds the lock of the server's own processes, a running server can only have been started manually.
func clearStalePID(cluster string) error {
	file, err := readPIDFile(cluster)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	// A server's working directory is its cluster.
	dir, err := os.Readlink(fmt.Sprintf("/proc/%d/cwd", file.pid))
	if err != nil {
		return nil //nolint:nilerr // dead, another user's, or no /proc: PostgreSQL decides
	}
	if dir == cluster {
		return fmt.Errorf("process %d, a PostgreSQL that ticketgate did not start, runs on %s; stop it first", file.pid, cluster)
	}
	return os.Remove(filepath.Join(cluster, pidFileName))
}
