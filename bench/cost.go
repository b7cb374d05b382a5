package main

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// cost is what the operations of a measurement took of the machine. Processor time is of all figures the one that other work
// on the machine changes least.
type cost struct {
	server   time.Duration // processor time of the process that was measured; 0 without one
	database time.Duration // PostgreSQL's
	syncs    int64         // flushes of PostgreSQL's log to the disk
}

// each describes the cost of one of so many operations.
func (c cost) each(count int) string {
	per := func(d time.Duration) int64 { return (d / time.Duration(count)).Microseconds() }
	syncs := float64(c.syncs) / float64(count)
	if c.server == 0 {
		return fmt.Sprintf("%d × %d µs of PostgreSQL's processor time and %.2f fsyncs", count, per(c.database), syncs)
	}
	return fmt.Sprintf("%d × %d + %d µs of processor time, the server's and PostgreSQL's, and %.2f fsyncs",
		count, per(c.server), per(c.database), syncs)
}

// costing adds to a measurement what each operation cost, the process's part and PostgreSQL's. The process is nil where only
// PostgreSQL works.
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

// used is the processor time that a process has used so far; none without one.
func (p *process) used() time.Duration {
	if p == nil {
		return 0
	}
	return processorTime(p.cmd.Process.Pid)
}

// syncsSoFar is how often the server has flushed its log to the disk.
func (r *rig) syncsSoFar(ctx context.Context, p *process) (int64, error) {
	if p != nil && p.settle != nil && !p.settledNow {
		if err := p.settle(ctx); err != nil {
			return 0, err
		}
		p.settledNow = true
	}
	return r.cluster.walSyncs(ctx)
}

// unsettle notes that the process is about to write.
func (p *process) unsettle() {
	if p != nil {
		p.settledNow = false
	}
}

// settling has every connection of a process's pool report what it has flushed: it does so at the end of a statement when a second
// has passed since the last time. The request asks the database something and writes nothing.
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

// settled is the process with the seller's key as what settling asks for: for benchmarks that write.
func (p *process) settled(s seller) *process {
	as := p.asSeller(s)
	p.settle = settling(as, as.request(http.MethodGet, "/api/keys/info", nil))
	return p
}
