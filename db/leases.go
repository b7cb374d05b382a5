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

// Times of the lease. A change waits for at most LeaseLength and leaseMargin. The margin allows for slightly different
// speeds of the monotonic clocks of two machines.
const (
	LeaseLength   = time.Second
	leaseRenewal  = 300 * time.Millisecond
	leaseMargin   = 100 * time.Millisecond
	leaseRetry    = 200 * time.Millisecond
	leasePollMost = 16 * time.Millisecond
)

// leaseRow is the row of a process in leases.
type leaseRow struct {
	bun.BaseModel `bun:"table:leases,alias:l"`

	ProcessID string `bun:"process_id,pk"`
	Epoch     int64  `bun:"epoch"`
}

var leases = &source[leaseRow]{}

// leaseName is the application_name of the connection that renews the lease.
const leaseName = "ticketgate lease"

// Lease is a process's right to use its cache of credentials. docs/internals/credentials.md explains why this is safe.
//
// The process renews its row in leases several times a second. A lease starts at the time at which its renewal was
// sent. A change of a credential returns only when each other row has acknowledged the change's epoch, or was not
// renewed for longer than a lease lasts.
type Lease struct {
	store *Store
	url   string
	id    string
	clock func() time.Time
	purge func() // clears the caches

	// granted is the time at which the last successful renewal was sent. A renewal is successful if the database
	// returns the epoch that the process knew.
	granted atomic.Pointer[time.Time]

	mutex sync.Mutex
	epoch int64 // the latest epoch for which this process has cleared its caches

	cancel  context.CancelFunc
	stopped chan struct{}
}

func newLease(store *Store, url string, purge func()) *Lease {
	return &Lease{
		store: store, url: url, purge: purge,
		// The lease uses real time, even if a test sets another clock for the operations.
		clock: time.Now, //nolint:forbidigo // see above
		id:    ids.New(store.now()),
	}
}

// ProcessID identifies this process in leases and in live_processes.
func (l *Lease) ProcessID() string { return l.id }

// Valid reports whether cached values may be used now.
//
// The lease ends by the monotonic clock. Because that clock stops while a machine sleeps, the wall clock must agree. A
// step of the wall clock can end a lease early but never extend it.
func (l *Lease) Valid() bool {
	sent := l.granted.Load()
	if sent == nil {
		return false
	}
	now := l.clock()
	return now.Sub(*sent) < LeaseLength && now.Round(0).Sub(sent.Round(0)) < LeaseLength
}

// Start renews the lease until Stop is called.
func (l *Lease) Start(ctx context.Context) {
	running, cancel := context.WithCancel(context.WithoutCancel(ctx))
	l.cancel, l.stopped = cancel, make(chan struct{})
	go func() {
		defer close(l.stopped)
		l.run(running)
	}()
}

// Stop gives up the lease and removes the process from the list of running processes. ctx bounds how long that takes.
// If the row can't be removed, it delays the next change by the length of a lease.
func (l *Lease) Stop(ctx context.Context) {
	if l.cancel == nil {
		return
	}
	l.cancel()
	<-l.stopped
	l.granted.Store(nil)
	if _, err := leases.where("l.process_id = $", l.id).delete(ctx, l.store, l.store.sql); err != nil {
		slog.WarnContext(ctx, "failed to release the lease", "error", err)
	}
}

// run renews the lease, using a new connection after each failure. Without the lease the process still works, but every
// check reads the database.
func (l *Lease) run(ctx context.Context) {
	for failing := false; ; {
		renewed, err := l.hold(ctx)
		if ctx.Err() != nil {
			return
		}
		if renewed || !failing { // one log line per outage
			slog.WarnContext(ctx, "credential lease lost; every check reads the database until it is renewed", "error", err)
		}
		failing = true
		if sleep(ctx, leaseRetry) != nil {
			return
		}
	}
}

// hold renews the lease on one connection until that fails, and reports whether any renewal succeeded. The connection
// does not come from the pool, so that requests waiting for one can't delay renewals.
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

// connect opens the lease's connection, whose timeouts are at most the length of a lease, and listens for changes of
// the epoch.
func (l *Lease) connect(ctx context.Context) (*pgx.Conn, error) {
	config, err := connConfig(l.url, Limits{Statement: LeaseLength, Lock: LeaseLength / 2, Idle: LeaseLength})
	if err != nil {
		return nil, err
	}
	config.RuntimeParams["application_name"] = leaseName
	// Each server in the URL has a timeout of its own.
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

// renewal writes the lease with the epoch that the process knows, and returns the current epoch. It locks the epoch's
// row first. So it is either before a change, which then finds the lease, or after it, and then returns the new epoch.
const renewal = `
	WITH current AS (SELECT epoch FROM credential_epoch FOR SHARE)
	INSERT INTO leases (process_id, expires_at, epoch)
	SELECT $1, clock_timestamp() + $3 * interval '1 millisecond', $2 FROM current
	ON CONFLICT (process_id) DO UPDATE SET expires_at = excluded.expires_at, epoch = excluded.epoch
	RETURNING (SELECT epoch FROM current)`

// renew renews until the database confirms that the process knows the current epoch. Only then is the lease granted.
// Stop does not interrupt a running renewal: the server might still execute the statement and put the process back on
// the list.
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

// listen waits until the next renewal is due or a change is notified.
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

// learn records a new epoch. It clears the caches first, and so before the epoch is acknowledged. If back is set, a
// lower epoch is accepted: the database was restored from a backup.
func (l *Lease) learn(epoch int64, back bool) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if epoch > l.epoch || back {
		l.purge()
		l.epoch = epoch
	}
}

// settle returns when no process uses values that it cached before a committed change. This process clears its caches
// immediately. Each other process has acknowledged the epoch, or its lease from before the commit has ended by this
// process's clock. The clocks of the database and of other processes do not matter.
func (l *Lease) settle(ctx context.Context, epoch int64) {
	l.learn(epoch, false)
	// The change is committed. Even if the caller is gone, its effect must not be reported too early.
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

// behind counts the other processes that have not acknowledged the epoch.
func (l *Lease) behind(ctx context.Context, epoch int64) (int, error) {
	return leases.where("l.epoch < $ AND l.process_id <> $", epoch, l.id).count(ctx, l.store, l.store.sql)
}

// remove deletes processes that did not renew for longer than a lease lasts, so that the next change does not wait for
// them again. A process that was paused returns with its next renewal.
func (l *Lease) remove(ctx context.Context, epoch int64) {
	removed, err := leases.where("l.epoch < $ AND l.process_id <> $", epoch, l.id).delete(ctx, l.store, l.store.sql)
	if err != nil || removed > 0 {
		slog.InfoContext(ctx, "processes that stopped renewing their lease were removed", "removed", removed, "error", err)
	}
}

// sleep waits for the given time or until ctx is done.
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
