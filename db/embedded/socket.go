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

// scratchDir is where short-lived things go. Root's own may be out of reach for
// the server's user.
func scratchDir() string {
	if os.Geteuid() == 0 {
		return "/tmp"
	}
	return os.TempDir()
}

// socketDirFor names the folder of the cluster's socket. A socket's path is
// limited in length, which the data directory's isn't.
func socketDirFor(cluster string) string {
	name := "ticketgate-" + digest(cluster)
	if dir := filepath.Join(scratchDir(), name); len(dir) <= maxSocketDir {
		return dir
	}
	return "/tmp/" + name
}

// makeSocketDir makes the folder, or takes over the one that a killed
// supervisor left. Its name can be guessed and its parent is open to all, so a
// folder that isn't exactly as we make it is refused.
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
		return fmt.Errorf("%s is not the private folder it should be (%s): remove it", dir, info.Mode())
	}
	emptySocketDir(dir)
	return nil
}

// emptySocketDir removes what a server leaves when it is killed. A left lock
// could name a process that lives again, which PostgreSQL takes for a server.
func emptySocketDir(dir string) {
	_ = os.Remove(filepath.Join(dir, socketName))
	_ = os.Remove(filepath.Join(dir, socketName+".lock"))
}

func removeSocketDir(dir string) {
	emptySocketDir(dir)
	_ = os.Remove(dir)
}
