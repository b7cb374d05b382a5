package db

import (
	"context"
	"time"
)

// LeaseName is the application_name of the connection that renews the lease.
const LeaseName = leaseName

// RenewOnce renews the lease once, like a process that stops right afterwards.
func (l *Lease) RenewOnce(ctx context.Context) error {
	conn, err := l.connect(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	return l.renew(ctx, conn)
}

// FlushUses writes the pending times of use.
func (c *Credentials) FlushUses(ctx context.Context) {
	c.keyUses.flush(ctx)
	c.sessionUses.flush(ctx)
}

// SetLeaseClock replaces the lease's clock.
func (l *Lease) SetLeaseClock(clock func() time.Time) { l.clock = clock }
