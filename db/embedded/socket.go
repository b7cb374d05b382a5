package embedded

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

const (
	port         = "5432" // only part of the socket's name
	socketName   = ".s.PGSQL." + port
	maxSocketDir = 104 - len("/"+socketName) - 1 // the shortest sun_path in use, with its NUL
)

// scratchDir returns the directory for short-lived files. As root it is /tmp, because the server's user may be unable
// to enter root's own.
func scratchDir() string {
	if os.Geteuid() == 0 {
		return "/tmp"
	}
	return os.TempDir()
}

// socketDirFor returns the folder of the cluster's socket. It is not in the data directory, because the length of a
// socket's path is limited.
func socketDirFor(cluster string) string {
	name := "ticketgate-" + digest(cluster)
	if dir := filepath.Join(scratchDir(), name); len(dir) <= maxSocketDir {
		return dir
	}
	return "/tmp/" + name
}

// makeSocketDir creates the folder, or reuses the folder that a killed supervisor left. Its name can be guessed and all
// users can write to its parent, so a folder with any other owner or mode is refused.
func makeSocketDir(dir string, a *account) error {
	err := os.Mkdir(dir, 0o700)
	if err == nil {
		return a.own(dir)
	}
	if !errors.Is(err, os.ErrExist) {
		return err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	stat, isUnix := info.Sys().(*syscall.Stat_t)
	if !info.IsDir() || !isUnix || stat.Uid != a.uid() || info.Mode().Perm() != 0o700 {
		return fmt.Errorf("%s is not a private folder of the server (%s); remove it", dir, info.Mode())
	}
	emptySocketDir(dir)
	return nil
}

// emptySocketDir removes the files of a killed server. A stale lock could name the process id of another process,
// which PostgreSQL would mistake for a server.
func emptySocketDir(dir string) {
	_ = os.Remove(filepath.Join(dir, socketName))
	_ = os.Remove(filepath.Join(dir, socketName+".lock"))
}

func removeSocketDir(dir string) {
	emptySocketDir(dir)
	_ = os.Remove(dir)
}
