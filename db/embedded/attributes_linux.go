package embedded

import (
	"os"
	"syscall"
)

// underSupervision makes a child run as the account and receive signal when the supervisor dies. The kernel sends the
// signal when the thread that started the child ends, so the caller must be locked to a thread that lives as long as
// the process.
func underSupervision(a *account, signal syscall.Signal) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: a.credential(), Setpgid: true, Pdeathsig: signal}
}

// program returns the path by which this program can be started again. The link works even if the file was removed or
// replaced since (a finished `go run`, a new build), and if this user can't enter its folder.
func program() (string, error) {
	const self = "/proc/self/exe"
	if _, err := os.Stat(self); err == nil {
		return self, nil
	}
	return os.Executable()
}
