package main

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// cost is the machine's work for the operations of a measurement. Processor time is less affected by other work on the
// machine than any other figure.
type cost struct {
	server   time.Duration // processor time of the measured process; 0 without one
	database time.Duration // processor time of PostgreSQL
	syncs    int64         // flushes of PostgreSQL's log to the disk
}

// each describes the cost per operation.
func (c cost) each(count int) string {
	per := func(d time.Duration) int64 { return (d / time.Duration(count)).Microseconds() }
	syncs := float64(c.syncs) / float64(count)
	if c.server == 0 {
		return fmt.Sprintf("%d × %d µs of PostgreSQL's processor time and %.2f fsyncs", count, per(c.database), syncs)
	}
	return fmt.Sprintf("%d × %d + %d µs of processor time, the server's and PostgreSQL's, and %.2f fsyncs",
		count, per(c.server), per(c.database), syncs)
}

// costing adds the cost per operation to a measurement: of the process and of PostgreSQL. p is nil if only PostgreSQL
// works.
func (r *rig) costing(p *process, measure measurement) measurement {
	return func(ctx context.Context, d time.Duration) (figure, error) {
		syncs, err := r.syncsSoFar(ctx, p)
		if err != nil {
			return figure{}, err
		}
		server, database := p.used(), familyTime(r.cluster.pid)
		p.unsettle()
		f, err := measure(ctx, d)
		if err != nil {
			return f, err
		}
		spent := cost{server: p.used() - server, database: familyTime(r.cluster.pid) - database}
		after, err := r.syncsSoFar(ctx, p)
		if spent.syncs = after - syncs; f.count > 0 && spent.database > 0 {
			f.remark = joined(spent.each(f.count), f.remark)
		}
		return f, err
	}
}

// used returns the processor time that a process, or the servers behind it, have used so far. It returns 0 for nil.
func (p *process) used() (sum time.Duration) {
	if p == nil {
		return 0
	}
	if len(p.behind) > 0 {
		for _, server := range p.behind {
			sum += server.used()
		}
		return sum
	}
	return processorTime(p.cmd.Process.Pid)
}

// syncsSoFar returns how often PostgreSQL has flushed its log to the disk so far.
func (r *rig) syncsSoFar(ctx context.Context, p *process) (int64, error) {
	if p != nil && p.settle != nil && !p.settledNow {
		if err := p.settle(ctx); err != nil {
			return 0, err
		}
		p.settledNow = true
	}
	return r.cluster.walSyncs(ctx)
}

// unsettle records that the process is about to write.
func (p *process) unsettle() {
	if p != nil {
		p.settledNow = false
	}
}

// settling makes every connection of a process's pool report its flushes. A connection reports at the end of a
// statement if its last report was more than a second ago. request must query the database without writing.
func settling(as api, request []byte) func(context.Context) error {
	return func(ctx context.Context) error {
		select {
		case <-time.After(1100 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
		all := load{
			address: as.address(), connections: 2 * connections, accept: wants(http.StatusOK), request: func(int) []byte { return request },
		}
		_, err := all.run(ctx, 100*time.Millisecond)
		return err
	}
}

// settled returns the process with the seller's key as the credential for settling. Benchmarks that write need it.
func (p *process) settled(s seller) *process {
	as := p.asSeller(s)
	p.settle = settling(as, as.request(http.MethodGet, "/api/keys/info", nil))
	return p
}
