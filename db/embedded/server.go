package embedded

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"sync"
	"syscall"
)

var errSupervisorDied = errors.New("the supervisor of PostgreSQL died")

// Server is a private PostgreSQL that runs until Stop, or until this process ends for any reason.
type Server struct {
	socketDir string
	lock      *os.File
	orders    *os.File // closing it stops the server
	done      chan struct{}
	failure   error // why the server ended by itself; read after done

	mu      sync.Mutex
	stopped bool
}

// Start starts the private server of a data directory. It first creates the cluster, roles and database if needed.
// ctx bounds only the start. Use errors.Is for ErrNoBinaries, ErrInUse and ErrOtherVersion; the text of every error
// is for the operator.
func Start(ctx context.Context, c Config) (*Server, error) {
	c, err := c.complete()
	if err != nil {
		return nil, err
	}
	if err := makeDataDir(c.DataDir); err != nil {
		return nil, err
	}
	lock, err := claim(filesOf(c.DataDir))
	if err != nil {
		return nil, err
	}
	s, err := startClaimed(ctx, c)
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	s.lock = lock
	if err := provision(ctx, s); err != nil {
		return nil, errors.Join(err, s.Stop(context.WithoutCancel(ctx)))
	}
	return s, nil
}

// startClaimed starts the server of a data directory that this process owns.
func startClaimed(ctx context.Context, c Config) (*Server, error) {
	at := filesOf(c.DataDir)
	who, err := accountFor(at.cluster)
	if err != nil {
		return nil, err
	}
	dirs, err := candidates(c.BinDir, distributionFolders)
	if err != nil {
		return nil, err
	}
	major, err := clusterVersion(at.cluster)
	if err != nil {
		return nil, err
	}
	bin, err := choose(ctx, dirs, who, major)
	if err != nil {
		return nil, err
	}
	where, err := locate(ctx, c, bin, who)
	if err != nil {
		return nil, err
	}
	t := task{
		Bin: bin.dir, Account: who, Location: where, Alive: at.alive, Log: at.log,
		SocketDir: socketDirFor(where.Cluster), Fsync: c.Fsync, Parameters: c.Parameters,
	}
	if c.temporary {
		t.Remove = c.DataDir
	}
	return spawn(ctx, t)
}

// spawn starts the supervisor with its task and waits for its report.
func spawn(ctx context.Context, t task) (*Server, error) {
	self, err := program()
	if err != nil {
		return nil, fmt.Errorf("private PostgreSQL: %w", err)
	}
	in, orders, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("private PostgreSQL: %w", err)
	}
	defer in.Close()          //nolint:errcheck // the supervisor's end, which has its own copy
	cmd := exec.Command(self) //nolint:gosec,noctx // this program; it outlives the start's context
	cmd.Args = []string{"ticketgate", "supervise-postgres", t.Location.Cluster}
	cmd.Dir, cmd.Env = "/", append(environment(), superviseVariable+"=1")
	cmd.Stdin, cmd.Stderr = in, os.Stderr
	// In a session of its own, it is reached by neither Ctrl-C nor a closed terminal.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("private PostgreSQL: supervisor: %w", err), orders.Close())
	}
	s := &Server{socketDir: t.SocketDir, orders: orders, done: make(chan struct{})}
	reports := make(chan report, 1)
	go s.watch(cmd, t, json.NewDecoder(out), reports)
	if err := s.awaitReady(ctx, t, reports); err != nil {
		return nil, err
	}
	return s, nil
}

// watch passes on the supervisor's first report, or an empty one if it dies without a report. It keeps the last report
// and waits until no process of the server is left.
func (s *Server) watch(cmd *exec.Cmd, t task, reports *json.Decoder, first chan<- report) {
	defer close(s.done)
	var r report
	_ = reports.Decode(&r)
	first <- r
	for reports.Decode(&r) == nil {
		s.failure = fmt.Errorf("private PostgreSQL: %s", r.Error)
	}
	if cmd.Wait() != nil && s.failure == nil {
		s.failure = errSupervisorDied
	}
	awaitGone(t)
}

// awaitGone waits until no process of the server is left. They end by themselves if the supervisor was killed. Usually
// the supervisor has waited already, and awaitGone returns immediately.
func awaitGone(t task) {
	if f, err := os.Open(t.Alive); err == nil {
		_ = awaitLock(f, earlierServerBound, nil)
		_ = f.Close()
	}
	if t.Remove != "" {
		_ = os.RemoveAll(t.Remove)
	}
}

// awaitReady sends the supervisor its task and waits until the server is ready. After a failure, it stops the
// server.
func (s *Server) awaitReady(ctx context.Context, t task, reports <-chan report) error {
	err := json.NewEncoder(s.orders).Encode(t)
	if err == nil {
		select {
		case r := <-reports:
			if r.Ready {
				return nil
			}
			err = errSupervisorDied
			if r.Error != "" {
				err = errors.New(r.Error)
			}
		case <-ctx.Done():
			err = fmt.Errorf("not ready in time (see %s): %w", t.Log, ctx.Err())
		}
	}
	return errors.Join(fmt.Errorf("private PostgreSQL: %w", err), s.Stop(context.WithoutCancel(ctx)))
}

// Done is closed when the server has ended, by Stop or by itself.
func (s *Server) Done() <-chan struct{} { return s.done }

// Err returns, after Done, why the server ended by itself. It returns nil if Stop ended it.
func (s *Server) Err() error { return s.failure }

// Stop disconnects clients, stops the server and returns when none of its processes is left. It may be called more
// than once, even after the server has ended by itself. If ctx is done first, the server continues to stop.
func (s *Server) Stop(ctx context.Context) error {
	s.mu.Lock()
	first := !s.stopped
	s.stopped = true
	s.mu.Unlock()
	if first {
		_ = s.orders.Close()
	}
	select {
	case <-s.done:
	case <-ctx.Done():
		return fmt.Errorf("private PostgreSQL is still stopping: %w", ctx.Err())
	}
	if first && s.lock != nil {
		return s.lock.Close()
	}
	return nil
}

// KillAtEnd sets a process group that the supervisor kills if this process ends without Stop, so that a killed test run
// leaves no tests running. 0 removes the setting.
func (s *Server) KillAtEnd(group int) error {
	return json.NewEncoder(s.orders).Encode(order{KillGroup: group})
}

// OwnerURL returns the URL of the database for its owner, who runs migrations.
func (s *Server) OwnerURL() string { return address(s.socketDir, OwnerRole, Database) }

// ApplicationURL returns the URL of the database for the role that only reads and writes rows.
func (s *Server) ApplicationURL() string { return address(s.socketDir, ApplicationRole, Database) }

// SuperuserURL returns the URL of database for the superuser. Test runs use it to create databases.
func (s *Server) SuperuserURL(database string) string {
	return address(s.socketDir, superuser, database)
}

// address returns a URL that sets every part that PG* variables could otherwise fill in.
func address(socketDir, role, database string) string {
	u := url.URL{Scheme: "postgres", User: url.User(role), Path: "/" + database}
	u.RawQuery = url.Values{"host": {socketDir}, "port": {port}, "sslmode": {"disable"}}.Encode()
	return u.String()
}
