package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"syscall"
	"time"
)

// The time within which a process must start and stop. Otherwise the benchmark fails.
const (
	readyBound = 60 * time.Second
	stopBound  = 30 * time.Second
)

// process is a running process of the product or of a baseline.
type process struct {
	url   string        // empty if it serves no requests
	ready time.Duration // from its start to the line that it prints
	cmd   *exec.Cmd
	stop  func() // stops it gracefully and waits; repeated calls do nothing
	// settle makes the process's connections report their flushes. It is nil if the process flushes little.
	settle     func(context.Context) error
	settledNow bool       // nothing was written since settle
	behind     []*process // the processes that it forwards work to; their processor time counts instead of its own
}

// serve starts a server and returns when it is ready.
func (r *rig) serve(ctx context.Context, environment []string, flags ...string) (*process, error) {
	return r.ready(r.start(ctx, environment, r.binary, append([]string{"serve"}, flags...)...))
}

// ready waits for the line that a server prints when it is ready.
func (*rig) ready(p *process, printed <-chan readyLine, err error) (*process, error) {
	if err != nil {
		return nil, err
	}
	select {
	case line, open := <-printed:
		if !open {
			return nil, fmt.Errorf("%s ended before it was ready", p.cmd.Path)
		}
		p.url, p.ready = line.url, line.after
		return p, nil
	case <-time.After(readyBound):
		return nil, fmt.Errorf("%s was not ready after %s", p.cmd.Path, readyBound)
	}
}

// work starts a process that only makes deliveries.
func (r *rig) work(ctx context.Context, environment []string) (*process, error) {
	p, _, err := r.start(ctx, environment, r.binary, "work")
	return p, err
}

// readyLine is the line that a server prints when it is ready, with the time since its start.
type readyLine struct {
	url   string
	after time.Duration
}

// start starts a program in the process group of the terminal, so that it also receives Ctrl-C. The channel receives
// the line that the program prints when it is ready. It is closed without a value if the program ends first.
func (r *rig) start(ctx context.Context, environment []string, program string, arguments ...string) (*process, <-chan readyLine, error) {
	ctx, cancel := context.WithCancel(ctx)
	cmd := exec.CommandContext(ctx, program, arguments...) //nolint:gosec // the product, or a baseline
	cmd.Env = environment
	// A process is stopped with SIGTERM, as a supervisor does. If it does not stop in time, it is killed.
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = stopBound
	log, err := r.openLog()
	if err != nil {
		cancel()
		return nil, nil, err
	}
	defer log.Close() //nolint:errcheck // the process has its own copy
	cmd.Stderr = log
	out, err := cmd.StdoutPipe()
	start := time.Now()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		cancel()
		return nil, nil, err
	}
	printed, ended := make(chan readyLine, 1), make(chan struct{})
	go func() {
		defer close(ended)
		readReady(out, start, printed)
		_ = cmd.Wait() // all of them end by a signal
	}()
	p := &process{cmd: cmd, stop: func() { cancel(); <-ended }}
	r.onEnd(p.stop)
	return p, printed, nil
}

// readReady sends the first line of the output if it is valid, and then closes the channel.
func readReady(out io.Reader, start time.Time, printed chan<- readyLine) {
	defer close(printed)
	reader := bufio.NewReader(out)
	line, _ := reader.ReadBytes('\n')
	after := time.Since(start)
	var said struct {
		URL string `json:"url"`
	}
	if json.Unmarshal(line, &said) == nil && said.URL != "" {
		printed <- readyLine{said.URL, after}
	}
	_, _ = io.Copy(io.Discard, reader)
}
