package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// connections is the number of clients of a load. Each has a keep-alive connection.
const connections = 16

// warmUp is the time for which a load runs before it is measured, so that connections, prepared statements and caches
// are ready.
const warmUp = time.Second

// grace is the time that an exchange may take after the end of its load.
const grace = 30 * time.Second

// load sends requests as fast as they complete, one at a time per connection. It implements HTTP on plain connections,
// because the client of net/http costs more than the measured server.
type load struct {
	address     string // host:port
	connections int
	limit       int // the maximum number of requests; 0 means unlimited
	// request returns the request with a number. It must not be changed afterwards.
	request func(number int) []byte
	// accept returns an error for unexpected responses, because error responses would be fast.
	accept func(status int, body []byte) error
}

// run returns the requests per second and the distribution of their times.
func (l load) run(ctx context.Context, d time.Duration) (figure, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var (
		group  sync.WaitGroup
		number atomic.Int64
		times  = make([][]time.Duration, l.connections)
	)
	start := time.Now()
	for i := range times {
		group.Go(func() {
			var err error
			if times[i], err = l.connection(ctx, &number, start.Add(d)); err != nil {
				cancel(err)
			}
		})
	}
	group.Wait()
	elapsed := time.Since(start)
	// The first error ends the other connections. Their errors are consequences of it.
	if err := context.Cause(ctx); err != nil {
		return figure{}, err
	}
	var all []time.Duration
	for _, list := range times {
		all = append(all, list...)
	}
	return timed(all, elapsed), nil
}

// connection runs one client.
func (l load) connection(ctx context.Context, number *atomic.Int64, until time.Time) ([]time.Duration, error) {
	c, err := dial(ctx, l.address, until.Add(grace))
	if err != nil {
		return nil, err
	}
	defer c.close()
	var times []time.Duration
	for start := time.Now(); start.Before(until); {
		next := int(number.Add(1))
		if l.limit > 0 && next > l.limit {
			break
		}
		if err := l.one(c, next); err != nil {
			return nil, err
		}
		// One reading of the clock ends an exchange and starts the next one.
		ended := time.Now()
		times = append(times, ended.Sub(start))
		start = ended
	}
	return times, nil
}

// one sends the request with a number and checks the response.
func (l load) one(c *client, number int) error {
	status, body, err := c.exchange(l.request(number))
	if err != nil {
		return err
	}
	return l.accept(status, body)
}

// client is one connection with its read buffer.
type client struct {
	conn   net.Conn
	reader *bufio.Reader
	body   bytes.Buffer
	close  func()
}

// dial connects to a server. The connection is closed at the deadline or when ctx is done.
func dial(ctx context.Context, address string, deadline time.Time) (*client, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	c := &client{conn: conn, reader: bufio.NewReader(conn)}
	c.close = func() {
		stop()
		_ = conn.Close()
	}
	return c, conn.SetDeadline(deadline)
}

// exchange sends a request and returns its response. The next exchange overwrites the body.
func (c *client) exchange(request []byte) (status int, body []byte, err error) {
	if _, err := c.conn.Write(request); err != nil {
		return 0, nil, err
	}
	// The response is parsed, because its status and its end must be known.
	answer, err := http.ReadResponse(c.reader, nil)
	if err != nil {
		return 0, nil, err
	}
	c.body.Reset()
	_, err = c.body.ReadFrom(answer.Body)
	if err := errors.Join(err, answer.Body.Close()); err != nil {
		return 0, nil, err
	}
	return answer.StatusCode, c.body.Bytes(), nil
}

// wants returns a check that the response has a status.
func wants(wanted int) func(int, []byte) error {
	return func(status int, body []byte) error {
		if status != wanted {
			return fmt.Errorf("got status %d, want %d: %s", status, wanted, body)
		}
		return nil
	}
}

// repeats returns a check that the response has a status and equals the first one.
func repeats(status int, first []byte) func(int, []byte) error {
	right := wants(status)
	return func(status int, body []byte) error {
		if err := right(status, body); err != nil {
			return err
		}
		if !bytes.Equal(body, first) {
			return fmt.Errorf("got %s, want %s", body, first)
		}
		return nil
	}
}
