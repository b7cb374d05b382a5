package webhooks

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"ticketgate/cmd/systemtest"
	"ticketgate/db/embedded"
)

const (
	// backWithin is how soon after a restart of the database an event must be published and delivered again.
	backWithin = 15 * time.Second
	// publishEvery is the interval of events published meanwhile.
	publishEvery = 20 * time.Millisecond
)

// The database restarts under load, cleanly and as after a crash. Everything accepted is delivered, and the program recovers
// by itself.
func TestARestartOfTheDatabaseLosesNothing(t *testing.T) {
	t.Parallel()
	testRestarts(t, (*cluster).restart, (*cluster).crash)
}

func testRestarts(t *testing.T, restarts ...func(*cluster)) {
	t.Helper()
	c := openCluster(t)
	settings := c.settings("TICKETGATE_RETRY_SCHEDULE=100ms,1s,1s,1s,1s,1s")
	s := systemtest.Serve(t, settings)
	l := openLedger(t, settings, c.server.ApplicationURL(), systemtest.Seed(t, settings).Sellers[0])
	l.subscribe(t, s)
	steady := publishSteadily(t, l, "steady", s)
	for i, restart := range restarts {
		l.awaitCalls(t, fmt.Sprintf("before restart %d", i+1), 50)
		restart(c)
		back := time.Now()
		probe, tries := marks(fmt.Sprintf("restart-%d-0", i), 1), 1
		for ; !l.publish(s, probe); tries++ {
			if time.Since(back) > backWithin {
				t.Fatalf("nothing was published within %v of restart %d", backWithin, i+1)
			}
			<-time.After(publishEvery)
			probe = marks(fmt.Sprintf("restart-%d-%d", i, tries), 1)
		}
		l.awaitCall(t, probe[0], back.Add(backWithin))
		t.Logf("back %v after restart %d, with %d tries", time.Since(back), i+1, tries)
	}
	steady()
	l.delivered(t, time.Now().Add(systemtest.DeliveredWithin))
	l.check(t)
	// Each try of this test logs lines, too, and a slow machine makes many tries.
	log := s.Stderr.String()
	tries, refusals := strings.Count(log, "msg=request "), strings.Count(log, `msg="graphql error"`)
	if own := strings.Count(log, "\n") - tries - refusals; own > 10*l.total || refusals > tries {
		t.Errorf("%d lines in the log for %d calls, and %d refusals of %d tries", own, l.total, refusals, tries)
	}
	if code := s.Stop(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// A response that arrives while the database restarts is recorded when the database is back. The listener is not called
// again.
func TestAResponseIsRecordedAfterARestartOfTheDatabase(t *testing.T) {
	t.Parallel()
	c := openCluster(t)
	settings := c.settings()
	s := systemtest.Serve(t, settings)
	l := openLedger(t, settings, c.server.ApplicationURL(), systemtest.Seed(t, settings).Sellers[0])
	reached, letGo := make(chan struct{}), make(chan struct{})
	arrive := sync.OnceFunc(func() { close(reached) })
	l.answer = func(string, int) int {
		arrive()
		<-letGo
		return http.StatusNoContent
	}
	l.subscribe(t, s)
	l.publishAll(t, s, marks("held", 1))
	<-reached
	c.stop()
	close(letGo)
	systemtest.Eventually(t, "the record fails", func() bool { return strings.Contains(s.Stderr.String(), "recorded later") })
	c.start()
	l.delivered(t, time.Now().Add(backWithin))
	if l.check(t); l.total != 1 {
		t.Errorf("%d calls", l.total)
	}
}

// cluster is a test's own PostgreSQL, which keeps what it has confirmed.
type cluster struct {
	t      *testing.T
	folder string
	server *embedded.Server
}

func openCluster(t *testing.T) *cluster {
	t.Helper()
	_, folder := systemtest.Privately(t)
	c := &cluster{t: t, folder: folder}
	c.start()
	t.Cleanup(c.stop)
	return c
}

// settings returns the settings of a program on this cluster.
func (c *cluster) settings(more ...string) []string {
	return systemtest.Environment(append([]string{
		"TICKETGATE_DATABASE_URL=" + c.server.ApplicationURL(), "TICKETGATE_DATABASE_OWNER_URL=" + c.server.OwnerURL(),
		"TICKETGATE_LISTEN=127.0.0.1:0", "TICKETGATE_SECRET_KEY=" + systemtest.SecretKey, "TICKETGATE_SYSTEM_TOKEN=" + systemtest.SystemToken,
		"TICKETGATE_ALLOW_PRIVATE_ADDRESSES=true", "TICKETGATE_DATA_DIR=/nonexistent",
	}, more...)...)
}

func (c *cluster) start() {
	c.t.Helper()
	server, err := embedded.Start(c.t.Context(), embedded.Config{DataDir: c.folder, Fsync: true})
	systemtest.Must(c.t, err)
	c.server = server
}

func (c *cluster) stop() {
	if err := c.server.Stop(context.Background()); err != nil {
		c.t.Error(err)
	}
}

// restart runs PostgreSQL's fast restart: sessions are ended, and everything is written.
func (c *cluster) restart() {
	c.t.Helper()
	c.stop()
	c.start()
}

// crash runs PostgreSQL's immediate shutdown: nothing is written, and the start recovers from the log.
func (c *cluster) crash() {
	c.t.Helper()
	file, err := os.ReadFile(filepath.Join(c.folder, "postgres", "postmaster.pid"))
	systemtest.Must(c.t, err)
	line, _, _ := strings.Cut(string(file), "\n")
	process, err := strconv.Atoi(line)
	systemtest.Must(c.t, err)
	systemtest.Must(c.t, syscall.Kill(process, syscall.SIGQUIT))
	<-c.server.Done()
	c.stop()
	c.start()
}

// publishSteadily publishes single events, whose marks start with prefix, until stop is called, whatever the results.
func publishSteadily(t *testing.T, l *ledger, prefix string, at *systemtest.Process) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var publishers sync.WaitGroup
	for publisher := range 4 {
		publishers.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				l.publish(at, []string{fmt.Sprintf("%s-%d-%05d", prefix, publisher, i)})
				select {
				case <-ctx.Done():
				case <-time.After(publishEvery):
				}
			}
		})
	}
	stop = func() {
		cancel()
		publishers.Wait()
	}
	t.Cleanup(stop)
	return stop
}
