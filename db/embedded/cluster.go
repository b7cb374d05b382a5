package embedded

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// superuser is the cluster's superuser.
const superuser = "postgres"

// ensureCluster creates the cluster if there is none.
func (s *supervisor) ensureCluster() error {
	cluster := s.Location.Cluster
	if exists(filepath.Join(cluster, "PG_VERSION")) {
		return nil
	}
	// This succeeds for an empty directory only.
	if err := os.Remove(cluster); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%s exists, but holds no PostgreSQL cluster: move it away", cluster)
	}
	return s.makeCluster()
}

// makeCluster runs initdb in a neighboring directory and renames it at the end, so that a directory with the
// cluster's name is always complete. What a killed initdb leaves behind never contained data.
func (s *supervisor) makeCluster() error {
	cluster := s.Location.Cluster
	unfinished := cluster + ".unfinished"
	if err := os.RemoveAll(unfinished); err != nil {
		return err
	}
	if err := os.Mkdir(unfinished, 0o700); err != nil {
		return err
	}
	if err := s.Account.own(unfinished); err != nil {
		return err
	}
	if err := s.initdb(unfinished); err != nil {
		_ = os.RemoveAll(unfinished)
		return err
	}
	if err := os.Rename(unfinished, cluster); err != nil {
		return err
	}
	if s.Location.Link != "" {
		if err := os.Symlink(cluster, s.Location.Link); err != nil {
			return err
		}
	}
	return s.syncDir(filepath.Dir(cluster))
}

// initdb creates a cluster in dir. If the supervisor's parent ends meanwhile, it kills the program and returns
// errOrphaned.
func (s *supervisor) initdb(dir string) error {
	args := []string{
		"-D", dir, "-U", superuser, "-E", "UTF8", "--no-locale",
		// Only the server's user and root may enter the socket's folder.
		"--auth-local=trust", "--auth-host=reject",
	}
	if !s.Fsync {
		args = append(args, "--no-sync")
	}
	cmd := s.command("initdb", syscall.SIGKILL, args...)
	ended, err := launch(cmd)
	if err != nil {
		return err
	}
	select {
	case end := <-ended:
		if end.err != nil {
			return fmt.Errorf("initdb: %w: %s", end.err, s.log.last())
		}
		return nil
	case <-s.orphaned:
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		<-ended
		return errOrphaned
	}
}

// command prepares one of PostgreSQL's programs. The program will run as the server's user, in a process group of its
// own, without the environment of this process. It inherits the lock that shows that it is alive. If this process is
// killed, the program receives the signal atDeath.
func (s *supervisor) command(name string, atDeath syscall.Signal, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(s.Bin, name), args...) //nolint:gosec,noctx // the operator's; the pipe ends it, not a context
	cmd.Dir, cmd.Env = "/", environment()
	cmd.Stdout, cmd.Stderr = s.log, s.log
	cmd.ExtraFiles = []*os.File{s.alive}
	cmd.SysProcAttr = underSupervision(s.Account, atDeath)
	return cmd
}

// end is the result of a program.
type end struct{ err error }

// launch starts a program and reports when it has ended. It must be called on the goroutine that is locked to the
// process's thread.
func launch(cmd *exec.Cmd) (<-chan end, error) {
	// Processes that the program started may keep the log's pipe open a little longer.
	cmd.WaitDelay = time.Second
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	ended := make(chan end, 1)
	go func() { ended <- end{cmd.Wait()} }()
	return ended, nil
}

func (s *supervisor) syncDir(path string) error {
	if !s.Fsync {
		return nil
	}
	d, err := os.Open(path) //nolint:gosec // the operator's data directory
	if err != nil {
		return err
	}
	defer d.Close() //nolint:errcheck // only read
	return d.Sync()
}
