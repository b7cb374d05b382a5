package embedded

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
)

// Config configures a private server.
type Config struct {
	// DataDir is the installation's data directory. It is created if missing.
	DataDir string
	// BinDir is the folder of initdb and postgres (TICKETGATE_POSTGRES_BIN). If empty, they are searched for.
	BinDir string
	// FallbackDir is where the cluster is created if the server's user can't reach DataDir, which can happen only if
	// started as root. The default is /var/lib/ticketgate.
	FallbackDir string
	// Fsync makes commits survive a power failure. Test runs don't need it.
	Fsync bool
	// Parameters are settings of postgresql.conf. They override those of this package.
	Parameters map[string]string
	// Log receives messages for the operator. If nil, they are discarded.
	Log *slog.Logger

	// temporary makes the supervisor remove DataDir.
	temporary bool
}

const defaultFallbackDir = "/var/lib/ticketgate"

var parameterName = regexp.MustCompile(`^[a-z][a-z0-9_]*(\.[a-z0-9_]+)?$`)

// complete returns the configuration with defaults filled in and DataDir
// absolute, since no process of the server runs in the caller's directory.
func (c Config) complete() (Config, error) {
	for name := range c.Parameters {
		if !parameterName.MatchString(name) {
			return c, fmt.Errorf("private PostgreSQL: %q is not the name of a setting", name)
		}
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.FallbackDir == "" {
		c.FallbackDir = defaultFallbackDir
	}
	absolute, err := filepath.Abs(c.DataDir)
	if err != nil {
		return c, fmt.Errorf("private PostgreSQL: data directory: %w", err)
	}
	c.DataDir = absolute
	return c, nil
}

// files has the paths of the server's files in one data directory.
type files struct {
	dataDir, cluster, lock, alive, log string
}

func filesOf(dataDir string) files {
	at := func(name string) string { return filepath.Join(dataDir, name) }
	return files{
		dataDir: dataDir,
		cluster: at("postgres"),
		lock:    at("postgres.lock"),
		alive:   at("postgres.alive"),
		log:     at("postgres.log"),
	}
}

// makeDataDir creates the data directory. If run as root, the server's user must be able to pass through it (but not
// list it); other users have no access.
func makeDataDir(dir string) error {
	mode := os.FileMode(0o700)
	if os.Geteuid() == 0 {
		mode = 0o711
	}
	return makeDir(dir, mode)
}

// makeDir creates a directory if it is missing, with the given mode regardless of the umask.
func makeDir(dir string, mode os.FileMode) error {
	if exists(dir) {
		return nil
	}
	err := os.MkdirAll(dir, mode)
	if err == nil {
		err = os.Chmod(dir, mode)
	}
	if err != nil {
		return fmt.Errorf("private PostgreSQL: %w", err)
	}
	return nil
}

// openBeside opens a file in the data directory for writing. Root gives a new file to the directory's owner, who may
// start the program next time.
func openBeside(path string, flags int) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|flags, 0o600) //nolint:gosec // the path is the operator's data directory
	if err != nil {
		return nil, err
	}
	if os.Geteuid() == 0 {
		if owner, known := ownerOf(filepath.Dir(path)); known {
			_ = f.Chown(int(owner.UID), int(owner.GID))
		}
	}
	return f, nil
}
