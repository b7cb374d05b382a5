package move

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	// fenceBound is for how long a seller's calls are refused at most: a switch that isn't done then is taken back. undoBound is what
	// is kept of it for that.
	fenceBound = 5 * time.Second
	undoBound  = time.Second
	// quietBound is how long attempts that run may take to be recorded before the fence. What isn't is attempted again.
	quietBound = 5 * time.Second
	// leaseBound is how long a process may trust what it has cached: a lease and its margin.
	leaseBound = 1100 * time.Millisecond
	mostTries  = 5
)

// switchOver fences the seller, moves what is left, and lets the other cluster serve it. When that takes too long, the seller is served
// here again, and it is tried once more.
func (m *mover) switchOver(ctx context.Context) (result Result, err error) {
	for result.Tries < mostTries {
		result.Tries++
		refused, done, err := m.trySwitch(ctx)
		result.Refused += refused
		if done || err != nil && !errors.Is(err, context.DeadlineExceeded) {
			return result, err
		}
		m.Say("the switch took too long and was taken back; calls were refused for %v", refused.Round(time.Millisecond))
		if _, err := m.copyRound(ctx, time.Now(), false); err != nil {
			return result, err
		}
	}
	return result, fmt.Errorf("the seller could not be switched within %v, %d times; it is served by cluster %s",
		fenceBound, mostTries, m.From.Name)
}

func (m *mover) trySwitch(ctx context.Context) (refused time.Duration, done bool, err error) {
	if err := m.setState(ctx, "quiet"); err != nil {
		return 0, false, err
	}
	if err := m.awaitAttempts(ctx); err != nil {
		return 0, false, err
	}
	copiedAt := time.Now()
	began := time.Now()
	bounded, cancel := context.WithTimeout(ctx, fenceBound-undoBound)
	defer cancel()
	if err = m.fence(bounded); err == nil {
		err = m.moveRest(bounded, copiedAt)
	}
	if err != nil {
		return time.Since(began), false, errors.Join(err, m.undo(ctx))
	}
	// From here on the move is done: first the other cluster serves the seller, then this one names it.
	if _, err = m.to.Exec(ctx, "DELETE FROM seller_moves WHERE seller_id = $1 AND state = 'arriving'", m.Seller); err != nil {
		return time.Since(began), false, err
	}
	refused = time.Since(began)
	m.Say("switched; calls were refused for %v", refused.Round(time.Millisecond))
	if err := advance(ctx, m.to); err != nil {
		return refused, false, err
	}
	return refused, true, m.setState(ctx, "away")
}

// fence refuses the seller's calls and writes from its commit on. It waits for transactions that have written rows of the seller, and
// those that come after it wait for it.
func (m *mover) fence(ctx context.Context) error {
	err := pgx.BeginFunc(ctx, m.from, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock(seller_move_lock($1))", m.Seller); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "UPDATE seller_moves SET state = 'fenced', changed_at = clock_timestamp() WHERE seller_id = $1", m.Seller)
		return err
	})
	if err != nil {
		return err
	}
	return settle(ctx, m.from)
}

// moveRest waits until the other cluster has all changes, and copies what isn't replicated.
func (m *mover) moveRest(ctx context.Context, since time.Time) error {
	if err := m.awaitReplay(ctx); err != nil {
		return err
	}
	if _, err := m.copyRound(ctx, since, true); err != nil {
		return err
	}
	return m.copyCounts(ctx)
}

// awaitReplay waits until the subscription has applied everything that was committed.
func (m *mover) awaitReplay(ctx context.Context) error {
	var position string
	if err := m.from.QueryRow(ctx, "SELECT pg_current_wal_lsn()::text").Scan(&position); err != nil {
		return err
	}
	for {
		var replayed bool
		err := m.from.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_stat_replication
			WHERE application_name = $1 AND replay_lsn >= $2::pg_lsn)`, m.name, position).Scan(&replayed)
		if err != nil || replayed {
			return err
		}
		if err := pause(ctx, time.Millisecond); err != nil {
			return err
		}
	}
}

// awaitAttempts waits for a while until attempts that run are recorded, so that they aren't made again.
func (m *mover) awaitAttempts(ctx context.Context) error {
	for began := time.Now(); time.Since(began) < quietBound; {
		running, err := m.Attempting(ctx, m.from, m.Seller)
		if err != nil || !running {
			return err
		}
		if err := pause(ctx, pollPause); err != nil {
			return err
		}
	}
	return nil
}

// undo lets this cluster serve the seller again. The connections may be broken: their statements were given up.
func (m *mover) undo(ctx context.Context) (err error) {
	for _, broken := range []struct {
		conn    **pgx.Conn
		cluster Cluster
	}{{&m.from, m.From}, {&m.to, m.To}} {
		if (*broken.conn).IsClosed() {
			if *broken.conn, err = connect(ctx, broken.cluster); err != nil {
				return err
			}
		}
	}
	if err := m.setState(ctx, "leaving"); err != nil {
		return err
	}
	if err := m.takeTurn(ctx); err != nil { // again, if the connection is a new one
		return err
	}
	if _, err = m.from.Exec(ctx, createWebhooks); err == nil {
		_, err = m.to.Exec(ctx, "DELETE FROM device_feed WHERE seller_id = $1 AND seq IS NULL", m.Seller)
	}
	if err != nil {
		return err
	}
	return m.readFeed(ctx)
}

// setState notes a step of the move on the cluster that the seller leaves.
func (m *mover) setState(ctx context.Context, state string) error {
	_, err := m.from.Exec(ctx, "UPDATE seller_moves SET state = $2, changed_at = clock_timestamp() WHERE seller_id = $1", m.Seller, state)
	if err != nil {
		return err
	}
	return advance(ctx, m.from)
}

// advance counts the credential epoch up: processes and routers clear what they have cached.
func advance(ctx context.Context, on *pgx.Conn) error {
	_, err := on.Exec(ctx, `WITH advanced AS (UPDATE credential_epoch SET epoch = epoch + 1 RETURNING epoch)
		SELECT pg_notify('credential_epoch', epoch::text) FROM advanced`)
	return err
}

// settle counts the epoch up and returns when no process trusts what it cached before, as db.Lease does.
func settle(ctx context.Context, on *pgx.Conn) error {
	if err := advance(ctx, on); err != nil {
		return err
	}
	for began := time.Now(); time.Since(began) < leaseBound; {
		var behind bool
		err := on.QueryRow(ctx, "SELECT EXISTS (SELECT FROM leases WHERE epoch < (SELECT epoch FROM credential_epoch))").Scan(&behind)
		if err != nil || !behind {
			return err
		}
		if err := pause(ctx, time.Millisecond); err != nil {
			return err
		}
	}
	return nil
}
