package webhooks

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"ticketgate/cmd/systemtest"
	"ticketgate/jobs/jobstest"
	"ticketgate/jobs/killpoint"
)

// killVariable chooses the step at which a program with kill points dies.
const killVariable = "KILL_AT="

// A process dies once at each step of a delivery. Every event is delivered with the same id and bytes. Jobs are
// backdated here. The wait until they count as stuck is tested elsewhere.
func TestKillAtEachStepLosesNoDelivery(t *testing.T) {
	deaths{points: killpoint.Points(), rounds: 1, lanes: 4, events: 50, aged: true}.test(t)
}

// deaths is a series of deaths at all kill points.
type deaths struct {
	points []killpoint.Point
	// rounds is the number of deaths at each kill point, at a later passage each time.
	rounds int
	// lanes is the number of installations. Their processes die independently of each other.
	lanes int
	// events is the number of events per call. There are four calls for each death.
	events int
	// aged makes the jobs of a dead process older, so that the test does not wait until they count as stuck.
	aged bool
}

// death is one death of a series.
type death struct {
	deaths

	point   killpoint.Point
	passage int
}

// calls returns the marks of the events published around a death.
func (d death) calls(name string) [][]string {
	all := marks(fmt.Sprintf("%s-%d-%s", d.point, d.passage, name), 4*d.events)
	return slices.Collect(slices.Chunk(all, d.events))
}

func (d deaths) test(t *testing.T) {
	t.Helper()
	program := filepath.Join(t.TempDir(), "ticketgate")
	systemtest.Must(t, systemtest.Build(program, "-tags", "killpoints"))
	noKillPoints(t, program)
	queue := make(chan death, d.rounds*len(d.points))
	for round := range d.rounds {
		for _, point := range d.points {
			queue <- death{d, point, round + 1}
		}
	}
	close(queue)
	var lanes sync.WaitGroup
	worlds := make([]*mortal, d.lanes)
	for i := range worlds {
		w := newMortal(t, program)
		worlds[i] = w
		lanes.Go(func() {
			for next := range queue {
				t.Run(fmt.Sprintf("%s, passage %d", next.point, next.passage), func(t *testing.T) { w.die(t, next) })
			}
		})
	}
	lanes.Wait()
	total := 0
	for _, w := range worlds {
		total += w.ledger.check(t)
	}
	if least := d.rounds * len(d.points) * 4 * d.events; total < least {
		t.Errorf("%d deliveries, want at least %d", total, least)
	}
}

// noKillPoints checks that the program that people run ignores the variable.
func noKillPoints(t *testing.T, armed string) {
	t.Helper()
	for program, want := range map[string]bool{systemtest.Binary(t): false, armed: true} {
		text, err := os.ReadFile(program)
		systemtest.Must(t, err)
		if bytes.Contains(text, []byte("KILL_AT")) != want {
			t.Errorf("%s knows kill points: %v", program, !want)
		}
	}
}

// mortal is an installation whose processes die.
type mortal struct {
	program    string
	ledger     *ledger
	subscribed bool
}

func newMortal(t *testing.T, program string) *mortal {
	t.Helper()
	return &mortal{program: program, ledger: newLedger(t, "TICKETGATE_RETRY_SCHEDULE=100ms,200ms,200ms,200ms,200ms,200ms")}
}

// die lets a process die at a step and another one finish its work.
func (m *mortal) die(t *testing.T, d death) {
	t.Helper()
	if d.point == killpoint.Rescuing { // which needs an earlier death, and is passed once
		before := d
		before.point, d.passage = killpoint.Sent, 1
		m.publishUntilDeath(t, before, d.calls("before"))
	}
	left := m.publishUntilDeath(t, d, d.calls("death"))
	died := time.Now()
	survivor := systemtest.Serve(t, m.ledger.settings)
	for i, call := range left {
		switch stored := m.ledger.stored(t, call); {
		case stored == 0 && (i > 0 || d.point != killpoint.Committed):
			if !m.ledger.publish(survivor, call) {
				t.Errorf("the survivor did not publish %s", call[0])
			}
		case stored != d.events || i > 0 || d.point == killpoint.BeforeCommit:
			t.Errorf("%d of %d events of %s are stored", stored, d.events, call[0])
		}
	}
	m.ledger.delivered(t, died.Add(systemtest.DeliveredWithin))
	m.ledger.check(t)
	survivor.Kill()
}

// publishUntilDeath publishes while a process lives, waits for its death, and returns the calls that were not published,
// starting with the one without a response.
func (m *mortal) publishUntilDeath(t *testing.T, d death, calls [][]string) [][]string {
	t.Helper()
	s := systemtest.ServeBy(t, m.program, append(slices.Clone(m.ledger.settings), fmt.Sprintf("%s%s:%d", killVariable, d.point, d.passage)))
	if !m.subscribed {
		m.ledger.subscribe(t, s)
		m.subscribed = true
	}
	for len(calls) > 0 && m.ledger.publish(s, calls[0]) {
		calls = calls[1:]
	}
	select {
	case <-s.Ended:
	case <-time.After(time.Minute):
		t.Fatalf("the process did not die at %s", d.point)
	}
	if status, ok := s.Cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGKILL {
		t.Fatalf("the process ended by itself: %v", s.Cmd.ProcessState)
	}
	m.age(t, d)
	return calls
}

// age makes the jobs of dead processes old enough to be rescued.
func (m *mortal) age(t *testing.T, d death) {
	t.Helper()
	if !d.aged {
		return
	}
	for busy := 1; busy > 0; { // the database may still be working for the dead process
		systemtest.Must(t, m.ledger.sql.QueryRowContext(t.Context(), `SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND state != 'idle' AND pid != pg_backend_pid()`).Scan(&busy))
	}
	_, err := m.ledger.sql.ExecContext(t.Context(), jobstest.Stuck("true"))
	systemtest.Must(t, err)
}
