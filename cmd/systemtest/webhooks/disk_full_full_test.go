//go:build full

package webhooks

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"ticketgate/cmd/systemtest"
)

// smallDisk is the size of the database's file system, much of which is its log.
const smallDisk = "size=320m"

// The disk of the database fills up under load, three times. Calls that can't be stored are refused completely, with that
// reason. Once there is room again, everything continues by itself, and nothing that was accepted is lost or recorded twice.
func TestAFullDiskLosesNothing(t *testing.T) {
	t.Parallel()
	_, folder := systemtest.Privately(t)
	systemtest.Must(t, os.Mkdir(folder, 0o755))
	if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, smallDisk); errors.Is(err, syscall.EPERM) {
		t.Skip("needs the right to mount a file system (root)")
	} else if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(folder, 0); err != nil {
			t.Error(err)
		}
	})
	c := &cluster{t: t, folder: filepath.Join(folder, "data")}
	c.start()
	t.Cleanup(c.stop)
	settings := c.settings("TICKETGATE_RETRY_SCHEDULE=100ms,1s,1s,1s,1s,1s")
	s := systemtest.Serve(t, settings)
	l := openLedger(t, settings, c.server.ApplicationURL(), systemtest.Seed(t, settings).Sellers[0])
	l.subscribe(t, s)
	steady := publishSteadily(t, l, "steady", s)
	for round := range 3 {
		l.awaitCalls(t, "while there is room", 50)
		ballast := fill(t, folder)
		refused := l.refusals(t, s, fmt.Sprintf("full-%d", round))
		systemtest.Must(t, os.Remove(ballast))
		c.revive(l)
		back := time.Now()
		for _, call := range refused {
			l.wholeOrNot(t, call)
		}
		l.awaitCalls(t, "again", 50)
		t.Logf("round %d: %d calls were refused; 50 deliveries arrived within %v of freeing room", round, len(refused), time.Since(back))
	}
	steady()
	l.delivered(t, time.Now().Add(systemtest.DeliveredWithin))
	l.check(t)
	if code := s.Stop(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// fill takes all remaining room of a file system, and returns the file that occupies it.
func fill(t *testing.T, folder string) (ballast string) {
	t.Helper()
	ballast = filepath.Join(folder, "ballast")
	file, err := os.Create(ballast)
	systemtest.Must(t, err)
	defer file.Close()
	block := make([]byte, 64<<10)
	for size := len(block); size > 0; {
		if _, err := file.Write(block[:size]); errors.Is(err, syscall.ENOSPC) || errors.Is(err, io.ErrShortWrite) {
			size /= 2
		} else {
			systemtest.Must(t, err)
		}
	}
	return ballast
}

// refusals publishes until enough calls in a row were refused, each with a reason. It returns the marks of each refused call.
func (l *ledger) refusals(t *testing.T, at *systemtest.Process, prefix string) (refused [][]string) {
	t.Helper()
	const enough = 20
	deadline := time.Now().Add(2 * time.Minute)
	for call, inARow := 0, 0; inARow < enough; call++ {
		if time.Now().After(deadline) {
			t.Fatal("the disk is full, but all calls were accepted")
		}
		events := marks(fmt.Sprintf("%s-%d", prefix, call), 100)
		taken, answer := l.tryPublish(at, events)
		if inARow++; taken {
			inARow = 0
			continue
		}
		refused = append(refused, events)
		if !strings.Contains(answer, `"code":"UNAVAILABLE"`) {
			t.Fatalf("without room, the response is %s", answer)
		}
	}
	return refused
}

// wholeOrNot checks that a call was stored completely or not at all.
func (l *ledger) wholeOrNot(t *testing.T, call []string) {
	t.Helper()
	if stored := l.stored(t, call); stored != 0 && stored != len(call) {
		t.Errorf("%d of %d events of a refused call were stored", stored, len(call))
	}
}

// revive restarts the server if the full disk has ended it: it can't continue without room for its log.
func (c *cluster) revive(l *ledger) {
	c.t.Helper()
	for deadline := time.Now().Add(time.Minute); l.sql.PingContext(c.t.Context()) != nil; <-time.After(100 * time.Millisecond) {
		select {
		case <-c.server.Done():
			c.stop()
			c.start()
		default:
		}
		if time.Now().After(deadline) {
			c.t.Fatal("the database did not recover")
		}
	}
}
