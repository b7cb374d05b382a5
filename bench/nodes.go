package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// nodes compares several servers behind HAProxy with a single one, reading or adding entries. The number of callers per
// server is the same. On one machine the rate can't grow with the number of servers, so the result shows the cost of a
// request.
func nodes(count int, adding bool) func(context.Context, *rig) (subject, error) {
	return func(ctx context.Context, r *rig) (subject, error) {
		first, s, err := r.installation(ctx, "--no-workers")
		if err != nil {
			return subject{}, err
		}
		first.settled(s)
		servers := []*process{first}
		for len(servers) < count {
			p, err := r.serve(ctx, r.environment(), "--no-workers")
			if err != nil {
				return subject{}, err
			}
			servers = append(servers, p.settled(s))
		}
		measure, err := r.behindHAProxy(ctx, servers, s, adding)
		if err != nil {
			return subject{}, err
		}
		baseline, err := r.behindHAProxy(ctx, servers[:1], s, adding)
		return subject{measure: measure, baseline: baseline, against: "one server behind HAProxy"}, err
	}
}

// behindHAProxy prepares the measurement of several servers behind HAProxy.
func (r *rig) behindHAProxy(ctx context.Context, servers []*process, s seller, adding bool) (measurement, error) {
	front, err := r.haproxy(ctx, servers)
	if err != nil {
		return nil, err
	}
	calls, err := front.calls(ctx, s, adding)
	if err != nil {
		return nil, err
	}
	calls.connections = connections * len(servers)
	if _, err := calls.run(ctx, warmUp); err != nil {
		return nil, err
	}
	return withHelper(front, "HAProxy", r.costing(front, calls.run)), nil
}

// withHelper adds the processor time of a helper program, such as HAProxy, to the remark of a measurement.
func withHelper(p *process, name string, measure measurement) measurement {
	return func(ctx context.Context, d time.Duration) (figure, error) {
		before := processorTime(p.cmd.Process.Pid)
		f, err := measure(ctx, d)
		if err == nil && f.count > 0 {
			own := (processorTime(p.cmd.Process.Pid) - before) / time.Duration(f.count)
			f.remark = joined(f.remark, fmt.Sprintf("%s's %d µs", name, own.Microseconds()))
		}
		return f, err
	}
}

// calls returns a load that reads one entry of a new list, or adds entries to it.
func (p *process) calls(ctx context.Context, s seller, adding bool) (load, error) {
	as := p.asSeller(s)
	e, err := createEntry(ctx, as)
	if err != nil {
		return load{}, err
	}
	if !adding {
		return as.load(ctx, e.get(as))
	}
	numbered := newNumbered(as.request(http.MethodPost, "/api/access-lists/"+e.list+"/entries", fullEntry(numberMark)))
	return load{
		address: as.address(), accept: wants(http.StatusCreated), request: func(int) []byte { return numbered.next() },
	}, nil
}

// haproxy starts HAProxy in front of servers. It returns a process that represents all of them.
func (r *rig) haproxy(ctx context.Context, servers []*process) (*process, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	address := listener.Addr().String()
	_ = listener.Close()
	var config strings.Builder
	config.WriteString("defaults\n mode http\n timeout connect 2s\n timeout client 60s\n timeout server 60s\n" +
		"listen tickets\n bind " + address + "\n balance leastconn\n option forwardfor\n")
	for i, p := range servers {
		fmt.Fprintf(&config, " server number%d %s\n", i, strings.TrimPrefix(p.url, "http://"))
	}
	file := filepath.Join(r.folder, fmt.Sprintf("%s_%d.haproxy", r.name, len(servers)))
	if err := os.WriteFile(file, []byte(config.String()), 0o600); err != nil {
		return nil, err
	}
	program, err := exec.LookPath("haproxy")
	if err != nil {
		return nil, errors.New("needs HAProxy: apt-get install haproxy")
	}
	p, _, err := r.start(ctx, r.environment(), program, "-db", "-f", file)
	if err != nil {
		return nil, err
	}
	p.url, p.behind = "http://"+address, servers
	p.settle = func(ctx context.Context) error {
		for _, server := range servers {
			if err := server.settle(ctx); err != nil {
				return err
			}
		}
		return nil
	}
	err = p.await(ctx)
	return p, err
}

// await waits until a process accepts connections.
func (p *process) await(ctx context.Context) error {
	for deadline := time.Now().Add(readyBound); time.Now().Before(deadline); {
		conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", strings.TrimPrefix(p.url, "http://"))
		if err == nil {
			return conn.Close()
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
	}
	return errors.New(p.cmd.Path + " is not listening")
}
