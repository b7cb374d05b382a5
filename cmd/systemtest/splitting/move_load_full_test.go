//go:build full

package splitting

import (
	"strings"
	"testing"
	"time"

	"ticketgate/cmd/systemtest"
)

func TestSellerMovesUnderLoad(t *testing.T) {
	t.Parallel()
	testMove(t, 3_000, 2)
}

func TestLargeSellerMovesUnderLoad(t *testing.T) { testMove(t, 100_000, 4) }

// A switch that never succeeds leaves the seller where it was, and a later command continues.
func TestFailedSwitchLeavesSellerServed(t *testing.T) {
	t.Parallel()
	m := newMoving(t, 100)
	m.start(t, 0)
	release := hold(t, m.a, "SELECT pg_advisory_xact_lock_shared(seller_move_lock($1))", m.moved.seller.SellerID) // as an open request does
	command := m.command(t, "--to", "b")
	<-command.Ended
	if code := command.Cmd.ProcessState.ExitCode(); code != systemtest.CodeFailed ||
		!strings.Contains(command.Stderr.String(), "5 times; cluster a serves it as before") {
		t.Errorf("exit code %d, %s", code, command.Stderr)
	}
	m.goesOn(t)
	if m.moved.refused > 5*time.Second {
		t.Errorf("calls were refused for %v", m.moved.refused)
	}
	release()
	m.ends(t, m.command(t, "--to", "b"), m.a)
	m.check(t, m.a, m.b)
	checkEnded(t, m.a, m.b)
}

// testMove moves a seller with a number of entries under load from a number of callers of each kind.
func testMove(t *testing.T, entries, callers int) {
	m := newMoving(t, entries)
	m.start(t, callers)
	command := m.command(t, "--to", "b")
	printed := func(text string) func() bool {
		return func() bool { return strings.Contains(command.Stdout.String(), text) }
	}
	await(t, command, "switched", printed("switched"))
	m.goesOn(t)
	if code, _, log := systemtest.Run(t, m.databases, "move-seller", string(m.moved.seller.SellerID), "--to", "b"); code == 0 ||
		!strings.Contains(log, "being moved by another process") {
		t.Errorf("a second move: exit code %d, %s", code, log)
	}
	await(t, command, "rows removed", printed("rows removed"))
	m.check(t, m.a, m.b)
	t.Logf("%s", command.Stdout)
	if m.moved.refused > 5*time.Second {
		t.Errorf("calls were refused for %v", m.moved.refused)
	}
}
