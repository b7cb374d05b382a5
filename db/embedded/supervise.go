package embedded

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"sync/atomic"
	"syscall"
	"time"
)

// superviseVariable is the environment variable that makes a program with this package the supervisor.
const superviseVariable = "TICKETGATE_SUPERVISE_POSTGRES"

// errOrphaned means that the parent has ended or has closed the pipe.
var errOrphaned = errors.New("the parent has ended")

// earlierServerBound is the time that an earlier server may take to stop.
const earlierServerBound = 40 * time.Second

// init is used instead of a subcommand, because every program must be able to be its own supervisor: ticketgate, the
// test binary of each package, and what `go run` builds. It runs before main and before flags are parsed, and does
// nothing without the variable.
func init() { //nolint:gochecknoinits // see above
	if os.Getenv(superviseVariable) != "" {
		os.Exit(supervise(os.Stdin, os.Stdout))
	}
}

// supervisor is the state of the process between ticketgate and postgres.
type supervisor struct {
	task
	log       *logFile
	alive     *os.File // inherited by every process of the server
	reports   *json.Encoder
	orphaned  chan struct{}
	killGroup atomic.Int64
}

// supervise runs one server until the input closes, and returns the exit code.
func supervise(in io.Reader, out io.Writer) int {
	// The kernel signals the server when the thread that started it ends.
	runtime.LockOSThread()
	// Only the pipe may end this process: Ctrl-C and the SIGTERM of a shutdown are for the parent, which drains first.
	// The signals are caught instead of ignored, since children would inherit ignored ones. SIGPIPE is caught because
	// the parent may have ended when this process reports.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE)

	orders := json.NewDecoder(in)
	s := &supervisor{reports: json.NewEncoder(out), orphaned: make(chan struct{})}
	if err := orders.Decode(&s.task); err != nil {
		fmt.Fprintf(os.Stderr, "%s is set, but the input holds no task: %v\n", superviseVariable, err)
		return 2
	}
	s.log = &logFile{path: s.Log}
	go s.obey(orders)
	err := s.run()
	if err == nil || errors.Is(err, errOrphaned) {
		return 0
	}
	s.tell(report{Error: err.Error()})
	return 1
}

// tell reports to the parent, or to the terminal if the parent has ended.
func (s *supervisor) tell(r report) {
	if err := s.reports.Encode(r); err != nil {
		fmt.Fprintln(os.Stderr, "supervisor of PostgreSQL:", r.Error, err)
	}
}

// obey follows orders until the parent closes the pipe or dies.
func (s *supervisor) obey(orders *json.Decoder) {
	for {
		var o order
		if orders.Decode(&o) != nil {
			break
		}
		s.killGroup.Store(int64(o.KillGroup))
	}
	if group := int(s.killGroup.Load()); group > 1 {
		_ = syscall.Kill(-group, syscall.SIGKILL)
	}
	close(s.orphaned)
}

// run takes the lock, runs the server until it must stop, and removes the supervisor's files.
func (s *supervisor) run() error {
	if s.Remove != "" {
		defer os.RemoveAll(s.Remove) //nolint:errcheck // no process is left to report to
	}
	alive, err := openBeside(s.Alive, 0)
	if err != nil {
		return err
	}
	s.alive = alive
	if err := awaitLock(alive, earlierServerBound, s.orphaned); err != nil {
		return err
	}
	if err := s.ensureCluster(); err != nil {
		return err
	}
	if err := clearStalePID(s.Location.Cluster); err != nil {
		return err
	}
	if err := makeSocketDir(s.SocketDir, s.Account); err != nil {
		return err
	}
	defer removeSocketDir(s.SocketDir)
	return s.serve()
}
