package embedded

import (
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"syscall"
	"time"
)

// Time limits of the first two steps of stop.
const (
	fastStopBound      = 20 * time.Second
	immediateStopBound = 10 * time.Second
)

// serve runs the server. It returns nil after the parent ended and the server was stopped, or an error if the server
// ends by itself.
func (s *supervisor) serve() error {
	cmd := s.command("postgres", syscall.SIGQUIT, s.arguments()...)
	ended, err := launch(cmd)
	if err != nil {
		return err
	}
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-s.orphaned:
			s.stop(cmd, ended)
			return nil
		case end := <-ended:
			return fmt.Errorf("postgres ended (%v): %s", end.err, s.log.last()) //nolint:errorlint // nil if it ended cleanly
		case <-tick.C:
			if s.isReady(cmd.Process.Pid) {
				tick.Stop()
				s.tell(report{Ready: true})
			}
		}
	}
}

// isReady reports whether the server accepts connections. The file may still be the previous server's.
func (s *supervisor) isReady(pid int) bool {
	file, err := readPIDFile(s.Location.Cluster)
	return err == nil && file.ready && file.pid == pid
}

// stop ends the server: first with its fast shutdown (clients disconnected, data flushed), then without flushing (the
// next start recovers), then by SIGKILL. A temporary server has nothing worth flushing.
func (s *supervisor) stop(cmd *exec.Cmd, ended <-chan end) {
	steps := []struct {
		signal syscall.Signal
		bound  time.Duration
	}{
		{syscall.SIGINT, fastStopBound},
		{syscall.SIGQUIT, immediateStopBound},
		{syscall.SIGKILL, immediateStopBound},
	}
	if s.Remove != "" {
		steps = steps[1:]
	}
	for _, step := range steps {
		_ = cmd.Process.Signal(step.signal)
		select {
		case <-ended:
			return
		case <-time.After(step.bound):
		}
	}
}

// arguments returns the server's settings. They are passed on the command line, where they override the files in the
// cluster.
func (s *supervisor) arguments() []string {
	settings := map[string]string{
		"listen_addresses":        "",
		"port":                    port,
		"unix_socket_directories": s.SocketDir,
		"unix_socket_permissions": "0700",
		"timezone":                "UTC",
		"log_timezone":            "UTC",
		"lc_messages":             "C",
		"shared_buffers":          "128MB",
		"jit":                     "off", // many short queries, for which compiling never pays off
		// The log goes to the supervisor's pipe, whatever postgresql.conf says. It contains no statements and values,
		// since rows contain secrets.
		"logging_collector":       "off",
		"log_destination":         "stderr",
		"log_line_prefix":         "%m [%p] ",
		"log_min_messages":        "warning",
		"log_min_error_statement": "panic",
		"log_error_verbosity":     "terse",
		"log_statement":           "none",
	}
	if !s.Fsync {
		maps.Copy(settings, map[string]string{"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"})
	}
	maps.Copy(settings, s.Parameters)
	args := make([]string, 0, 2*len(settings)+2)
	args = append(args, "-D", s.Location.Cluster)
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		args = append(args, "-c", name+"="+settings[name])
	}
	return args
}
