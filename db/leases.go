package db

import (
	"context"
	"log/slog"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/uptrace/bun"

	"ticketgate/domain/ids"
)

// Times of the lease. A change waits at most for LeaseLength and the margin, which covers slightly different speeds
// of the monotonic clocks of two machines.
const (
	LeaseLength   = time.Second
	leaseRenewal  = 300 * time.Millisecond
	leaseMargin   = 100 * time.Millisecond
	leaseRetry    = 200 * time.Millisecond
	leasePollMost = 16 * time.Millisecond
)

// leaseRow is a process's row in leases.
type leaseRow struct {
	bun.BaseModel `bun:"table:leases,alias:l"`

	ProcessID string `bun:"process_id,pk"`
	Epoch     int64  `bun:"epoch"`
}

var leases = &source[leaseRow]{}

// leaseName is the application_name of the connection that renews the lease.
const leaseName = "ticketgate lease"

// Lease is a process's right to trust its cache of credentials; docs/internals/credentials.md explains why it holds.
//
// The process renews its row in leases several times a second. A lease starts when its renewal was sent. A change of
// a credential returns only when every other row has acknowledged the change's epoch, or was not renewed for longer
// than a lease lasts.
type Lease struct {
	store  *Store
	url    string
	id     string
	clock  func() time.Time
	forget func() // clears the caches

	// granted is when the last successful renewal was sent: one to which the database returned the epoch that the
	// process knew.
	granted atomic.Pointer[time.Time]

	mutex sync.Mutex
	epoch int64 // the last one for which this process has cleared its caches

	cancel  context.CancelFunc
	stopped chan struct{}
}

func newLease(store *Store, url string, forget func()) *Lease {
	return &Lease{
		store: store, url: url, forget: forget,
		// The lease uses real time, whatever clock a test sets for the operations.
		clock: time.Now, //nolint:forbidigo // see above
		id:    ids.New(store.now()),
	}
}

// ProcessID identifies this process in leases and in live_processes.
func (l *Lease) ProcessID() string { return l.id }

// Valid reports whether cached values may be trusted now.
//
// The monotonic clock decides. Because it stops while a machine sleeps, the wall clock must agree. A step of the wall
// clock can end a lease early but never extend it.
func (l *Lease) Valid() bool {
	sent := l.granted.Load()
	if sent == nil {
		return false
	}
	now := l.clock()
	return now.Sub(*sent) < LeaseLength && now.Round(0).Sub(sent.Round(0)) < LeaseLength
}

// Start renews the lease until Stop.
func (l *Lease) Start(ctx context.Context) {
	running, cancel := context.WithCancel(context.WithoutCancel(ctx))
	l.cancel, l.stopped = cancel, make(chan struct{})
	go func() {
		defer close(l.stopped)
		l.run(running)
	}()
}

// Stop gives up the lease and removes the process from the list of running ones. ctx bounds how long that takes. A
// row that is left behind delays the next change by one lease's length.
func (l *Lease) Stop(ctx context.Context) {
	if l.cancel == nil {
		return
	}
	l.cancel()
	<-l.stopped
	l.granted.Store(nil)
	if _, err := leases.where("l.process_id = $", l.id).delete(ctx, l.store, l.store.sql); err != nil {
		slog.WarnContext(ctx, "lease not given up", "error", err)
	}
}

// run renews the lease, on a new connection after each failure. Without the lease the process still works, but every
// check reads the database.
func (l *Lease) run(ctx context.Context) {
	for failing := false; ; {
		renewed, err := l.hold(ctx)
		if ctx.Err() != nil {
			return
		}
		if renewed || !failing { // one log line per outage
			slog.WarnContext(ctx, "credential lease lost; every check asks the database until it is back", "error", err)
		}
		failing = true
		if sleep(ctx, leaseRetry) != nil {
			return
		}
	}
}

// hold renews on one connection until that fails, and reports whether a renewal succeeded. The connection does not
// come from the pool, so that requests waiting for one can't cost the process its lease.
func (l *Lease) hold(ctx context.Context) (renewed bool, err error) {
	conn, err := l.connect(ctx)
	if err != nil {
		return false, err
	}
	defer func() {
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaseRetry)
		defer cancel()
		_ = conn.Close(closing)
	}()
	for {
		if err := l.renew(ctx, conn); err != nil {
			return renewed, err
		}
		renewed = true
		if err := l.listen(ctx, conn); err != nil {
			return renewed, err
		}
	}
}

func (l *Lease) connect(ctx context.Context) (*pgx.Conn, error) {
	config, err := connConfig(l.url, Limits{Statement: LeaseLength, Lock: LeaseLength / 2, Idle: LeaseLength})
	if err != nil {
		return nil, err
	}
	config.RuntimeParams["application_name"] = leaseName
	// Each server in the URL has its own timeout.
	ctx, cancel := context.WithTimeout(ctx, time.Duration(1+len(config.Fallbacks))*config.ConnectTimeout)
	defer cancel()
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	if _, err := conn.Exec(ctx, "LISTEN "+epochChannel); err != nil {
		_ = conn.Close(ctx)
		return nil, err
	}
	return conn, nil
}

// renewal writes the lease with the epoch that the process knows and returns the current one. It locks the epoch's
// row first. A renewal is therefore either before a change, which then finds the row, or after it, and learns the new
// epoch.
const renewal = `
	WITH current AS (SELECT epoch FROM credential_epoch FOR SHARE)
	INSERT INTO leases (process_id, expires_at, epoch)
	SELECT $1, clock_timestamp() + $3 * interval '1 millisecond', $2 FROM current
	ON CONFLICT (process_id) DO UPDATE SET expires_at = excluded.expires_at, epoch = excluded.epoch
	RETURNING (SELECT epoch FROM current)`

// renew renews until the database confirms that the process knows the current epoch; only then is the lease granted.
// A running renewal is not interrupted by Stop, because an interrupted statement may still be executed and put the
// process back on the list.
func (l *Lease) renew(ctx context.Context, conn *pgx.Conn) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), LeaseLength)
	defer cancel()
	for {
		sent, known := l.clock(), l.known()
		var current int64
		err := conn.QueryRow(ctx, renewal, pgx.QueryExecModeCacheStatement, l.id, known, LeaseLength.Milliseconds()).Scan(&current)
		if err != nil {
			return err
		}
		if current == known {
			l.granted.Store(&sent)
			return nil
		}
		l.learn(current, current < known)
	}
}

// listen waits for the next renewal or for a change.
func (l *Lease) listen(ctx context.Context, conn *pgx.Conn) error {
	waiting, cancel := context.WithTimeout(ctx, leaseRenewal)
	defer cancel()
	told, err := conn.WaitForNotification(waiting)
	if err != nil {
		if waiting.Err() != nil && ctx.Err() == nil && !conn.IsClosed() {
			return nil
		}
		return err
	}
	if epoch, err := strconv.ParseInt(told.Payload, 10, 64); err == nil {
		l.learn(epoch, false)
	}
	return nil
}

func (l *Lease) known() int64 {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.epoch
}

// learn clears the caches before it records the epoch, and so before the epoch is acknowledged. A lower epoch comes
// from a database that was restored, and is accepted.
func (l *Lease) learn(epoch int64, back bool) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if epoch > l.epoch || back {
		l.forget()
		l.epoch = epoch
	}
}

// settle returns when no process trusts values that it cached before a committed change. This process clears its
// caches immediately. Each other process has acknowledged the epoch, or its lease from before the commit has ended by
// this process's clock. The clocks of the database and of other processes are not used.
func (l *Lease) settle(ctx context.Context, epoch int64) {
	l.learn(epoch, false)
	// The change is committed. If the caller is gone the wait continues, or the change could return too early.
	ctx = context.WithoutCancel(ctx)
	bounded, cancel := context.WithTimeout(ctx, LeaseLength+leaseMargin)
	defer cancel()
	for wait := time.Millisecond; ; wait = min(2*wait, leasePollMost) {
		if behind, err := l.behind(bounded, epoch); err == nil && behind == 0 {
			return
		}
		if sleep(bounded, wait) != nil {
			break
		}
	}
	l.remove(ctx, epoch)
}

// behind counts the other processes that have not acknowledged an epoch.
func (l *Lease) behind(ctx context.Context, epoch int64) (int, error) {
	return leases.where("l.epoch < $ AND l.process_id <> $", epoch, l.id).count(ctx, l.store, l.store.sql)
}

// remove deletes the processes that did not renew for longer than a lease lasts, so that the next change does not
// wait for them again. A paused process comes back with its next renewal.
func (l *Lease) remove(ctx context.Context, epoch int64) {
	removed, err := leases.where("l.epoch < $ AND l.process_id <> $", epoch, l.id).delete(ctx, l.store, l.store.sql)
	if err != nil || removed > 0 {
		slog.InfoContext(ctx, "processes that stopped renewing their lease were removed", "removed", removed, "error", err)
	}
}

// sleep waits until the time has passed or ctx is done.
func sleep(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
