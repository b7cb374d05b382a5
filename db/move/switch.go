package move

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	// fenceBound is the maximum time for which a seller's calls may be refused. An incomplete switch is then reverted,
	// for which undoBound is reserved.
	fenceBound = 5 * time.Second
	undoBound  = time.Second
	// writersBound is the time for which the fence waits for transactions that have written rows of the seller. Others
	// queue behind it.
	writersBound = time.Second
	// quietBound is the time for which the switch waits until running attempts are recorded. Attempts that take longer
	// are repeated.
	quietBound = 5 * time.Second
	// leaseBound is the time for which a process may use its cache: the length of a lease and its margin.
	leaseBound = 1100 * time.Millisecond
	// maxTries is the maximum number of tries of the switch. Between two tries the seller is served: first for
	// firstPause, then for twice as long each time.
	maxTries   = 5
	firstPause = 2 * time.Second
)

// switchOver fences the seller, moves the rest and makes the other cluster serve the seller. If a try takes too long,
// it is reverted and repeated.
func (m *mover) switchOver(ctx context.Context) (result Result, err error) {
	for wait := firstPause; ; wait *= 2 {
		result.Tries++
		refused, done, err := m.trySwitch(ctx)
		result.Refused += refused
		if done || err != nil {
			return result, err
		}
		if result.Tries == maxTries {
			return result, fmt.Errorf("the seller could not be switched within %v, %d times; cluster %s serves it as before and its rows "+
				"are still replicated; repeat the command when there is less load", fenceBound, maxTries, m.From.Name)
		}
		if err := pause(ctx, wait); err != nil {
			return result, err
		}
	}
}

// trySwitch tries the switch once. If the try took too long and was reverted, done is false and err is nil.
func (m *mover) trySwitch(ctx context.Context) (refused time.Duration, done bool, err error) {
	if err := m.approach(ctx); err != nil {
		return 0, false, errors.Join(err, m.unfence(ctx))
	}
	bounded, cancel := context.WithTimeout(ctx, fenceBound-undoBound)
	defer cancel()
	started := time.Now()
	steps, err := m.moveRest(bounded)
	if err == nil {
		err = m.arrive(bounded)
	}
	switch {
	case err == nil:
		refused = time.Since(started)
		m.Say("switched; calls were refused for %v (%s)", refused.Round(time.Millisecond), steps)
		return refused, true, m.leave(ctx)
	case errors.Is(err, errUnknown):
		return time.Since(started), false, err
	}
	late := ctx.Err() == nil && (bounded.Err() != nil || isLockTimeout(err))
	undone := m.unfence(ctx)
	refused = time.Since(started)
	if !late || undone != nil {
		return refused, false, errors.Join(err, undone)
	}
	m.Say("the switch took too long and was reverted; calls were refused for %v (%s)", refused.Round(time.Millisecond), steps)
	return refused, false, m.restore(ctx)
}

// approach does everything that needs no fence, until the other cluster is almost up to date.
func (m *mover) approach(ctx context.Context) error {
	err := untilShort(func() error { return m.awaitReplay(ctx) })
	if err == nil {
		err = m.setState(ctx, "quiet")
	}
	if err == nil {
		err = m.awaitAttempts(ctx)
	}
	if err == nil {
		_, err = m.copyRound(ctx, false)
	}
	return err
}

// moveRest fences the seller, waits until the other cluster has all changes, and copies what isn't replicated. It
// returns the duration of each step, for the operator.
func (m *mover) moveRest(ctx context.Context) (steps string, err error) {
	var took []string
	for _, step := range []struct {
		name string
		do   func(context.Context) error
	}{
		{"fence", m.fence},
		{"leases", func(ctx context.Context) error { return settle(ctx, m.from) }},
		{"replication", m.awaitReplay},
		{"copies", func(ctx context.Context) error {
			_, err := m.copyRound(ctx, true)
			return err
		}},
		{"counts", m.copyCounts},
	} {
		started := time.Now()
		err = step.do(ctx)
		took = append(took, fmt.Sprintf("%s %v", step.name, time.Since(started).Round(time.Millisecond)))
		if err != nil {
			break
		}
	}
	return strings.Join(took, ", "), err
}

// fence refuses calls and writes of the seller from its commit on. It waits for transactions that have written rows of
// the seller. Later ones wait for the fence.
func (m *mover) fence(ctx context.Context) error {
	return pgx.BeginFunc(ctx, m.from, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, fmt.Sprintf("SET LOCAL lock_timeout = %d", writersBound.Milliseconds()))
		if err == nil {
			_, err = tx.Exec(ctx, "SELECT pg_advisory_xact_lock(seller_move_lock($1))", m.Seller)
		}
		if err == nil {
			_, err = tx.Exec(ctx, "UPDATE seller_moves SET state = 'fenced', changed_at = clock_timestamp() WHERE seller_id = $1", m.Seller)
		}
		return err
	})
}

// errUnknown means that the result of the switch is unknown. The seller's calls are refused until a repeated command
// finds out which cluster must serve it.
var errUnknown = errors.New("it is not known whether the seller was switched, and its calls are refused until the command is repeated")

// arrive makes the other cluster serve the seller, which completes the switch. If the connection breaks, it checks
// whether that succeeded.
func (m *mover) arrive(ctx context.Context) error {
	_, err := m.to.Exec(ctx, "DELETE FROM seller_moves WHERE seller_id = $1 AND state = 'arriving'", m.Seller)
	if err == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), reopenBound)
	defer cancel()
	arriving := false
	lost := m.reopen(ctx)
	if lost == nil {
		arriving, lost = m.arriving(ctx)
	}
	switch {
	case lost != nil:
		return errors.Join(errUnknown, err, lost)
	case arriving:
		return err
	}
	return nil
}

// arriving reports whether the other cluster still refuses to serve the seller.
func (m *mover) arriving(ctx context.Context) (yes bool, err error) {
	err = m.to.QueryRow(ctx, "SELECT EXISTS (SELECT FROM seller_moves WHERE seller_id = $1 AND state = 'arriving')", m.Seller).Scan(&yes)
	return yes, err
}

// leave records on this cluster that the other one now serves the seller. Canceling ctx does not interrupt it.
func (m *mover) leave(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), reopenBound)
	defer cancel()
	if err := advance(ctx, m.to); err != nil {
		return err
	}
	return m.setState(ctx, "away")
}

// awaitReplay waits until the subscription has applied all changes that are committed now.
func (m *mover) awaitReplay(ctx context.Context) error {
	var position string
	if err := m.from.QueryRow(ctx, "SELECT pg_current_wal_lsn()::text").Scan(&position); err != nil {
		return err
	}
	for said := time.Now(); ; {
		var behind *int64
		err := m.from.QueryRow(ctx, `SELECT (SELECT ($2::pg_lsn - replay_lsn)::bigint FROM pg_stat_replication
			WHERE application_name = $1)`, m.name, position).Scan(&behind)
		if err != nil || behind != nil && *behind <= 0 {
			return err
		}
		if time.Since(said) > sayEvery {
			said = time.Now()
			if behind == nil {
				m.Say("cluster %s does not follow the changes; see the log of its PostgreSQL", m.To.Name)
			} else {
				m.Say("cluster %s is %d MiB of log behind", m.To.Name, *behind>>20)
			}
		}
		if err := pause(ctx, shortPause); err != nil {
			return err
		}
	}
}

// awaitAttempts waits up to quietBound until running attempts are recorded, so that they are not repeated.
func (m *mover) awaitAttempts(ctx context.Context) error {
	for started := time.Now(); time.Since(started) < quietBound; {
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

// setState records a state of the move on the cluster that the seller leaves.
func (m *mover) setState(ctx context.Context, state string) error {
	_, err := m.from.Exec(ctx, "UPDATE seller_moves SET state = $2, changed_at = clock_timestamp() WHERE seller_id = $1", m.Seller, state)
	if err != nil {
		return err
	}
	return advance(ctx, m.from)
}

// advance increments the credential epoch, so that processes and routers clear their caches.
func advance(ctx context.Context, on *pgx.Conn) error {
	_, err := on.Exec(ctx, `WITH advanced AS (UPDATE credential_epoch SET epoch = epoch + 1 RETURNING epoch)
		SELECT pg_notify('credential_epoch', epoch::text) FROM advanced`)
	return err
}

// settle increments the credential epoch. Like db.Lease, it returns when no process uses older cached values.
func settle(ctx context.Context, on *pgx.Conn) error {
	if err := advance(ctx, on); err != nil {
		return err
	}
	for started := time.Now(); time.Since(started) < leaseBound; {
		var behind bool
		err := on.QueryRow(ctx, "SELECT EXISTS (SELECT FROM leases WHERE epoch < (SELECT epoch FROM credential_epoch))").Scan(&behind)
		if err != nil || !behind {
			return err
		}
		if err := pause(ctx, shortPause); err != nil {
			return err
		}
	}
	return nil
}
