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

// The lease's times. A change waits for LeaseLength and the margin at most; the margin covers monotonic clocks of
// two machines that do not run at quite the same speed.
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

// leaseName is how the database's list of connections shows the one that renews.
const leaseName = "ticketgate lease"

// Lease is a process's right to trust what it remembers of credentials; docs/internals/credentials.md says why it holds.
//
// The process renews its row in leases several times a second and counts the lease from before it sent the
// renewal. A change of a credential is answered only when every other row has acknowledged the change's epoch or
// has not been renewed for longer than a lease lasts.
type Lease struct {
	store  *Store
	url    string
	id     string
	clock  func() time.Time
	forget func() // drops all that is remembered

	// granted is when the last renewal was sent that the database answered with the epoch it had been told.
	granted atomic.Pointer[time.Time]

	mutex sync.Mutex
	epoch int64 // the last one that this process has cleared its memory for

	cancel  context.CancelFunc
	stopped chan struct{}
}

func newLease(store *Store, url string, forget func()) *Lease {
	return &Lease{
		store: store, url: url, forget: forget,
		// The lease counts real time, whatever clock a test gives to the operations.
		clock: time.Now, //nolint:forbidigo // see above
		id:    ids.New(store.now()),
	}
}

// ProcessID names this process among those that share the database, in leases and in live_processes.
func (l *Lease) ProcessID() string { return l.id }

// Valid tells whether what is remembered may be trusted right now.
//
// The monotonic clock decides. It stands still while a machine sleeps, though, so the wall clock must agree: a
// step of it can end a lease early and never make one longer.
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

// Stop gives the lease up and takes the process off the list of those that run. The context bounds how long that
// may take; a row that stays behind costs the next change one lease's length.
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

// run keeps the lease, on a new connection whenever one fails. Without it the process still works: every check
// asks the database.
func (l *Lease) run(ctx context.Context) {
	for failing := false; ; {
		renewed, err := l.hold(ctx)
		if ctx.Err() != nil {
			return
		}
		if renewed || !failing { // one line an outage
			slog.WarnContext(ctx, "credential lease lost; every check asks the database until it is back", "error", err)
		}
		failing = true
		if sleep(ctx, leaseRetry) != nil {
			return
		}
	}
}

// hold renews on one connection until that fails, and tells whether it ever succeeded. The connection is apart from
// the pool, so that requests that wait for one do not cost the process its lease.
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
	// Each server that the URL names has its time.
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

// renewal writes the lease with the epoch that the process knows, and returns the current one. The epoch's row is
// locked first: a renewal is either before a change, which then finds the row, or after it, and learns of it.
const renewal = `
	WITH current AS (SELECT epoch FROM credential_epoch FOR SHARE)
	INSERT INTO leases (process_id, expires_at, epoch)
	SELECT $1, clock_timestamp() + $3 * interval '1 millisecond', $2 FROM current
	ON CONFLICT (process_id) DO UPDATE SET expires_at = excluded.expires_at, epoch = excluded.epoch
	RETURNING (SELECT epoch FROM current)`

// renew asks for a lease until the database says that the process knows the current epoch: only then is it granted. Stop waits
// for what is under way: a statement that is torn off may still be done, and take the process onto the list again.
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

// listen waits for the next renewal, or for a change.
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

// learn drops what is remembered before the epoch counts as known, and so before it is acknowledged. An epoch that
// went back belongs to a database that was restored: it is taken over.
func (l *Lease) learn(epoch int64, back bool) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if epoch > l.epoch || back {
		l.forget()
		l.epoch = epoch
	}
}

// settle returns when no process trusts what it remembered before a committed change: this one forgets at once,
// each other one has acknowledged the change's epoch, or was granted its lease before the commit and that has run
// out by the clock of this process. No clock of the database or of the others is read.
func (l *Lease) settle(ctx context.Context, epoch int64) {
	l.learn(epoch, false)
	// The change is committed: a caller that goes away does not end the wait, or the answer could be given too early.
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

// remove takes off the list who has not renewed for longer than a lease lasts, so that the next change does not wait
// for it again. A process that was only paused comes back with its next renewal.
func (l *Lease) remove(ctx context.Context, epoch int64) {
	removed, err := leases.where("l.epoch < $ AND l.process_id <> $", epoch, l.id).delete(ctx, l.store, l.store.sql)
	if err != nil || removed > 0 {
		slog.InfoContext(ctx, "processes that stopped renewing their lease were removed", "removed", removed, "error", err)
	}
}

// sleep waits unless the context ends first.
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
