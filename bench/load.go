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

// connections is the number of clients of a load, each on a keep-alive connection.
const connections = 16

// warmUp is how long a load runs before it is measured, until connections, prepared statements and caches are ready.
const warmUp = time.Second

// grace is how long an exchange may take beyond the time of its load.
const grace = 30 * time.Second

// load sends requests as fast as they complete, one at a time per connection. It speaks HTTP over plain connections because
// net/http's client costs more than the measured server.
type load struct {
	address     string // host:port
	connections int
	limit       int // the maximum number of requests; 0 means unlimited
	// request returns the request of a number. It must not be changed afterwards.
	request func(number int) []byte
	// accept refuses unexpected responses: errors are fast, too.
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
	began := time.Now()
	for i := range times {
		group.Go(func() {
			var err error
			if times[i], err = l.connection(ctx, &number, began.Add(d)); err != nil {
				cancel(err)
			}
		})
	}
	group.Wait()
	elapsed := time.Since(began)
	// The first failure ends the other connections, whose own errors mean nothing.
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
	for began := time.Now(); began.Before(until); {
		next := int(number.Add(1))
		if l.limit > 0 && next > l.limit {
			break
		}
		if err := l.one(c, next); err != nil {
			return nil, err
		}
		// One reading of the clock ends an exchange and starts the next.
		ended := time.Now()
		times = append(times, ended.Sub(began))
		began = ended
	}
	return times, nil
}

// one sends the request of a number.
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

// dial connects. The connection ends at the deadline or with the context.
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

// exchange sends a request and reads its response, which the next exchange overwrites.
func (c *client) exchange(request []byte) (status int, body []byte, err error) {
	if _, err := c.conn.Write(request); err != nil {
		return 0, nil, err
	}
	// Parse the response: its status and its end must be known.
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

// wants accepts responses with a status.
func wants(wanted int) func(int, []byte) error {
	return func(status int, body []byte) error {
		if status != wanted {
			return fmt.Errorf("got status %d, want %d: %s", status, wanted, body)
		}
		return nil
	}
}

// repeats accepts responses that equal the first one, which was checked.
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
