//go:build !linux

package embedded

import (
	"os"
	"syscall"
)

// underSupervision makes a child run as the account. This system sends no signal when the supervisor dies; only the pipe
// shows that the supervisor's parent has ended.
func underSupervision(a *account, _ syscall.Signal) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: a.credential(), Setpgid: true}
}

// program returns the path by which this program can be started again.
func program() (string, error) { return os.Executable() }
