//go:build !linux

package embedded

import (
	"os"
	"syscall"
)

// underSupervision starts a child as the account. There is no signal at the
// supervisor's death here, only the pipe covers its parent's.
func underSupervision(a *account, _ syscall.Signal) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: a.credential(), Setpgid: true}
}

// program is the path by which this program can be started again.
func program() (string, error) { return os.Executable() }
