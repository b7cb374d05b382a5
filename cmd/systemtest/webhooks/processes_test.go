package webhooks

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"ticketgate/cmd/systemtest"
	"ticketgate/jobs/jobstest"
)

// A process is paused in the middle of an attempt, and another one makes it again. When the first resumes, its call has
// failed. The attempt's number shows that this result is outdated.
func TestLateResultOfPausedProcessIsIgnored(t *testing.T) {
	t.Parallel()
	l := newLedger(t, "TICKETGATE_RETRY_SCHEDULE=1h")
	var calls atomic.Int32
	letGo, reached := make(chan struct{}), make(chan struct{}, 2)
	l.answer = func(string, int) int {
		reached <- struct{}{}
		if calls.Add(1) == 1 {
			<-letGo
			return http.StatusInternalServerError
		}
		return http.StatusOK
	}
	paused := systemtest.Serve(t, l.settings)
	l.subscribe(t, paused)
	l.publishAll(t, paused, marks("paused", 1))
	<-reached
	paused.Signal(syscall.SIGSTOP)
	_, err := l.sql.ExecContext(t.Context(), jobstest.Stuck("true"))
	systemtest.Must(t, err)
	systemtest.Start(t, l.settings, "work")
	l.delivered(t, time.Now().Add(systemtest.DeliveredWithin))
	close(letGo)
	paused.Signal(syscall.SIGCONT)
	systemtest.Eventually(t, "the late result is refused", func() bool {
		log := paused.Stderr.String()
		return strings.Contains(log, `"webhook attempt"`) && strings.Contains(log, "recorded=false")
	})
	if l.check(t); l.total != 2 {
		t.Errorf("%d calls", l.total)
	}
}

// Another process takes over only the jobs that a paused process holds, and each once: not deliveries that are set
// aside, and not deliveries that the running process is about to attempt.
func TestATakeOverTakesOnlyHeldJobs(t *testing.T) {
	t.Parallel()
	const events, held = 12, 4 // two first attempts and two others
	l := newLedger(t, "TICKETGATE_RETRY_SCHEDULE=3s")
	letGo, reached := make(chan struct{}), make(chan string, 100)
	var late atomic.Bool
	l.answer = func(mark string, repeat int) int {
		reached <- mark
		if !late.Load() {
			<-letGo
		}
		<-time.After(600 * time.Millisecond) // longer than the wait for a place
		if repeat == 0 {
			return http.StatusInternalServerError
		}
		return http.StatusOK
	}
	paused := systemtest.Serve(t, l.settings)
	l.subscribe(t, paused)
	l.publishAll(t, paused, marks("held", events))
	for range held {
		<-reached
	}
	others := func(condition string) func() bool {
		return func() (all bool) {
			systemtest.Must(t, l.sql.QueryRowContext(t.Context(), "SELECT count(*) = $1 FROM "+condition, events-held).Scan(&all))
			return all
		}
	}
	systemtest.Eventually(t, "the others are set aside", others("set_aside"))
	paused.Signal(syscall.SIGSTOP)
	var lastOfPaused int64
	systemtest.Must(t, l.sql.QueryRowContext(t.Context(), "SELECT max(id) FROM "+jobstest.Jobs).Scan(&lastOfPaused))
	late.Store(true)
	systemtest.Start(t, l.settings, "work")
	systemtest.Eventually(t, "the others continue", others("deliveries WHERE scheduled > 0"))
	_, err := l.sql.ExecContext(t.Context(), jobstest.Stuck("id <= $1"), lastOfPaused)
	systemtest.Must(t, err)
	l.delivered(t, time.Now().Add(systemtest.DeliveredWithin))
	close(letGo)
	paused.Signal(syscall.SIGCONT)
	systemtest.Eventually(t, "the late results are refused", func() bool {
		return strings.Count(paused.Stderr.String(), "recorded=false") == held
	})
	if l.check(t); l.total != 2*events {
		t.Errorf("calls of each: %v", l.calls)
	}
}

// Fifty clicks on a failed delivery, and fifty more while that attempt runs, cause one additional attempt.
func TestFiftyRetriesMakeOneCall(t *testing.T) {
	t.Parallel()
	l := newLedger(t, "TICKETGATE_RETRY_SCHEDULE=0s")
	letGo, reached := make(chan struct{}), make(chan struct{}, 10)
	l.answer = func(_ string, repeat int) int {
		if repeat < 2 {
			return http.StatusInternalServerError
		}
		reached <- struct{}{}
		<-letGo
		return http.StatusOK
	}
	processes := [...]*systemtest.Process{systemtest.Serve(t, l.settings), systemtest.Serve(t, l.settings)}
	l.subscribe(t, processes[0])
	l.publishAll(t, processes[0], marks("clicked", 1))
	l.delivered(t, time.Now().Add(systemtest.DeliveredWithin)) // it has failed: nothing is pending
	var id string
	systemtest.Must(t, l.sql.QueryRowContext(t.Context(), "SELECT id::text FROM deliveries WHERE state = 'failed' AND attempts = 2").Scan(&id))
	l.click(t, processes[:], id)
	<-reached
	l.click(t, processes[:], id)
	close(letGo)
	l.delivered(t, time.Now().Add(systemtest.DeliveredWithin))
	if l.check(t); l.total != 3 {
		t.Errorf("%d calls, want two of the schedule and one manual", l.total)
	}
}

// click requests a retry fifty times at once, at all processes.
func (l *ledger) click(t *testing.T, at []*systemtest.Process, id string) {
	t.Helper()
	var clicks sync.WaitGroup
	for i := range 50 {
		clicks.Go(func() {
			status, answer, err := systemtest.TryRequest(t.Context(), http.DefaultClient, http.MethodPost,
				at[i%len(at)].URL+"/api/webhook-deliveries/"+id+"/retry", "", "Authorization: Bearer "+l.seller.APIKey)
			if err != nil || status != http.StatusAccepted || !strings.Contains(answer, id) {
				t.Errorf("%d %s, %v", status, answer, err)
			}
		})
	}
	clicks.Wait()
}

// A process is stopped while it delivers, and another one takes over: everything is delivered exactly once.
func TestRollingDeployDeliversEverythingOnce(t *testing.T) {
	t.Parallel()
	testRollingDeploys(t, 3)
}

// testRollingDeploys replaces a process under load several times.
func testRollingDeploys(t *testing.T, rounds int) {
	t.Helper()
	const events = 400
	l := newLedger(t)
	l.answer = func(string, int) int {
		<-time.After(10 * time.Millisecond) // so that calls are in progress when the signal arrives
		return http.StatusOK
	}
	current := systemtest.Serve(t, l.settings)
	l.subscribe(t, current)
	for round := range rounds {
		next := systemtest.Serve(t, l.settings)
		l.publishAll(t, next, marks(fmt.Sprintf("round-%d", round), events))
		l.awaitCalls(t, "by the process that is replaced", events/10)
		publication := time.Now()
		current.Signal(syscall.SIGTERM)
		select {
		case <-current.Ended:
		case <-time.After(time.Minute):
			t.Fatal("the process did not stop")
		}
		if took, code := time.Since(publication), current.Cmd.ProcessState.ExitCode(); code != 0 || took > 10*time.Second {
			t.Errorf("round %d: exit code %d after %v", round, code, took)
		}
		l.delivered(t, publication.Add(systemtest.DeliveredWithin))
		current = next
	}
	if count := l.check(t); count != rounds*events || l.total != count {
		t.Errorf("%d deliveries of %d, in %d calls", count, rounds*events, l.total)
	}
}
