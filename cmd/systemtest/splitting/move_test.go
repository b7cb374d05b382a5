package splitting

import (
	"strings"
	"testing"

	"ticketgate/cmd/systemtest"
)

// A move that is killed at each of its steps continues when the command is repeated, and loses nothing.
func TestAKilledMoveCanBeContinued(t *testing.T) {
	t.Parallel()
	m := newMoving(t, 100)
	seller := m.moved.seller.SellerID
	code, plan, log := systemtest.Run(t, m.databases, "move-seller", string(seller), "--to", "b", "--dry-run")
	if code != 0 || !strings.Contains(plan, "access_entries (10") || !strings.Contains(plan, "api_key_secrets") {
		t.Errorf("dry run: %d %s %s", code, plan, log)
	}
	for _, c := range []*cluster{m.a, m.b} {
		if number(t, c.sql, "SELECT count(*) FROM seller_moves") != 0 {
			t.Error("a dry run started a move")
		}
	}
	checkEnded(t, m.a, m.b)
	const secrets = "SELECT count(*) FROM api_key_secrets JOIN api_keys k ON k.id = api_key_id WHERE k.seller_id = $1"
	before := number(t, m.a.sql, secrets, seller)
	run(t, m.a.sql, "INSERT INTO api_key_secrets SELECT 'revoked', id FROM api_keys WHERE seller_id = $1 LIMIT 1", seller)
	m.start(t, 0)

	release := hold(t, m.a, "LOCK TABLE access_lists IN ROW EXCLUSIVE MODE")
	m.kill(t, m.a, release)
	m.goesOn(t)

	release = hold(t, m.b, "LOCK TABLE access_entries IN SHARE MODE")
	command := m.command(t, "--to", "b")
	systemtest.Eventually(t, "rows are copied", func() bool { return number(t, m.b.sql, "SELECT count(*) FROM pg_subscription_rel") > 5 })
	command.Kill()
	release()
	m.goesOn(t)

	m.kill(t, m.b, hold(t, m.b, "SELECT FROM sellers WHERE id = $1 FOR UPDATE", seller))
	m.goesOn(t)
	m.kill(t, m.a, hold(t, m.a, "SELECT pg_advisory_xact_lock_shared(seller_move_lock($1))", seller))
	m.goesOn(t)
	if copied := number(t, m.b.sql, secrets, seller); copied != before+1 {
		t.Errorf("%d secrets are on cluster b, want %d", copied, before+1)
	}
	run(t, m.a.sql, "DELETE FROM api_key_secrets WHERE digest = 'revoked'")

	counts := "LOCK TABLE list_counts IN SHARE MODE" // the last table that is copied under the fence
	m.kill(t, m.b, hold(t, m.b, counts))
	release = hold(t, m.b, counts)
	command = m.command(t, "--to", "b")
	m.blocked(t, m.b)
	if code := command.Stop(); code != systemtest.CodeFailed || !strings.Contains(command.Stderr.String(), "repeat the command to continue") {
		t.Errorf("interrupted under the fence: exit code %d, %s", code, command.Stderr)
	}
	m.goesOn(t) // before the command is repeated
	release()

	release = hold(t, m.b, counts)
	command = m.command(t, "--to", "b")
	m.blocked(t, m.b)
	epoch := hold(t, m.b, "SELECT FROM credential_epoch FOR UPDATE")
	release()
	systemtest.Eventually(t, "the seller is served by cluster b", func() bool { return number(t, m.b.sql, "SELECT count(*) FROM seller_moves") == 0 })
	command.Kill()
	epoch()

	m.kill(t, m.a, hold(t, m.a, "SELECT FROM tickets WHERE seller_id = $1 FOR UPDATE", seller))
	m.goesOn(t)
	m.ends(t, m.command(t, "--to", "b"), m.a)
	m.check(t, m.a, m.b)
	if copied := number(t, m.b.sql, secrets, seller); copied != before {
		t.Errorf("%d secrets are on cluster b, want %d without the revoked one", copied, before)
	}
	checkEnded(t, m.a, m.b)
}

// A seller that returns home is served as before it left.
func TestSellerMovesBackHome(t *testing.T) {
	t.Parallel()
	m := newMoving(t, 100)
	m.start(t, 0)
	m.ends(t, m.command(t, "--to", "b"), m.a)
	m.goesOn(t)
	m.ends(t, m.command(t, "--from", "b", "--to", "a"), m.b)
	m.goesOn(t)
	m.check(t, m.b, m.a)
	checkEnded(t, m.a, m.b)
	if left := number(t, m.a.sql, "SELECT count(*) FROM seller_moves"); left != 0 {
		t.Errorf("the home cluster has %d moves", left)
	}
}

// hold takes locks until release is called.
func hold(t *testing.T, on *cluster, statement string, args ...any) (release func()) {
	t.Helper()
	tx, err := on.sql.BeginTx(t.Context(), nil)
	systemtest.Must(t, err)
	if _, err := tx.ExecContext(t.Context(), statement, args...); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	return func() { _ = tx.Rollback() }
}

// blocked waits until a move waits for a lock on a cluster.
func (m *moving) blocked(t *testing.T, on *cluster) {
	t.Helper()
	systemtest.Eventually(t, "the move waits for a lock", func() bool {
		return number(t, on.sql, `SELECT count(*) FROM pg_stat_activity WHERE application_name = 'ticketgate move'
			AND wait_event_type = 'Lock'`) > 0
	})
}

// kill starts the command, kills it once it waits for a lock, and releases the lock.
func (m *moving) kill(t *testing.T, on *cluster, release func()) {
	t.Helper()
	command := m.command(t, "--to", "b")
	m.blocked(t, on)
	command.Kill()
	release()
}
