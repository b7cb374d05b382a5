package jobs_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"ticketgate/jobs"
)

// lines is a log that a test can read.
type lines struct {
	mutex sync.Mutex
	text  strings.Builder
}

// Write adds to the log.
func (l *lines) Write(text []byte) (int, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.text.Write(text)
}

func (l *lines) String() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.text.String()
}

// Errors and panics of jobs are logged with kind, queue and run; a panic also with its stack trace.
func TestFailuresOfJobsAreLogged(t *testing.T) {
	t.Parallel()
	p := newPlatform(t, "1h")
	log := &lines{}
	p.config.Log = slog.New(slog.NewTextHandler(log, nil))
	ended := make(chan struct{}, 2)
	p.withPeriodic(
		jobs.PeriodicJob{Name: "fails", Every: longPeriod, Work: func(context.Context) error {
			defer func() { ended <- struct{}{} }()
			return errors.New("no room")
		}},
		jobs.PeriodicJob{Name: "panics", Every: longPeriod, Work: func(context.Context) error {
			defer func() { ended <- struct{}{} }()
			panic("out of order")
		}},
	)
	p.start()
	receive(t, ended, "one end")
	receive(t, ended, "the other end")
	p.must(p.workers.Stop(t.Context()))
	for _, want := range []string{
		`level=WARN msg="job failed"`, `kind=periodic queue=periodic run=1 error="fails: no room"`,
		`level=ERROR msg="job panicked"`, `panic="out of order" trace="`, "failures_test.go",
	} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log lacks %s:\n%s", want, log.String())
		}
	}
}
